import { hashAfter } from "./sha256.ts";

/** Finds a nonce such that the SHA-256 of `token:nonce` starts with `bits` zero bits, at most 32. */
export function findNonce(token: string, bits: number): string {
  const hash = hashAfter(new TextEncoder().encode(`${token}:`));
  for (let n = 0; ; n++) if (Math.clz32(hash(String(n))) >= bits) return String(n);
}
