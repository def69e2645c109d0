import assert from "node:assert/strict";
import { test } from "node:test";
import { openOutsideReports } from "../../../../test/support/outside-reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const p = await openOutsideReports(t);

test("the page has everything in 30 kB, and is neither stored, found nor framed", async () => {
  const { status, headers, text } = await t.http.get(`/r/${(await p.send()).token}`);
  assert.deepEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"]);
  assert.ok(Buffer.byteLength(text) <= 30_000, `${text.length} bytes`);
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["x-frame-options"], "DENY");
  assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
  assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe/);
});

test("texts from outside are shown as text", async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;
  const one = await p.send({ title: hostile, description: hostile, author_name: hostile });
  const message = await t.http.post(`${one.api}/messages`, { content: hostile });
  assert.equal(message.status, 201);
  const { text } = await t.http.get(`/r/${one.token}`);
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.doesNotMatch(text, /<img|alert\(1\)<\/script>/);
});

test("while reports are turned off, the page is empty", async () => {
  const one = await p.send();
  await p.admin.patch(`/api/workspaces/${p.workspaceId}`, { features: { reports: false } });
  const { status, text } = await t.http.get(`/r/${one.token}`);
  assert.equal(status, 403);
  assert.match(text, /<main><\/main>/);
});
