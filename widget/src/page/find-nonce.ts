import { firstWordOfSha256 } from "./sha256.ts";

/** Finds a nonce such that the SHA-256 of `token:nonce` starts with `bits` zero bits, at most 32. */
export function findNonce(token: string, bits: number): string {
  const encoder = new TextEncoder();
  for (let n = 0; ; n++)
    if (Math.clz32(firstWordOfSha256(encoder.encode(`${token}:${n}`))) >= bits) return String(n);
}
