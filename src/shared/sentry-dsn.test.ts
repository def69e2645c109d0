import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSentryDsn, readSentryDsn } from "./sentry-dsn.ts";

test("a DSN has a key, an address with an optional path, and the number of a project", () => {
  assert.deepEqual(readSentryDsn("https://0123456789abcdef@errors.example.com/42"), {
    base: "https://errors.example.com",
    key: "0123456789abcdef",
    projectId: "42",
  });
  assert.deepEqual(readSentryDsn("http://abc@[2001:db8::1]:8000/a/b/7/"), {
    base: "http://[2001:db8::1]:8000/a/b",
    key: "abc",
    projectId: "7",
  });
});

for (const text of [
  "",
  "errors.example.com/42",
  "https://errors.example.com/42",
  "https://key:secret@errors.example.com/42",
  "https://key@errors.example.com",
  "https://key@errors.example.com/web",
  "https://key@errors.example.com/../..",
  "https://key@errors.example.com/42?x=1",
  "https://key@errors.example.com/42#x",
  "https://key@errors.example.com:0/42",
  "https://a%0d%0ab@errors.example.com/42",
  "https://…cdef@errors.example.com/42",
  "ftp://key@errors.example.com/42",
  "javascript://key@errors.example.com/42",
])
  test(`not a DSN: ${JSON.stringify(text)}`, () => assert.equal(readSentryDsn(text), undefined));

test("a masked DSN shows the last four characters of a long key and none of a short one", () => {
  assert.equal(
    maskSentryDsn("https://0123456789abcdef@errors.example.com:8443/a/42"),
    "https://…cdef@errors.example.com:8443/a/42",
  );
  assert.equal(maskSentryDsn("https://abc@errors.example.com/42"), "https://…@errors.example.com/42");
});
