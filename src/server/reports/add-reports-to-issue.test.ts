import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import type { Report } from "../../shared/reports.ts";
import { fieldsOf } from "../../../test/support/client.ts";
import { collide } from "../../../test/support/collide.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
let issue: Issue;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
  issue = (await p.admin.post(`/api/projects/${p.id}/issues`, { title: "Known" })).body;
});

const link = (report_ids: unknown, to: unknown = issue.id, client = p.admin) =>
  client.post(`${p.reports}/link`, { report_ids, issue: to });

test("reports are promoted to an issue named by its id or key, and returned in the order of their ids in the request", async () => {
  const [a, b, c] = [await p.create("a"), await p.create("b"), await p.create("c")];
  const answer = await link([b.id, a.id]);
  assert.equal(answer.status, 200, answer.text);
  const promoted = answer.body as Report[];
  assert.deepEqual(
    promoted.map(({ id }) => id),
    [b.id, a.id],
  );
  for (const { promoted_issue_id, promoted_at } of promoted) {
    assert.equal(promoted_issue_id, issue.id);
    assert.match(String(promoted_at), /\.\d{6}Z$/);
  }
  assert.equal((await link([c.id], issue.key)).status, 200);
  const after = (await p.admin.get(`/api/projects/${p.id}/issues/${issue.id}`)).body;
  assert.deepEqual(after.report_ids, [a.id, b.id, c.id]);
  assert.ok(after.updated_at > issue.updated_at);
});

test("a report that cannot be promoted returns 422 on its index, and nothing changes", async () => {
  const foreign = await (await openReports(t)).create();
  const [good, promoted, dismissed] = [await p.create(), await p.create(), await p.create()];
  await link([promoted.id]);
  await p.admin.post(`${p.of(dismissed)}/dismiss`, { category: "invalid" });
  const before = await p.list();
  const answer = await link([good.id, promoted.id, dismissed.id, foreign.id]);
  assert.deepEqual(
    [answer.status, fieldsOf(answer)],
    [422, ["report_ids.1", "report_ids.2", "report_ids.3"]],
  );
  assert.deepEqual(await p.list(), before);
});

test("missing and malformed fields, and an unknown issue, return 422", async () => {
  const { id } = await p.create();
  const cases: [unknown, unknown, string[]][] = [
    [[], issue.id, ["report_ids"]],
    [[id, id], issue.id, ["report_ids"]],
    [id, issue.id, ["report_ids"]],
    [[id], null, ["issue"]],
    [[id], 999_999_999, ["issue"]],
    [[id], "NONE-1", ["issue"]],
  ];
  for (const [ids, to, fields] of cases) {
    const answer = await link(ids, to);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, fields]);
  }
  assert.equal((await p.admin.get(p.of({ id }))).body.promoted_at, null);
});

test("adding reports to an issue requires the permission to read issues", async () => {
  const { id } = await p.create();
  const triager = await p.member({ permissions: ["reports:read", "reports:update"] });
  const refused = await link([id], issue.id, triager.client);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /issues:read/);
});

test("if a promotion and an addition to an issue race for a report, one wins", async () => {
  const { id } = await p.create();
  const answers = await collide(
    t.database,
    `select from reports where id = ${id} for update`,
    async (waiting) => {
      const requests = [
        link([id]),
        p.admin.post(`${p.reports}/promote`, { report_ids: [id], title: "New", description: "New" }),
      ];
      await waiting(2);
      return requests;
    },
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
});
