import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { findNonce } from "./find-nonce.ts";
import { firstWordOfSha256 } from "./sha256.ts";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest();

test("texts of all lengths around the block size have the hash that Node computes", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Buffer.from("signalbox ".repeat(20)).subarray(0, length);
    assert.equal(firstWordOfSha256(bytes), sha256(bytes).readUInt32BE(), String(length));
  }
});

test("a nonce is found whose hash starts with the demanded number of zero bits", () => {
  for (const bits of [0, 1, 8, 13]) {
    const nonce = findNonce("1764322447482.q8sN", bits);
    const hash = sha256(`1764322447482.q8sN:${nonce}`).readUInt32BE();
    assert.ok(Math.clz32(hash) >= bits, `${bits}: ${hash}`);
  }
});
