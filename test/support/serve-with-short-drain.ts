import { readConfig } from "../../src/server/config/config.ts";
import { serve } from "../../src/server/start/serve.ts";

/** Starts the server like `serve`, but with shorter limits when it stops. */
await serve(
  readConfig(process.env),
  { web: true, jobs: true },
  500,
  Number(process.env["CLOSE_MS"] ?? 10_000),
);
