import { readConfig } from "../../src/server/config/config.ts";
import { serve } from "../../src/server/serve.ts";

/** The server as `serve` starts it, with less patience for requests under way when it is told to stop. */
await serve(readConfig(process.env), { web: true, jobs: true }, 500);
