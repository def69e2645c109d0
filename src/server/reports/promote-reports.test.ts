import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { fieldsOf } from "../../../test/support/client.ts";
import { collide } from "../../../test/support/collide.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import { makeMember, makeUser } from "../../../test/support/make.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { deleteExpired } from "../errors/retention/delete-expired.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const issue = { title: "Do it", description: "Now" };
const promote = (report_ids: unknown, more: object = {}) =>
  p.admin.post(`${p.reports}/promote`, { report_ids, ...issue, ...more });
const issues = (projectId = p.id) =>
  t.db.selectFrom("issues").selectAll().where("project_id", "=", projectId).orderBy("id").execute();

test("promoted reports are linked to one new issue and returned in the order of their ids in the request", async () => {
  const [a, b, c] = [await p.create("a"), await p.create("b"), await p.create("c")];
  const answer = await promote([c.id, a.id]);
  assert.equal(answer.status, 200);
  const [made, ...others] = await issues();
  assert.ok(made);
  assert.deepEqual(others, []);
  assert.deepEqual([made.title, made.description, made.created_by], ["Do it", "Now", p.adminUser.id]);
  assert.deepEqual([made.type, made.priority], [0, 2]);
  const before = new Map([a, c].map((report) => [report.id, report]));
  assert.deepEqual(
    answer.body.map((report: Report) => report.id),
    [c.id, a.id],
  );
  for (const { promoted_issue_id, promoted_at, updated_at, ...rest } of answer.body as Report[]) {
    assert.equal(promoted_issue_id, made.id);
    assert.match(String(promoted_at), /\.\d{6}Z$/);
    assert.equal(updated_at, promoted_at);
    const {
      promoted_issue_id: _,
      promoted_at: __,
      updated_at: ___,
      ...expected
    } = before.get(rest.id) as Report;
    // Both reports want the issue now.
    assert.deepEqual(rest, { ...expected, voices: 2 });
  }
  assert.deepEqual((await p.admin.get(p.of(b))).body, b);
});

test("the issue has every field that was sent", async () => {
  const lane = await t.db
    .selectFrom("lanes")
    .select("id")
    .where("project_id", "=", p.id)
    .where("position", "=", 1)
    .executeTakeFirstOrThrow();
  const assignee = await makeMember(t.db, p.id, { role: "Viewer" });
  const common = { project_id: p.id };
  const sprint = await t.db
    .insertInto("sprints")
    .values({ ...common, name: "One" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const epic = await t.db
    .insertInto("epics")
    .values({ ...common, title: "Big" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const label = await t.db
    .insertInto("labels")
    .values({ ...common, name: "bug", color: "#ff0000" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await promote([(await p.create()).id]);
  await promote([(await p.create()).id]);
  const [blocker, blocked] = await issues();
  const answer = await promote([(await p.create()).id], {
    lane_id: lane.id,
    priority: 0,
    type: 1,
    assignee_id: assignee.id,
    sprint_id: sprint.id,
    epic_id: epic.id,
    estimated_minutes: 90,
    blocked_by_ids: [blocker?.id],
    blocks_ids: [blocked?.id],
    label_ids: [label.id],
  });
  assert.equal(answer.status, 200, answer.text);
  const made = (await issues()).at(-1);
  assert.deepEqual(
    [
      made?.lane_id,
      made?.priority,
      made?.type,
      made?.assignee_id,
      made?.sprint_id,
      made?.epic_id,
      made?.estimated_minutes,
    ],
    [lane.id, 0, 1, assignee.id, sprint.id, epic.id, 90],
  );
  const blocks = await t.db
    .selectFrom("issue_blocks")
    .select(["blocker_id", "blocked_id"])
    .where("project_id", "=", p.id)
    .execute();
  assert.deepEqual(
    blocks.sort((x, y) => x.blocker_id - y.blocker_id),
    [
      { blocker_id: blocker?.id, blocked_id: made?.id },
      { blocker_id: made?.id, blocked_id: blocked?.id },
    ],
  );
  const labels = await t.db
    .selectFrom("issue_labels")
    .select(["issue_id", "label_id"])
    .where("project_id", "=", p.id)
    .execute();
  assert.deepEqual(labels, [{ issue_id: made?.id, label_id: label.id }]);
});

test("a report that cannot be promoted returns 422 on its index, and nothing changes", async () => {
  const other = await openReports(t);
  const foreign = await other.create();
  const [good, promoted, dismissed] = [await p.create(), await p.create(), await p.create()];
  await promote([promoted.id]);
  await p.admin.post(`${p.of(dismissed)}/dismiss`, { category: "invalid" });
  const before = await p.list();
  const answer = await promote([good.id, promoted.id, dismissed.id, foreign.id, 999_999]);
  assert.equal(answer.status, 422);
  assert.deepEqual(fieldsOf(answer), ["report_ids.1", "report_ids.2", "report_ids.3", "report_ids.4"]);
  assert.deepEqual(answer.body.errors["report_ids.3"], answer.body.errors["report_ids.4"]);
  assert.deepEqual(await p.list(), before);
  assert.deepEqual(await other.list(), [foreign]);
  assert.equal((await issues()).length, 1);
});

test("ids of another project are rejected in every field of the issue, and the report stays active", async () => {
  const other = await openReports(t);
  const report = await p.create();
  const foreignReport = await other.create();
  await other.admin.post(`${other.reports}/promote`, { report_ids: [foreignReport.id], ...issue });
  const [foreignIssue] = await issues(other.id);
  const foreignLane = await t.db
    .selectFrom("lanes")
    .select("id")
    .where("project_id", "=", other.id)
    .executeTakeFirstOrThrow();
  const stranger = await makeUser(t.db);
  const answer = await promote([report.id], {
    lane_id: foreignLane.id,
    assignee_id: stranger.id,
    sprint_id: 999_999,
    epic_id: 999_999,
    blocked_by_ids: [foreignIssue?.id],
    blocks_ids: [foreignIssue?.id],
    label_ids: [999_999],
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(fieldsOf(answer), [
    "assignee_id",
    "blocked_by_ids.0",
    "blocks_ids.0",
    "epic_id",
    "label_ids.0",
    "lane_id",
    "sprint_id",
  ]);
  assert.deepEqual(await p.list(), [report]);
  assert.deepEqual(await issues(), []);
});

test("missing and malformed fields return 422", async () => {
  const { id } = await p.create();
  const cases: [object, string[]][] = [
    [{}, ["description", "report_ids", "title"]],
    [{ report_ids: [], ...issue }, ["report_ids"]],
    [{ report_ids: [id, id], ...issue }, ["report_ids"]],
    [{ report_ids: [String(id)], ...issue }, ["report_ids.0"]],
    [{ report_ids: id, ...issue }, ["report_ids"]],
    [{ report_ids: [id], title: "x".repeat(256), description: "x".repeat(65_536) }, ["description", "title"]],
    [{ report_ids: [id], title: "x" }, ["description"]],
    [
      { report_ids: [id], ...issue, type: 2, priority: 5, estimated_minutes: -1 },
      ["estimated_minutes", "priority", "type"],
    ],
  ];
  for (const [body, fields] of cases) {
    const answer = await p.admin.post(`${p.reports}/promote`, body);
    assert.equal(answer.status, 422);
    assert.deepEqual(fieldsOf(answer), fields);
  }
  assert.deepEqual(await issues(), []);
});

test("if many promotions of a report race, one wins and creates the only issue", async () => {
  const [shared, ...own] = [await p.create(), await p.create(), await p.create(), await p.create()];
  const answers = await collide(
    t.database,
    `select from reports where id = ${shared.id} for update`,
    async (waiting) => {
      const requests = own.map((report) => promote([report.id, shared.id]));
      await waiting(own.length);
      return requests;
    },
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422, 422]);
  for (const answer of answers.filter((one) => one.status === 422))
    assert.deepEqual(fieldsOf(answer), ["report_ids.1"]);
  const [made, ...more] = await issues();
  assert.deepEqual(more, []);
  const promoted = await p.list("promoted");
  assert.equal(promoted.length, 2);
  for (const report of promoted) assert.equal(report.promoted_issue_id, made?.id);
});

test("an issue remains when its reports are deleted, and reports remain when their issue is deleted", async () => {
  const [a, b] = [await p.create(), await p.create()];
  await promote([a.id, b.id]);
  assert.equal((await p.admin.delete(p.of(a))).status, 204);
  assert.equal((await issues()).length, 1);
  await t.db.deleteFrom("issues").where("project_id", "=", p.id).execute();
  const [left] = await p.list("promoted");
  assert.equal(left?.id, b.id);
  assert.equal(left?.promoted_issue_id, null);
});

let sent = 0;

/** A new error of the project. */
async function makeError({ id, token, admin }: ReportProject): Promise<number> {
  const exception_class = `Error${++sent}`;
  await token.post(`/api/projects/${id}/error-events`, anEvent({ exception_class }));
  return (await admin.get(`/api/projects/${id}/error-groups?query=${exception_class}`)).body.data[0].id;
}

test("errors are linked to the issue together with the reports, and one that cannot be linked refuses all", async () => {
  const report = await p.create();
  const [first, second] = [await makeError(p), await makeError(p)];
  const elsewhere = await makeError(await openReports(t));
  const link = (ids: unknown, client = p.admin) =>
    client.post(`${p.reports}/promote`, { report_ids: [report.id], ...issue, error_group_ids: ids });
  for (const ids of [
    [first, elsewhere],
    [first, 999_999_999],
  ]) {
    const refused = await link(ids);
    assert.deepEqual([refused.status, fieldsOf(refused)], [422, ["error_group_ids.1"]]);
  }
  for (const ids of [first, [first, first], ["1"]]) assert.equal((await link(ids)).status, 422);
  const triager = await p.member({ permissions: ["reports:read", "reports:update", "issues:read"] });
  assert.equal((await link([first], triager.client)).status, 403);
  assert.deepEqual(await issues(), []);
  assert.equal((await link([first, second])).status, 200);
  const [made] = await issues();
  const group = (await p.admin.get(`/api/projects/${p.id}/error-groups/${first}`)).body;
  assert.equal(group.linked_issue_id, made?.id);
  const { body } = await p.admin.get(`/api/projects/${p.id}/issues/${made?.id}`);
  assert.deepEqual(body.error_group_ids.toSorted(), [first, second].toSorted());
  assert.equal(group.linked_at, body.created_at.replace("Z", "+00:00"));
  const other = await p.create();
  const again = await p.admin.post(`${p.reports}/promote`, {
    report_ids: [other.id],
    ...issue,
    error_group_ids: [first],
  });
  assert.deepEqual(again.body.errors, { "error_group_ids.0": ["is already linked to an issue"] });
  assert.equal((await link(null, triager.client)).status, 422, "the report is already promoted");
});

for (const alone of [true, false])
  test(`reports are promoted ${alone ? "alone" : "with their error"} while retention deletes it, without a deadlock`, async () => {
    const error = await makeError(p);
    const [a, b] = [await p.create(), await p.create()];
    const expired = t.db.updateTable("error_groups").set({ last_seen_at: "2020-01-01" });
    await expired.where("id", "=", error).execute();
    await t.db.updateTable("reports").set({ error_group_id: error }).where("project_id", "=", p.id).execute();
    const groups = () => t.db.selectFrom("error_groups").select("id").where("id", "=", error).execute();
    const [answer] = await collide(
      t.database,
      `select from reports where id = ${b.id} for update`,
      async (waiting) => {
        const promoting = promote([a.id, b.id], alone ? {} : { error_group_ids: [error] });
        await waiting(1);
        await deleteExpired(t.database.pool, 90, undefined);
        assert.equal((await groups()).length, 1, "left to the next run");
        return [promoting];
      },
    );
    assert.equal(answer?.status, 200);
    await deleteExpired(t.database.pool, 90, undefined);
    assert.equal((await groups()).length, 0);
    assert.equal((await p.list("promoted")).length, 2);
  });
