import { pino } from "pino";
import { buildWebApp } from "../../src/server/operations/web-app/build-web-app.ts";

// Browser tests run against the built web app. `npm test` and `npm run test:browser` share one build.
await buildWebApp(pino());
