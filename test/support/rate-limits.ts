import { after } from "node:test";
import { Pool } from "pg";
import type { RateLimiter } from "../../src/server/limits/rate-limit.ts";
import { cloneDatabase } from "./postgres.ts";

/** Opens a database with two pools, like those of two server processes, until the file's tests have ended. */
export async function useRateLimits() {
  const { url, drop } = await cloneDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  const second = new Pool({ connectionString: url, max: 4 });
  // A limiter may be returning permits when the database is dropped.
  for (const one of [pool, second]) one.on("error", () => {});
  after(async () => {
    await Promise.all([pool.end(), second.end()]);
    await drop();
  });
  return {
    url,
    pool,
    second,
    /** Simulates that time has passed on the database's clock, or that it was set back if `seconds` is negative. */
    letPass: (key: string, seconds: number) =>
      pool.query("update rate_limits set clock_offset = clock_offset + $2 where key = $1", [key, seconds]),
    /** The permits that are counted now. */
    countedOf: async (key: string): Promise<number> => {
      const { rows } = await pool.query(
        "select (select sum(c)::int from unnest(counts) c) as sum from rate_limits where key = $1",
        [key],
      );
      return rows[0].sum;
    },
    secondOf: async (key: string): Promise<number> => {
      const { rows } = await pool.query("select second::int from rate_limits where key = $1", [key]);
      return rows[0].second;
    },
  };
}

let count = 0;
export const newKey = () => `key ${++count}`;

export const allowedOf = (verdicts: { allowed: boolean }[]) =>
  verdicts.filter((verdict) => verdict.allowed).length;

export const takeMany = (limiter: RateLimiter, key: string, limit: number, times: number) =>
  Promise.all(Array.from({ length: times }, () => limiter.take(key, limit)));
