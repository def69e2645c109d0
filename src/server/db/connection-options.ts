import pg from "pg";

/**
 * How long a program that starts waits for a connection. A busy machine loads the program's code for seconds, in which no answer can
 * be read, and `pg` then gives up although the database has answered.
 */
export const START_CONNECT_MS = 30_000;

/**
 * What all connections have in common. Settings of the session are set after connecting: a connection pooler such as
 * PgBouncer rejects them in the startup message.
 */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types: { getTypeParser },
    // Detects a dead idle connection within 20 s. `SilenceWatch` handles connections that wait for an answer.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // An upper limit for every connection attempt, longer than any caller should wait.
    connectionTimeoutMillis: 5_000,
  };
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8_ARRAY = 1016;

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (oid, format) => {
  const type: number = oid;
  if (format !== "binary") {
    if (type === INT8) return Number;
    if (type === TIMESTAMPTZ) return isoMicroseconds;
    if (type === DATE) return String;
    if (type === INT8_ARRAY)
      return (value: string) => (value === "{}" ? [] : value.slice(1, -1).split(",").map(Number));
  }
  return pg.types.getTypeParser(oid, format);
};

/**
 * `2026-11-20 23:30:47.1234+00` → `2026-11-20T23:30:47.123400Z`. Keeps PostgreSQL's microseconds, which a JavaScript
 * Date would lose. The offset is always +00, because sessions run in UTC.
 */
function isoMicroseconds(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, "0")}Z`;
}
