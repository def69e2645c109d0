import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Work that a browser does before a public form accepts its report. A token contains when it was made and how many bits it
 * asks for, is signed with the form's own key, and is stored only once it is used.
 */
export type Challenge = { token: string; bits: number };

const MIN_AGE_MS = 2_000;
const MAX_AGE_MS = 600_000;

export function makeChallenge(key: Buffer, bits: number, now: number): Challenge {
  const content = `${now.toString(36)}.${bits}.${randomBytes(9).toString("base64url")}`;
  return { token: `${content}.${signatureOf(key, content)}`, bits };
}

/** Whether the token is of this form and of the right age, and the nonce solves it. */
export function isSolved(key: Buffer, { token, nonce, now }: { token: string; nonce: string; now: number }) {
  const end = token.lastIndexOf(".");
  const content = token.slice(0, end);
  if (!isEqual(token.slice(end + 1), signatureOf(key, content))) return false;
  const [madeAt = "", bits = ""] = content.split(".");
  const age = now - Number.parseInt(madeAt, 36);
  if (age < MIN_AGE_MS || age > MAX_AGE_MS) return false;
  return startsWithZeros(hash("sha256", `${token}:${nonce}`, "buffer"), Number(bits));
}

const signatureOf = (key: Buffer, content: string) =>
  createHmac("sha256", key).update(content).digest().subarray(0, 16).toString("base64url");

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `bits` is at most 32. */
const startsWithZeros = (digest: Buffer, bits: number) => Math.clz32(digest.readUInt32BE(0)) >= bits;
