import assert from "node:assert/strict";
import { test } from "node:test";
import { safePath } from "./return-to.ts";

test("a path of the app is kept", () => {
  assert.equal(safePath("/projects/WEB/board?query=x#a"), "/projects/WEB/board?query=x#a");
});

test("anything else becomes the start page", () => {
  for (const path of [
    undefined,
    "",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/a\\b",
    "/\t/evil.example",
    "/sign-in?return_to=/",
    "/api/docs",
  ])
    assert.equal(safePath(path), "/", String(path));
});
