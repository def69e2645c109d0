import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { findNonce } from "../src/page/find-nonce.ts";
import { hashAfter } from "../src/page/sha256.ts";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest();

test("texts of all lengths around the block size have the hash that Node computes", () => {
  for (let length = 0; length < 200; length++) {
    const prefix = Buffer.from("signalbox ".repeat(20)).subarray(0, length);
    for (const text of ["", "4815162342"])
      assert.equal(hashAfter(prefix)(text), sha256(`${prefix}${text}`).readUInt32BE(), `${length} ${text}`);
  }
});

test("a nonce is found whose hash starts with the demanded number of zero bits", () => {
  for (const bits of [0, 1, 8, 13]) {
    const nonce = findNonce("1764322447482.q8sN", bits);
    const hash = sha256(`1764322447482.q8sN:${nonce}`).readUInt32BE();
    assert.ok(Math.clz32(hash) >= bits, `${bits}: ${hash}`);
  }
});
