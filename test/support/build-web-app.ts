import path from "node:path";
import { pino } from "pino";
import { buildReporter } from "../../src/server/serve/reporter/build-reporter.ts";
import { buildIfNeeded } from "../../src/server/serve/web-app/build-if-needed.ts";
import { buildWebApp } from "../../src/server/serve/web-app/build-web-app.ts";

// Browser tests run against the built web app and reporter, the reporter's tests use its package. `npm test` and
// `npm run test:browser` share one build.
const log = pino();
const reporter = {
  name: "the reporter's package",
  output: path.join(import.meta.dirname, "../../reporter/dist/cjs/index.d.ts"),
  sources: ["src", "scripts", "package.json", "tsconfig.json", "tsconfig.build.json"].map(
    (name) => `reporter/${name}`,
  ),
  tool: "node_modules/esbuild/package.json",
  command: ["reporter/scripts/build.ts"],
};
await Promise.all([buildWebApp(log), buildReporter(log), buildIfNeeded(reporter, log)]);
