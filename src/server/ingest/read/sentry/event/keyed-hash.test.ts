import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { keyedHash } from "./keyed-hash.ts";

test("a keyed hash is HMAC-SHA-256, for every key and text", () => {
  for (const length of [0, 1, 32, 64])
    for (const text of ["", "id:42", "email:jürgen@example.com", "x".repeat(1_000)]) {
      const key = randomBytes(length);
      assert.equal(keyedHash(key, text), createHmac("sha256", key).update(text).digest("hex"));
      assert.equal(keyedHash(key, text), keyedHash(Buffer.from(key), text));
    }
});
