import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { hashOf } from "../../../../test/support/error-events.ts";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { listGroups, mergeInto, readGroup, sendAs } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { collectRoutes } from "../../../../test/support/routes.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { MAX_MOVED } from "../../../shared/merge-limits.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { ListedEvent } from "../../../shared/kept-events.ts";
import { reopenRegressedIssues } from "../../work/issues/reopen-regressed.ts";

const [t, routes] = await collectRoutes(() => openTestApp());
after(() => t.close());
const workspace = await makeWorkspace(t.db);

/** A project with three groups of one event each: A, B and C, in this order. */
async function open() {
  const project = await openProject(t, workspace);
  const a = await sendAs(project, "A", { release: "1.0", host: "web-1", user_hash: hashOf(1) });
  const b = await sendAs(project, "B", { release: "1.1", host: "web-1", user_hash: hashOf(1) });
  const c = await sendAs(project, "C", { release: "1.0", host: "web-2", user_hash: hashOf(2) });
  const path = (group: { id: number }) => `${project.groups}/${group.id}`;
  const p = `/api/projects/${project.id}`;
  const post = async (url: string, body: object, status: number) => {
    const answer = await project.admin.post(url, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };
  return { project, a, b, c, path, p, post };
}

test("merging adds up the counts, and takes first fields from the first event and latest ones from the latest", async () => {
  const { project, a, b, c } = await open();
  await sendAs(project, "A", { release: "1.0", host: "web-1", user_hash: hashOf(3), message: "A again" });
  const before = await readGroup(project, a.id);
  const merged = await mergeInto(project, b.id, [a.id, c.id]);
  const { latest_message, latest_stack_trace, occurrence_count, affected_users, hosts, releases } = merged;
  assert.deepEqual(
    { latest_message, latest_stack_trace, occurrence_count, affected_users, hosts },
    {
      latest_message: "A again",
      latest_stack_trace: before.latest_stack_trace,
      occurrence_count: 4,
      affected_users: 3,
      hosts: [
        { name: "web-1", count: 3 },
        { name: "web-2", count: 1 },
      ],
    },
  );
  assert.deepEqual(
    releases.map(({ release, occurrence_count: count }) => [release, count]),
    [
      ["1.0", 3],
      ["1.1", 1],
    ],
  );
  assert.deepEqual(
    [merged.id, merged.exception_class, merged.first_seen_at, merged.release, merged.last_seen_at],
    [b.id, "B", a.first_seen_at, "1.0", before.last_seen_at],
  );
  assert.equal(merged.daily_counts.at(-1), 4);
  assert.deepEqual(
    (await listGroups(project)).map(({ id }) => id),
    [b.id],
  );
});

test("the counts of days are added day by day, and hosts that have expired are left out", async () => {
  const { project, b } = await open();
  const old = await makeErrorGroup(t.db, project, {
    last_seen: 3,
    first_seen: 20,
    occurrence_count: 7,
    days: { 3: 5, 10: 2 },
    hosts: { "web-1": [5, 3], gone: [2, 200] },
    releases: ["0.9"],
  });
  await sql`update error_groups set reopen_count = 2, status = 1, resolved_at = now() where id = ${old.id}`.execute(
    t.db,
  );
  const merged = await mergeInto(project, b.id, [old.id]);
  assert.deepEqual(
    [merged.daily_counts.at(-1), merged.daily_counts.at(-4), merged.daily_counts.at(-11)],
    [1, 5, 2],
  );
  assert.deepEqual([merged.occurrence_count, merged.reopen_count, merged.status], [8, 2, 0]);
  assert.deepEqual(merged.hosts, [{ name: "web-1", count: 6 }]);
  assert.equal(merged.latest_message, "B");
  const reverse = await makeErrorGroup(t.db, project, { last_seen: 2, days: { 2: 4 } });
  const into = await mergeInto(project, reverse.id, [b.id]);
  assert.deepEqual([into.daily_counts.at(-1), into.daily_counts.at(-3), into.daily_counts.at(-4)], [1, 4, 5]);
});

test("events of merged fingerprints are counted in the target, even if several fingerprints share a batch", async () => {
  const { project, a, b, c } = await open();
  await mergeInto(project, a.id, [b.id]);
  await mergeInto(project, c.id, [a.id]);
  const names = ["A", "B", "C", "B", "A"];
  await Promise.all(names.map((name) => sendAs(project, name, { user_hash: hashOf(9), host: "new" })));
  await sendAs(project, "B", { message: "B again" });
  const [group, ...others] = await listGroups(project);
  assert.deepEqual(others, []);
  const merged = await readGroup(project, c.id);
  assert.equal(group?.id, c.id);
  assert.deepEqual(
    [merged.occurrence_count, merged.latest_message, merged.exception_class, merged.affected_users],
    [9, "B again", "C", 3],
  );
  assert.equal(merged.hosts.find(({ name }) => name === "new")?.count, 5);
});

test("an event of a merged fingerprint regresses the resolved target", async () => {
  const { project, a, b, path, post } = await open();
  await mergeInto(project, a.id, [b.id]);
  await post(`${path(a)}/resolve`, {}, 200);
  await sendAs(project, "B", { release: "2.0" });
  const group = await readGroup(project, a.id);
  assert.deepEqual([group.status, group.reopen_count], [0, 1]);
});

test("a merged group's id returns 404 with merged_into on every route of a group, even after further merges", async () => {
  const { project, a, b, c } = await open();
  await mergeInto(project, b.id, [a.id]);
  await mergeInto(project, c.id, [b.id]);
  const ofGroups = routes.filter(
    ({ url, method }) => url.includes(":errorGroupId") && ![method].flat().includes("HEAD"),
  );
  assert.ok(ofGroups.length > 20);
  for (const { method, url } of ofGroups) {
    if (url.includes("attachments") && method === "POST") continue;
    const named = url.replace(":projectId", `${project.id}`).replace(":errorGroupId", `${a.id}`);
    const answer = await project.admin.send({
      method: [method].flat()[0] as string,
      url: named.replaceAll(/:\w+/g, "1"),
      ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
    });
    assert.deepEqual([answer.status, answer.body?.merged_into], [404, c.id], `${method as string} ${url}`);
  }
  const unknown = await project.admin.get(`${project.groups}/999999`);
  assert.deepEqual([unknown.status, Object.keys(unknown.body)], [404, ["message"]]);
});

test("kept events move and keep their ids, and those beyond the limit are dropped", async () => {
  const { project, a, b, path } = await open();
  const eventsOf = async (group: { id: number }) =>
    (await project.admin.get(`${path(group)}/events?limit=200`)).body.data as ListedEvent[];
  for (let n = 0; n < 3; n++)
    await sendAs(project, "B", { message: `B ${n}`, event_id: hashOf(n).slice(32) });
  const before = [...(await eventsOf(a)), ...(await eventsOf(b))].map(({ id }) => id);
  await mergeInto(project, a.id, [b.id]);
  const after = await eventsOf(a);
  assert.deepEqual(
    after.map(({ id }) => id),
    before.toSorted((x, y) => y - x),
  );
  assert.ok(after.every(({ error_group_id }) => error_group_id === a.id));
  const found = await project.admin.get(`/api/projects/${project.id}/events/${hashOf(1).slice(32)}`);
  assert.deepEqual(found.body.error_group_id, a.id);
  assert.ok(before.includes(found.body.id));

  const many: number[] = [];
  for (let n = 0; n < 12; n++) {
    const { id } = await makeErrorGroup(t.db, project);
    await sql`
      insert into error_events (id, group_id, received_at, reason, has_feedback, level, message, stack_trace, previous_exceptions)
      select nextval('error_events_id_seq'), ${id}, now(), 1, false, 'error', 'm', 't', '[]' from generate_series(1, 20)`.execute(
      t.db,
    );
    many.push(id);
  }
  const merged = await mergeInto(project, a.id, many);
  assert.deepEqual([merged.kept_events_count, merged.occurrence_count], [100, 17]);
  assert.ok((await eventsOf(a)).some(({ id }) => id === Math.min(...before)));
});

test("comments, history, watchers, reports and notifications move to the target", async () => {
  const { project, a, b, path, p, post } = await open();
  const ada = await makeMember(t.db, project.id);
  const asAda = t.http.as(await makePersonalToken(t.db, ada.id));
  await project.admin.patch(path(b), { assignee_id: ada.id });
  const root = await post(`${path(b)}/comments`, { content: "On B" }, 201);
  const reply = await asAda.post(`${path(b)}/comments`, { content: "A reply", parent_id: root.id });
  assert.equal(reply.status, 201, reply.text);
  const onA = await post(`${path(a)}/comments`, { content: "On A" }, 201);
  for (const [group, comment] of [
    [a, onA],
    [b, root],
  ])
    await post(`${path(group)}/comments/${comment.id}/pin`, {}, 200);
  await sendAs(project, "B", { event_id: "5".repeat(32) });
  const report = await post(
    `${p}/reports`,
    { title: "T", description: "D", error_event_id: "5".repeat(32) },
    201,
  );
  assert.deepEqual(report.error_group_ids, [b.id]);
  assert.equal((await mergeInto(project, a.id, [b.id])).assignee_id, null, "the target's assignee stays");

  const { rows: comments } = await sql<{ id: number; is_pinned: boolean; parent_id: number | null }>`
    select id, is_pinned, parent_id from comments where error_group_id = ${a.id} order by id`.execute(t.db);
  assert.deepEqual(
    comments.map(({ id, is_pinned, parent_id }) => [id, is_pinned, parent_id]),
    [
      [root.id, false, null],
      [reply.body.id, false, root.id],
      [onA.id, true, null],
    ],
  );
  assert.equal((await project.admin.get(`${path(a)}/comments`)).status, 200);
  assert.equal((await asAda.get(`${path(a)}/watch`)).body.watching, true);
  assert.deepEqual((await project.admin.get(`${p}/reports/${report.id}`)).body.error_group_ids, [a.id]);
  assert.deepEqual(
    ((await project.admin.get(`${path(a)}/reports`)).body as { id: number }[]).map(({ id }) => id),
    [report.id],
  );
  const inbox = (await asAda.get("/api/notifications?include=all")).body as { notifiable: { id: number } }[];
  assert.deepEqual([...new Set(inbox.map(({ notifiable }) => notifiable.id))], [a.id]);
  const { data: activity } = (await project.admin.get(`${path(a)}/activity`)).body as {
    data: ErrorGroupActivity[];
  };
  assert.ok(activity.some(({ kind }) => kind === "assigned"));
  const last = activity.at(-1);
  assert.deepEqual(
    [last?.kind, last?.from, last?.actor_id],
    ["merged", { error_group_id: b.id, exception_class: "B" }, workspace.admin.id],
  );
  const audited = (await project.admin.get(`/api/workspaces/${workspace.id}/audit-events?kind=error_group`))
    .body.data[0];
  assert.deepEqual(
    [audited.kind, audited.subject.id, audited.details.merged_ids],
    ["error_group.merged", a.id, [b.id]],
  );
});

test("the target takes over a linked issue, and a regression that waits for reopening it", async () => {
  const { project, a, b, c, path, p, post } = await open();
  await project.admin.patch(p, { lifecycle: { regression_reopens: true } });
  const linked = await post(`${path(b)}/promote`, {}, 200);
  await post(`${path(b)}/resolve`, {}, 200);
  const { data: lanes } = (await project.admin.get(`${p}/lanes`)).body;
  const done = lanes.find(({ kind }: { kind: string }) => kind === "done");
  await project.admin.patch(`${p}/issues/${linked.linked_issue_id}`, { lane_id: done.id });
  await sendAs(project, "B", { release: "9" });
  const merged = await mergeInto(project, a.id, [b.id]);
  assert.equal(merged.linked_issue_id, linked.linked_issue_id);
  await reopenRegressedIssues(t.db, new AbortController().signal);
  const issue = (await project.admin.get(`${p}/issues/${linked.linked_issue_id}`)).body;
  assert.deepEqual([issue.closed_at, issue.error_group_ids], [null, [a.id]]);

  const other = await post(`${path(c)}/promote`, {}, 200);
  const refused = await post(`${path(a)}/merge`, { error_group_ids: [c.id] }, 409);
  const { key } = (await project.admin.get(`${p}/issues/${other.linked_issue_id}`)).body;
  assert.deepEqual([refused.issue, refused.error_group_id], [{ id: other.linked_issue_id, key }, c.id]);
  assert.match(refused.message, new RegExp(key as string));
  assert.equal((await readGroup(project, c.id)).occurrence_count, 1);
});

test("groups of another environment or project, unknown ones, and the group itself are refused", async () => {
  const { project, a, path, post } = await open();
  const staging = await sendAs(project, "A", { environment: "staging" });
  const elsewhere = await sendAs(await openProject(t, workspace), "A");
  for (const error_group_ids of [[staging.id], [elsewhere.id], [999_999], [a.id], [], ["x"]]) {
    const refused = await post(`${path(a)}/merge`, { error_group_ids }, 422);
    assert.ok(Object.keys(refused.errors)[0]?.startsWith("error_group_ids"), JSON.stringify(refused));
  }
  const tooMany = Array.from({ length: 101 }, (_, n) => n + 1_000_000);
  await post(`${path(a)}/merge`, { error_group_ids: tooMany }, 422);
  assert.equal((await listGroups(project)).length, 4);
});

test("merging a group into the same target again changes nothing", async () => {
  const { project, a, b } = await open();
  const merged = await mergeInto(project, a.id, [b.id]);
  assert.deepEqual(await mergeInto(project, a.id, [b.id]), merged);
});

test("groups with too many users to be moved at once can only be the target of a merge", async () => {
  const { project, a, b, path } = await open();
  await sql`update error_group_counts set users = ${MAX_MOVED} where group_id = ${a.id}`.execute(t.db);
  const refused = await project.admin.post(`${path(b)}/merge`, { error_group_ids: [a.id] });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["error_group_ids"]]);
  assert.equal((await mergeInto(project, a.id, [b.id])).occurrence_count, 2);
});

test("every table that refers to error groups is known to the merge", async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid = 'error_groups'::regclass and conparentid = 0`.execute(t.db);
  assert.deepEqual(rows.map(({ table }) => table).toSorted(), [
    "alert_actions",
    "attachments",
    "comments",
    "emailed_alerts",
    "error_events",
    "error_group_activity",
    "error_group_aliases",
    "error_group_classes",
    "error_group_counts",
    "error_group_details",
    "error_group_hosts",
    "error_group_locations",
    "error_group_messages",
    "error_group_notices",
    "error_group_releases",
    "error_group_spikes",
    "error_group_tags",
    "error_group_terms",
    "error_group_undos",
    "error_group_users",
    "error_group_watchers",
    "git_links",
    "imported_objects",
    "issue_regressions",
    "merged_error_groups",
    "monitor_environments",
    "new_error_groups",
    "release_groups",
    "reports",
  ]);
});
