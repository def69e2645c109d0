import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fieldsOf } from "../../../test/support/client.ts";
import { makeCookie, makeProject, makeProjectToken } from "../../../test/support/make.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { openTestApp, useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

test("a report has every field of the contract, and one created with a personal token belongs to its user", async () => {
  const answer = await p.admin.post(p.reports, {
    title: "Slow",
    description: "Very\nslow",
    author_name: "Jo",
  });
  assert.equal(answer.status, 201);
  const { id, created_at, updated_at, rank, ...rest } = answer.body;
  assert.ok(Number.isSafeInteger(id) && rank.length > 0);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.match(updated_at, /\.\d{6}Z$/);
  assert.deepEqual(rest, {
    title: "Slow",
    description: "Very\nslow",
    source: 0,
    author_name: "Jo",
    project_id: p.id,
    created_by: p.adminUser.id,
    promoted_issue_id: null,
    promoted_at: null,
    dismissed_at: null,
    dismiss_reason: null,
    dismiss_reason_note: null,
    attachments_count: 0,
    duplicate_of: null,
    earlier_dismissals: [],
    first_image_id: null,
    thumbnail_id: null,
    author_email: null,
    author_email_confirmed: false,
    kind: null,
    origin: null,
    error_event_id: null,
    error_group_ids: [],
    voices: 1,
    duplicate_report_ids: [],
    imported_from: null,
  });
  assert.deepEqual((await p.admin.get(`${p.reports}/${id}`)).body, answer.body);
  assert.deepEqual((await p.admin.get(p.reports)).body, [answer.body]);
});

test("a report created by session belongs to the user, one created by project token to nobody, with source 1", async () => {
  const browser = t.http.withCookie(await makeCookie(t.db, p.adminUser.id));
  const mine = await p.create("Mine", browser);
  assert.deepEqual([mine.source, mine.created_by], [0, p.adminUser.id]);
  const external = await p.create("Theirs", p.token);
  assert.deepEqual([external.source, external.created_by, external.author_name], [1, null, null]);
});

test("new reports go to the end of the queue, even if many are created concurrently", async () => {
  const first = await p.create();
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => p.create(`Report ${n}`, n % 2 ? p.token : p.admin)),
  );
  const list = await p.list();
  assert.equal(list[0]?.id, first.id);
  assert.deepEqual(
    list.map((report) => report.id).sort((a, b) => a - b),
    [first, ...made].map((report) => report.id).sort((a, b) => a - b),
  );
  assert.equal(new Set(list.map((report) => report.rank)).size, 21);
  const ranks = list.map((report) => Buffer.from(report.rank));
  assert.ok(ranks.every((rank, n) => n === 0 || Buffer.compare(ranks[n - 1] as Buffer, rank) < 0));
});

test("views filter the list and keep its order, and an unknown view returns 422", async () => {
  const [a, b, c, d] = [await p.create("a"), await p.create("b"), await p.create("c"), await p.create("d")];
  await p.admin.post(`${p.of(b)}/dismiss`, { category: "invalid" });
  await p.admin.post(`${p.reports}/promote`, { report_ids: [c.id], title: "Do it", description: "Now" });
  const idsOf = async (view?: string) => (await p.list(view)).map((report) => report.id);
  assert.deepEqual(await idsOf(), [a.id, b.id, c.id, d.id]);
  assert.deepEqual(await idsOf("active"), [a.id, d.id]);
  assert.deepEqual(await idsOf("promoted"), [c.id]);
  assert.deepEqual(await idsOf("dismissed"), [b.id]);
  for (const query of ["view=all", "view=", "view=active&view=promoted"])
    assert.deepEqual(fieldsOf(await p.admin.get(`${p.reports}?${query}`)), ["view"]);
});

test("the list can be limited to up to 200 ids, and keeps its order", async () => {
  const [a, b, c] = [await p.create("a"), await p.create("b"), await p.create("c")];
  const read = async (query: string) =>
    ((await p.admin.get(`${p.reports}?${query}`)).body as { id: number }[]).map(({ id }) => id);
  assert.deepEqual(await read(`ids=${c.id},${a.id},999999`), [a.id, c.id]);
  await p.admin.post(`${p.of(a)}/dismiss`, { category: "invalid" });
  assert.deepEqual(await read(`ids=${a.id},${b.id}&view=active`), [b.id]);
  const first = (length: number) => Array.from({ length }, (_, n) => n + 1).join();
  assert.equal((await p.admin.get(`${p.reports}?ids=${first(200)}`)).status, 200);
  for (const ids of ["x", "1,", "0", first(201)])
    assert.deepEqual(fieldsOf(await p.admin.get(`${p.reports}?ids=${ids}`)), ["ids"], ids);
});

test("missing, blank, overlong and invalid fields return 422 on their names, and nothing is stored", async () => {
  const cases: [object, string[]][] = [
    [{}, ["description", "title"]],
    [{ title: "", description: " \n" }, ["description", "title"]],
    [{ title: "x".repeat(256), description: "x".repeat(65_536) }, ["description", "title"]],
    [{ title: 5, description: null, author_name: [] }, ["author_name", "description", "title"]],
    [{ title: "two\nlines", description: "a\0b" }, ["description", "title"]],
    [{ title: "t", description: "d", author_name: "x".repeat(256) }, ["author_name"]],
  ];
  for (const [body, fields] of cases) {
    const answer = await p.admin.post(p.reports, body);
    assert.equal(answer.status, 422);
    assert.deepEqual(fieldsOf(answer), fields, JSON.stringify(body).slice(0, 80));
  }
  assert.deepEqual(await p.list(), []);
});

test("limits count characters, and a blank author counts as none", async () => {
  const answer = await p.admin.post(p.reports, {
    title: "😀".repeat(255),
    description: "😀".repeat(65_535),
    author_name: " ",
    unknown: { ignored: true },
    rank: "zzz",
    promoted_issue_id: 5,
  });
  assert.equal(answer.status, 201);
  assert.equal(answer.body.title, "😀".repeat(255));
  assert.equal(answer.body.author_name, null);
  assert.equal(answer.body.promoted_issue_id, null);
  assert.equal((await p.create("\ud800broken")).title, "\ufffdbroken");
});

test("every operation returns 404 for a report of another project", async () => {
  const other = await openReports(t);
  const foreign = await other.create();
  for (const id of [foreign.id, 999_999, "x", "0"]) {
    const url = `${p.reports}/${id}`;
    const answers = [
      await p.admin.get(url),
      await p.admin.delete(url),
      await p.admin.post(`${url}/dismiss`, { category: "wrong" }),
      await p.admin.get(`${url}/attachments`),
      await p.admin.get(`${url}/attachments/1/download`),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 404, url);
      assert.match(answer.body.message, /^There is no such (report|attachment)\.$/);
      assert.deepEqual(Object.keys(answer.body), ["message"]);
    }
  }
  assert.deepEqual(await other.list(), [foreign]);
});

test("deleting a report keeps the order of the others", async () => {
  const [a, b, c] = [await p.create("a"), await p.create("b"), await p.create("c")];
  assert.equal((await p.admin.delete(p.of(b))).status, 204);
  assert.equal((await p.admin.get(p.of(b))).status, 404);
  assert.equal((await p.admin.delete(p.of(b))).status, 404);
  assert.deepEqual(await p.list(), [a, c]);
});

test("a project with reports can be deleted", async () => {
  await p.create();
  assert.equal((await p.admin.delete(`/api/projects/${p.id}`)).status, 202);
  assert.equal((await p.admin.get(p.reports)).status, 404);
});

test("without the Reports feature every request returns that error before any other", async () => {
  const report = await p.create();
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: false })
    .where("id", "=", p.workspaceId)
    .execute();
  const malformed = { headers: { "content-type": "application/json" }, payload: "{" };
  const viewer = (await p.member("Viewer")).client;
  const answers = [
    await viewer.get(p.reports),
    await viewer.get(p.of(report)),
    await viewer.send({ method: "POST", url: p.reports, ...malformed }),
    await viewer.post(`${p.reports}/promote`, {}),
    await viewer.post(`${p.reports}/reorder`, {}),
    await viewer.post(`${p.of(report)}/dismiss`, {}),
    await viewer.delete(p.of(report)),
    await viewer.get(`${p.of(report)}/attachments`),
    await viewer.post(`${p.of(report)}/attachments`),
    await viewer.get(`${p.of(report)}/attachments/1/download`),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 403);
    assert.equal(answer.body.feature_restricted, true);
  }
});

test("a project token of another project has no access", async () => {
  const elsewhere = await makeProject(t.db, p.workspaceId);
  const token = t.http.as(await makeProjectToken(t.db, elsewhere.id, p.adminUser.id));
  assert.equal((await token.get(p.reports)).status, 403);
  assert.equal((await token.post(p.reports, { title: "x", description: "y" })).status, 403);
});

test("dismissals have their own rate limit", async () => {
  const limited = await openTestApp({ LIMIT_DISMISS: "2", LIMIT_API: "100" });
  try {
    const project = await openReports(limited);
    const reports = [await project.create(), await project.create(), await project.create()];
    const statuses: number[] = [];
    for (const report of reports) {
      const answer = await project.admin.post(`${project.of(report)}/dismiss`, { category: "duplicate" });
      assert.equal(String(answer.headers["x-ratelimit-limit"]), "2");
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
    const list = await project.admin.get(project.reports);
    assert.deepEqual([list.status, String(list.headers["x-ratelimit-limit"])], [200, "100"]);
    assert.equal(list.body[2].dismissed_at, null);
    const browser = limited.http.withCookie(await makeCookie(limited.db, project.adminUser.id));
    const dismissed = await browser.post(`${project.reports}/${reports[2]?.id}/dismiss`, {
      category: "duplicate",
    });
    assert.equal(String(dismissed.headers["x-ratelimit-limit"]), "2");
  } finally {
    await limited.close();
  }
});
