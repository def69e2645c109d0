import assert from "node:assert/strict";
import { test } from "node:test";
import { makePersonalToken } from "../../../test/support/make.ts";
import { openReports } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const p = await openReports(t);
const token = await makePersonalToken(t.db, p.adminUser.id);

const get = (url: string, tag?: string, by = p.admin) =>
  by.send({ method: "GET", url, headers: tag === undefined ? {} : { "if-none-match": tag } });

test("a list or detail that has not changed returns 304 without a body, and a changed one is sent", async () => {
  const report = await p.create();
  for (const url of [p.reports, p.of(report)]) {
    const first = await get(url);
    const { etag = "" } = first.headers;
    assert.match(etag, /^W\/"[\w-]{27}"$/);
    assert.equal(first.headers["cache-control"], "private, no-cache");
    for (const sent of [etag, etag.slice(2), `"other", ${etag}`]) {
      const again = await get(url, sent);
      assert.deepEqual([again.status, again.text, again.headers["etag"]], [304, "", etag], sent);
      assert.equal(again.headers["cache-control"], "private, no-cache");
    }
    assert.equal((await get(url, '"other"')).status, 200);
    assert.equal((await p.admin.send({ method: "HEAD", url })).headers["etag"], etag);
  }
  const { etag = "" } = (await get(p.reports)).headers;
  await p.create("Another");
  const changed = await get(p.reports, etag);
  assert.deepEqual([changed.status, changed.body.length], [200, 2]);
});

test("the tag does not depend on the compression", async () => {
  for (let n = 0; n < 5; n++) await p.create();
  const { etag } = (await get(p.reports)).headers;
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
  const compressed = await t.app.inject({ url: p.reports, headers });
  assert.deepEqual([compressed.headers["content-encoding"], compressed.headers["etag"]], ["gzip", etag]);
});

test("a matching tag does not replace the check of access", async () => {
  const { etag = "" } = (await get(p.reports)).headers;
  const outsider = await p.member({ permissions: [] });
  const refused = await get(p.reports, etag, outsider.client);
  assert.equal(refused.status, 403);
  assert.deepEqual([refused.headers["cache-control"], refused.headers["etag"]], ["no-store", undefined]);
});

test("responses to changes, without a credential or with secrets are not stored", async () => {
  const created = await p.admin.post(p.reports, { title: "x", description: "y" });
  const mails = await get(`/api/workspaces/${p.workspaceId}/mails`);
  for (const answer of [created, mails, await t.http.get("/api/health"), await t.http.get("/api/setup")])
    assert.deepEqual([answer.headers["cache-control"], answer.headers["etag"]], ["no-store", undefined]);
});
