import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Pool } from "pg";
import { RateLimiter } from "../../src/server/limits/rate-limit.ts";

/**
 * A process that prints 0 and then, once it gets a line, makes requests under one key and prints the number allowed so
 * far, until it is killed or, after SIGTERM, has returned its unused permits. Arguments: database, key, limit.
 */
const [url = "", key = "", limit = ""] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 2 });
const limiter = new RateLimiter(pool);
const state = { stopping: false };
process.on("SIGTERM", () => (state.stopping = true));

process.stdout.write("0\n");
await once(process.stdin, "data");
process.stdin.destroy();
for (let allowed = 0; !state.stopping;) {
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => limiter.take(key, Number(limit))));
  allowed += verdicts.filter((verdict) => verdict.allowed).length;
  process.stdout.write(`${allowed}\n`);
  await setTimeout(1);
}
await limiter.close();
await pool.end();
