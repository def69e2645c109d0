import { readConfig } from "../../src/server/config/config.ts";
import { serve } from "../../src/server/serve.ts";

/** Starts the server like `serve`, but with a shorter limit for requests in flight when it stops. */
await serve(readConfig(process.env), { web: true, jobs: true }, 500);
