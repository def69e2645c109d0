import { isIP } from "node:net";
import { record, text, type JsonRecord } from "../../coerce.ts";
import type { RemoveValues } from "../../../remove-personal-data/rules.ts";
import { keyedHash } from "./keyed-hash.ts";

const MAX_LENGTH = 1_000;

/**
 * A hash that identifies the event's user without revealing who they are, keyed with the project's secret. Null if the user is
 * unknown; an IP address does not identify a user.
 */
export function userHash(event: JsonRecord, secret: Uint8Array): string | null {
  const user = record(event.user);
  for (const field of ["id", "email", "username"]) {
    const value = text(user[field], MAX_LENGTH)?.trim();
    if (value && !isIP(value)) return keyedHash(secret, `${field}:${value}`);
  }
  return null;
}

// Shorter values and these words are not searched, because they are common in texts.
const SHORTEST = 4;
const COMMON = new Set([
  "admin",
  "administrator",
  "anonymous",
  "auto",
  "default",
  "false",
  "guest",
  "null",
  "root",
  "system",
  "test",
  "true",
  "undefined",
  "unknown",
  "user",
]);

/**
 * A rule that removes the values of the event's `user` from all its texts. The built-in rules cannot recognize ids and names by
 * their form.
 */
export function userRule(event: JsonRecord): RemoveValues | undefined {
  const values = Object.values(record(event.user))
    .map((value) => text(value, MAX_LENGTH)?.trim() ?? "")
    .filter((value) => value.length >= SHORTEST && !COMMON.has(value.toLowerCase()))
    .slice(0, 20);
  if (values.length === 0) return undefined;
  // Most texts contain none of the values, and compiling a pattern takes longer than finding that out.
  let pattern: RegExp | undefined;
  return (text, found) => {
    for (const value of values)
      if (text.includes(value)) return text.replace((pattern ??= patternOf(values)), () => found("user"));
    return text;
  };
}

function patternOf(values: string[]): RegExp {
  const alternatives = values.toSorted((a, b) => b.length - a.length).map((value) => RegExp.escape(value));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "gu");
}
