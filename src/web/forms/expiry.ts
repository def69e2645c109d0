/** The lifetimes offered for a token. `days` is null for one that never expires. */
export const LIFETIMES: readonly { value: string; label: string; days: number | null }[] = [
  { value: "90", label: "90 days", days: 90 },
  { value: "30", label: "30 days", days: 30 },
  { value: "365", label: "1 year", days: 365 },
  { value: "never", label: "No expiration", days: null },
];

const DAY_MS = 86_400_000;

/** The API's expiry timestamp for something created at `now` (milliseconds); null for never. */
export function expiresAt(lifetime: string, now: number): string | null {
  const days = LIFETIMES.find(({ value }) => value === lifetime)?.days ?? null;
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}

export function isExpired(token: { expires_at: string | null }, now: number): boolean {
  return token.expires_at !== null && Date.parse(token.expires_at) <= now;
}
