import type pg from "pg";

/** Violated constraints, and errors raised by Signalbox's own SQL functions. */
const EXPECTED = /^(23|SB)/;

export type Query = (statement: pg.QueryConfig) => Promise<{ rows: unknown[] }>;

/**
 * Like `pool.query`, but keeps the connection, with its prepared statements, after errors that are part of normal operation.
 * `pool.query` closes it after any error.
 *
 * Uses callbacks, because with promises, V8 collects old objects three times as often under load.
 */
export const queryKeepingConnection =
  (pool: pg.Pool): Query =>
  (statement) =>
    new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        if (!client) return reject(error ?? new Error("There is no connection."));
        client.query(statement, (failure: (Error & { code?: string }) | null, result) => {
          const isExpected = EXPECTED.test(failure?.code ?? "");
          release(isExpected ? undefined : (failure ?? undefined));
          if (failure) reject(failure);
          else resolve(result);
        });
      });
    });
