import { hash } from "node:crypto";

/** The block size of SHA-256 in bytes. */
const BLOCK = 64;

/** What a key adds before the text and before the inner hash. */
type Pads = { inner: Buffer; outer: Buffer };

const padsByKey = new WeakMap<Uint8Array, Pads>();

/**
 * HMAC-SHA-256 (RFC 2104) in hexadecimal, with a key of at most 64 bytes. `createHmac` creates a key object for each call,
 * which takes ten times as long as the hash.
 */
export function keyedHash(key: Uint8Array, text: string): string {
  let pads = padsByKey.get(key);
  if (!pads) padsByKey.set(key, (pads = { inner: padded(key, 0x36), outer: padded(key, 0x5c) }));
  const inner = hash("sha256", Buffer.concat([pads.inner, Buffer.from(text, "utf8")]), "buffer");
  return hash("sha256", Buffer.concat([pads.outer, inner]), "hex");
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK, pad);
  for (let index = 0; index < key.length; index++) block[index] = (key[index] as number) ^ pad;
  return block;
}
