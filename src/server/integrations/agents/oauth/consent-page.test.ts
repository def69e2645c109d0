import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp({}, { webApp: path.join(import.meta.dirname, "../../../../web") });

test("no page may show the consent page in a frame, and it tells no other site its address", async () => {
  const { status, headers } = await t.http.send({
    method: "GET",
    url: "/oauth/authorize?client_id=app&state=secret",
    headers: { accept: "text/html" },
  });
  assert.equal(status, 200);
  assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
  assert.deepEqual([headers["x-frame-options"], headers["referrer-policy"]], ["DENY", "same-origin"]);
});
