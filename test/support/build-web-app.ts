import { pino } from "pino";
import { buildReporter } from "../../src/server/operations/reporter/build-reporter.ts";
import { buildWebApp } from "../../src/server/operations/web-app/build-web-app.ts";

// Browser tests run against the built web app and reporter. `npm test` and `npm run test:browser` share one build.
await Promise.all([buildWebApp(pino()), buildReporter(pino())]);
