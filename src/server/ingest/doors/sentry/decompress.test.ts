import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { freeWhole } from "../../store/free-buffer.ts";
import { decompressed } from "./decompress.ts";

const LIMIT = 256 * 1_024;

for (const size of [1, 14_000, 32_767, 32_768, 32_769, 65_536, LIMIT])
  test(`${size} bytes are decompressed into memory of their own`, () => {
    const bytes = randomBytes(size);
    const result = decompressed(gzipSync(bytes));
    assert.ok(result);
    assert.deepEqual(result, bytes);
    const others = [Buffer.from("before"), Buffer.allocUnsafe(4_000).fill(1)];
    freeWhole(result);
    assert.equal(result.length, 0);
    assert.deepEqual(
      others.map((other) => other.length),
      [6, 4_000],
    );
  });

test("a body of several compressed parts is decompressed whole, although its end has only the size of the last one", () => {
  const parts = [randomBytes(40_000), randomBytes(50_000), randomBytes(10)];
  const result = decompressed(Buffer.concat(parts.map((part) => gzipSync(part))));
  assert.ok(result);
  assert.deepEqual(result, Buffer.concat(parts));
  freeWhole(result);
  assert.equal(result.length, 0);
});

for (const [what, body] of [
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("not compressed, but longer than a trailer")],
  ["half of a compressed body", gzipSync(randomBytes(1_000)).subarray(0, 500)],
  ["a wrong size", withSize(gzipSync(randomBytes(1_000)), 999)],
  ["more than the limit", gzipSync(Buffer.alloc(LIMIT + 1))],
  [
    "several parts that are more than the limit",
    Buffer.concat([1, 2].map(() => gzipSync(Buffer.alloc(LIMIT)))),
  ],
] as const)
  test(`${what} is left to the route`, () => {
    assert.equal(decompressed(body), undefined);
  });

function withSize(body: Buffer, size: number): Buffer {
  body.writeUInt32LE(size, body.length - 4);
  return body;
}
