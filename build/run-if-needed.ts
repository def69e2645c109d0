import { pino } from "pino";
import { buildIfNeeded } from "./build-if-needed.ts";
import { REPORTER_DOWNLOADS, REPORTER_PACKAGE, WEB_APP } from "./builds.ts";

// Browser tests run against the built web app and reporter, the reporter's tests use its package. `npm test` and
// `npm run test:browser` share one build.
const log = pino();
await Promise.all([WEB_APP, REPORTER_DOWNLOADS, REPORTER_PACKAGE].map((build) => buildIfNeeded(build, log)));
