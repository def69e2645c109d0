import { waitUntilRunning } from "./running.cjs";

// The job that sentry-cli runs. Its exit code is the argument.
await waitUntilRunning();
process.exit(Number(process.argv[2]));
