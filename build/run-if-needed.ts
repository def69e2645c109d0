import { pino } from "pino";
import { buildIfNeeded } from "./build-if-needed.ts";
import { COMMAND_LINE, REPORTER_DOWNLOADS, REPORTER_PACKAGE, WEB_APP, WIDGET } from "./builds.ts";

// Browser tests run against the built web app, reporter and widget, the reporter's tests use its package. `npm test` and
// `npm run test:browser` share one build.
const log = pino();
const builds = [WEB_APP, REPORTER_DOWNLOADS, REPORTER_PACKAGE, COMMAND_LINE, WIDGET];
await Promise.all(builds.map((build) => buildIfNeeded(build, log)));
