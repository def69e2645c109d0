import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("the address of the API reference redirects to its page in the web app, without a credential", async () => {
  const answer = await t.http.get("/api/docs");
  assert.deepEqual([answer.status, answer.headers["location"]], [302, "/reference"]);
});
