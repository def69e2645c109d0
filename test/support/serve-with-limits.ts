import { readConfig } from "../../src/server/config/config.ts";
import { serve } from "../../src/server/start/serve.ts";

/** Starts the server like `serve`, but with other limits when it stops: half a second for requests in flight unless set. */
await serve(
  readConfig(process.env),
  { web: true, jobs: true },
  Number(process.env["IN_FLIGHT_MS"] ?? 500),
  Number(process.env["CLOSE_MS"] ?? 10_000),
);
