const MAX_RETRY_AFTER = 86_400;

/** The seconds that a `Retry-After` header asks for, as a number or a date; at most a day. Undefined if it is neither. */
export function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*[0-9]+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER);
}
