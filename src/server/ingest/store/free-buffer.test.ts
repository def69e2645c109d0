import assert from "node:assert/strict";
import { test } from "node:test";
import { freeBuffer } from "./free-buffer.ts";

test("a buffer of its own is freed", () => {
  const buffer = Buffer.allocUnsafe(50_000).subarray(0, 49_990);
  freeBuffer(buffer);
  assert.equal(buffer.length, 0);
});

test("parts of larger buffers, such as Node's pool, are left alone", () => {
  const large = Buffer.alloc(50_000, 1);
  for (const part of [
    Buffer.from("small"),
    Buffer.allocUnsafe(4_000),
    large.subarray(0, 20_000),
    large.subarray(10),
  ]) {
    const { length } = part;
    freeBuffer(part);
    assert.equal(part.length, length);
  }
});
