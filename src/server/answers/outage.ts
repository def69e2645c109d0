/**
 * Errors of PostgreSQL after which a retry may succeed: timeouts of statements and locks, deadlocks and serialization
 * failures, shutdown and startup, lost connections (class 08), exhausted resources such as a full disk (class 53), and a
 * read-only database.
 */
const TRANSIENT_SQL = /^(57014|55P03|40P01|40001|57P0[1-3]|08...|53...|25006)$/;

/** Errors of the network and of the disk. */
const TRANSIENT_SYSTEM = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOSPC",
  "EDQUOT",
  "STORAGE_UNAVAILABLE",
]);

/** Messages of node-postgres without a code: no connection was free in time, or the connection was lost. */
const CONNECTION_LOST =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed))/;

/** Whether a retry may succeed: the database or the storage is unavailable, or could not answer at that moment. */
export function isOutage({
  code = "",
  syscall,
  message,
}: Error & { code?: string; syscall?: string }): boolean {
  const isSocketMissing = code === "ENOENT" && syscall === "connect";
  return (
    TRANSIENT_SQL.test(code) || TRANSIENT_SYSTEM.has(code) || isSocketMissing || CONNECTION_LOST.test(message)
  );
}
