import { hash } from "node:crypto";

/** The block size of SHA-256 in bytes. */
const BLOCK = 64;

type Pads = { inner: Buffer; outer: Buffer };

/** By key object. Events share a few keys; reading an ingest key again from the database creates a new object. */
const known = new WeakMap<Uint8Array, Pads>();

/**
 * HMAC-SHA-256 (RFC 2104) in hexadecimal, with a key of at most 64 bytes. `createHmac` creates a key object for each call,
 * which takes ten times as long as the hash.
 */
export function keyedHash(key: Uint8Array, text: string): string {
  let pads = known.get(key);
  if (!pads) known.set(key, (pads = { inner: padded(key, 0x36), outer: padded(key, 0x5c) }));
  const inner = hash("sha256", Buffer.concat([pads.inner, Buffer.from(text, "utf8")]), "buffer");
  return hash("sha256", Buffer.concat([pads.outer, inner]), "hex");
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK, pad);
  for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
  return block;
}
