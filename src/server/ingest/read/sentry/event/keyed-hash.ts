import { hash } from "node:crypto";

/** The block size of SHA-256 in bytes. */
const BLOCK = 64;

/**
 * HMAC-SHA-256 (RFC 2104) in hexadecimal, with a key of at most 64 bytes. `createHmac` creates a key object for each call,
 * which takes ten times as long as the hash.
 */
export function keyedHash(key: Uint8Array, text: string): string {
  const inner = hash("sha256", Buffer.concat([padded(key, 0x36), Buffer.from(text, "utf8")]), "buffer");
  return hash("sha256", Buffer.concat([padded(key, 0x5c), inner]), "hex");
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK, pad);
  for (let index = 0; index < key.length; index++) block[index] = (key[index] as number) ^ pad;
  return block;
}
