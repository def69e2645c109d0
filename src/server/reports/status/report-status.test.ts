import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openOutsideReports, type OutsideReport } from "../../../../test/support/outside-reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { DismissReason } from "../../../shared/reports.ts";

const t = await useTestApp();
const p = await openOutsideReports(t);
const project = `/api/projects/${p.id}`;

const progress = async (of: { api: string }) => {
  const { state, release, reason } = await p.status(of);
  return { state, release, reason };
};
const is = (state: string, release: string | null = null) => ({ state, release, reason: null });

async function dismiss({ path }: OutsideReport, category: DismissReason, duplicate_of?: object) {
  const body = { category, note: "Not for customers", ...(duplicate_of && { duplicate_of }) };
  const answer = await p.admin.post(`${path}/dismiss`, body);
  assert.equal(answer.status, 200, answer.text);
}

const deploy = async (version: string) =>
  assert.ok((await p.admin.post(`${project}/releases`, { version })).status < 300);

test("the link of a report shows what its author sent, and nothing else", async () => {
  const one = await p.send({}, [await png(30, 20), await png(20, 30)]);
  const added = await upload(p.admin, `${one.path}/attachments`, [
    { name: "file", filename: "internal.png", content: await png(10, 10) },
  ]);
  assert.equal(added.status, 201, added.text);
  const { status, body, headers } = await t.http.get(one.api);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    title: "The cart is empty",
    description: "After signing in.",
    created_at: one.report.created_at,
    project: { name: `Project ${p.key}` },
    ...is("received"),
    images: [{ url: `${one.api}/images/1` }, { url: `${one.api}/images/2` }],
    messages: [],
  });
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "no-referrer");
});

test("the images that were sent with a report can be downloaded, others cannot", async () => {
  const one = await p.send({}, [await png(30, 20)]);
  const image = await t.http.get(`${one.api}/images/1`);
  assert.deepEqual([image.status, image.headers["content-type"]], [200, "image/webp"]);
  for (const name of ["0", "2", "x", "1e0"])
    assert.equal((await t.http.get(`${one.api}/images/${name}`)).status, 404, name);
});

test("the state of a promoted report follows the lane of its issue", async () => {
  const one = await p.send();
  const issue = await p.promote(one.report);
  assert.deepEqual(await progress(one), is("planned"));
  await p.move(issue, "todo");
  assert.deepEqual(await progress(one), is("planned"));
  await p.move(issue, "doing");
  assert.deepEqual(await progress(one), is("in_progress"));
  await p.admin.delete(`${project}/issues/${issue}`);
  assert.deepEqual(await progress(one), is("received"));
});

test("a closed issue is done at once in a project without releases, otherwise with the first release after it", async () => {
  const one = await p.send();
  await p.move(await p.promote(one.report), "done");
  assert.deepEqual(await progress(one), is("done"));
  await deploy("4.12.0");
  assert.deepEqual(await progress(one), is("done", "4.12.0"));
  await deploy("4.13.0");
  assert.deepEqual(await progress(one), is("done", "4.12.0"));
  const later = await p.send();
  await p.move(await p.promote(later.report), "done");
  assert.deepEqual(await progress(later), is("in_progress"));
  await deploy("4.14.0");
  assert.deepEqual(await progress(later), is("done", "4.14.0"));
});

for (const [category, expected] of [
  ["already-shipped", is("done")],
  ["not-planned", { ...is("not_planned"), reason: "We do not plan to do this." }],
  ["invalid", { ...is("not_planned"), reason: "We could not find a problem that we can solve." }],
  ["duplicate", { ...is("not_planned"), reason: "This was reported before." }],
] as const)
  test(`a report that was dismissed as ${category} is ${expected.state}, without the team's note`, async () => {
    const one = await p.send();
    await dismiss(one, category);
    assert.deepEqual(await progress(one), expected);
    assert.doesNotMatch(JSON.stringify(await p.status(one)), /customers/);
  });

test("a duplicate has the state of the report at the end of its chain, with its own text", async () => {
  const [first, second, third] = [await p.send(), await p.send(), await p.send({ title: "Cart lost" })];
  await dismiss(third, "duplicate", { report_id: second.report.id });
  await dismiss(second, "duplicate", { report_id: first.report.id });
  assert.deepEqual(await progress(third), is("received"));
  const issue = await p.promote(first.report);
  await p.move(issue, "doing");
  assert.deepEqual(await progress(third), is("in_progress"));
  assert.equal((await p.status(third)).title, "Cart lost");
  await p.admin.delete(first.path);
  assert.equal((await progress(third)).state, "not_planned");
});

test("a duplicate of an issue has the state of that issue, and is not planned once it is deleted", async () => {
  const [one, other] = [await p.send(), await p.send()];
  const issue = await p.promote(other.report);
  await dismiss(one, "duplicate", { issue_id: issue });
  await p.move(issue, "doing");
  assert.deepEqual(await progress(one), is("in_progress"));
  await p.admin.delete(`${project}/issues/${issue}`);
  assert.equal((await progress(one)).state, "not_planned");
});

test("an unknown, malformed, revoked or deleted link is the same 404, as page and as JSON", async () => {
  const [revoked, deleted] = [await p.send(), await p.send()];
  await p.admin.delete(`${revoked.path}/status-link`);
  await p.admin.delete(deleted.path);
  const tokens = [
    revoked.token,
    deleted.token,
    "Zk3vR0w2bLr8mJx1cQ9tUA",
    `${revoked.token}A`,
    `${revoked.token}==`,
    "x",
    "%00",
    "%F0%9F%98%80",
  ];
  for (const prefix of ["/api/r/", "/r/"]) {
    const answers = await Promise.all(tokens.map((token) => t.http.get(prefix + token)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]), prefix);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, prefix);
  }
  const message = { content: "Hello" };
  assert.equal((await t.http.post(`${revoked.api}/messages`, message)).status, 404);
  assert.equal((await t.http.get(`${revoked.api}/images/1`)).status, 404);
});

test("a new link ends the earlier one, and brings back a revoked one as another", async () => {
  const one = await p.send();
  const link = `${one.path}/status-link`;
  const renewed = await p.admin.post(link);
  assert.equal(renewed.status, 201);
  assert.deepEqual((await p.admin.get(link)).body, renewed.body);
  assert.equal((await t.http.get(one.api)).status, 404);
  assert.equal((await t.http.get(`/api${new URL(renewed.body.url).pathname}`)).status, 200);
  assert.equal((await p.admin.delete(link)).status, 204);
  assert.equal((await p.admin.delete(link)).status, 204);
  assert.deepEqual((await p.admin.get(link)).body, { url: null });
  const again = await p.admin.post(link);
  assert.notEqual(again.body.url, renewed.body.url);
  const { data } = (await p.admin.get(`${one.path}/activity`)).body;
  const kinds = data.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ["created", "link_revoked", "link_revoked"]);
});

test("a report of somebody with an account has no link", async () => {
  const link = `${p.of(await p.create())}/status-link`;
  assert.deepEqual((await p.admin.get(link)).body, { url: null });
  assert.equal((await p.admin.post(link)).status, 422);
  assert.equal((await p.admin.delete(link)).status, 204);
});

test("a link does not lead to another report that later has the same id", async () => {
  const one = await p.send();
  await t.db
    .updateTable("reports")
    .set({ created_at: new Date(Date.parse(one.report.created_at) + 60_000).toISOString() })
    .where("id", "=", one.report.id)
    .execute();
  assert.equal((await t.http.get(one.api)).status, 404);
});

test("links work only while reports are turned on and the project exists", async () => {
  const other = await openOutsideReports(t);
  const one = await other.send();
  const turn = async (reports: boolean) => {
    const answer = await other.admin.patch(`/api/workspaces/${other.workspaceId}`, { features: { reports } });
    assert.equal(answer.status, 200, answer.text);
  };
  await turn(false);
  for (const url of [one.api, `${one.api}/images/1`]) {
    const answer = await t.http.get(url);
    assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
  }
  assert.equal((await t.http.post(`${one.api}/messages`, { content: "Hello" })).status, 403);
  await turn(true);
  assert.equal((await t.http.get(one.api)).status, 200);
  assert.ok((await other.admin.delete(`/api/projects/${other.id}`)).status < 300);
  assert.equal((await t.http.get(one.api)).status, 404);
});

test("after 60 unknown links in a minute, an address gets 429, while known ones still work", async () => {
  const one = await p.send();
  const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => t.http.get(`/api/r/x${n}`)));
  const last = answers.at(-1);
  assert.ok(answers.some(({ status }) => status === 404));
  assert.equal(last?.status, 429);
  assert.ok(Number(last.headers["retry-after"]) > 0);
  assert.equal((await t.http.get(one.api)).status, 200);
});
