import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { furtherMessagesTo } from "../../../../test/support/inbox.ts";
import { makeMember, makeWorkspace, type TestUser } from "../../../../test/support/make.ts";
import { sendAs } from "../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { notifyOfErrors } from "../../integrations/alert-rules/notify-of-errors.ts";
import { findSpikes } from "./find-spikes.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A group that had so many events in ten minutes for a week, and whose watcher counts its spikes. */
async function open({ usual = 1, days = 30 } = {}) {
  const project = await openProject(t, workspace);
  const { id } = await project.first();
  const watcher = await makeMember(t.db, project.id);
  await t.db.insertInto("error_group_watchers").values({ group_id: id, user_id: watcher.id }).execute();
  await sql`
    update error_groups set span_count = 0, first_seen_at = now() - make_interval(days => ${days}),
      daily_counts = array[round(${usual} * extract(epoch from now() - date_trunc('day', now(), 'UTC')) / 600)::int] ||
        array_fill(${usual * 144}::int, array[89])
    where id = ${id}`.execute(t.db);
  const spikes = async () => {
    await Promise.all([findSpikes(t.db), findSpikes(t.db)]);
    await notifyOfErrors(t.db, { retentionDays: 90 });
    return (await furtherMessagesTo(t, watcher))
      .filter(([type]) => type === 16)
      .map(([, message]) => message);
  };
  return { project, id, watcher, spikes };
}

/** As if the group had so many events in the last ten minutes. */
const burst = (id: number, events: number) =>
  sql`
  update error_groups set last_seen_at = now(), last_seen_span = date_bin('10 minutes', now(), 'epoch'),
    daily_counts[1] = daily_counts[1] - span_count - previous_span_count + ${events}::int,
    span_count = ${events}::int, previous_span_count = 0
  where id = ${id}`.execute(t.db);

const setSpike = async (project: TestProject, spike: object) =>
  project.admin.patch(`/api/projects/${project.id}`, { spike });

test("events are counted in the current span of ten minutes and the one before it", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first();
  const read = async () => {
    const { rows } = await sql<{ span: string; span_count: number; previous_span_count: number }>`
      select extract(epoch from last_seen_span)::float8 as span, span_count, previous_span_count
      from error_groups where id = ${id}`.execute(t.db);
    return rows[0] as { span: string; span_count: number; previous_span_count: number };
  };
  await project.send();
  const { span_count, previous_span_count } = await read();
  assert.equal(span_count + previous_span_count, 2);
  for (const minutes of [10, 20]) {
    await sql`
      update error_groups set last_seen_at = last_seen_at - make_interval(mins => ${minutes}),
        last_seen_span = last_seen_span - make_interval(mins => ${minutes}) where id = ${id}`.execute(t.db);
    const before = await read();
    await project.send();
    const after = await read();
    const isNext = Number(after.span) - Number(before.span) === 600;
    assert.deepEqual([after.span_count, after.previous_span_count], [1, isNext ? before.span_count : 0]);
  }
});

test("a spike is at least 50 events in ten minutes", async () => {
  const { id, spikes } = await open();
  await burst(id, 49);
  assert.deepEqual(await spikes(), []);
  await burst(id, 50);
  assert.deepEqual(await spikes(), [
    "The error RuntimeException is spiking: 50 events in 10 minutes, usually 1",
  ]);
});

test("a spike is more than ten times the group's usual rate", async () => {
  const { id, spikes } = await open({ usual: 6 });
  await burst(id, 55);
  assert.deepEqual(await spikes(), []);
  await burst(id, 65);
  assert.equal((await spikes()).length, 1);
});

test("a project can have its own thresholds", async () => {
  const { project, id, spikes } = await open({ usual: 6 });
  const set = await setSpike(project, { times: 3 });
  assert.deepEqual([set.status, set.body.spike], [200, { events: 50, times: 3 }]);
  await burst(id, 30);
  assert.deepEqual(await spikes(), []);
  assert.deepEqual((await setSpike(project, { events: 20 })).body.spike, { events: 20, times: 3 });
  assert.equal((await spikes()).length, 1);
  for (const wrong of [{ events: 9 }, { events: 1.5 }, { times: 1 }, { times: "x" }])
    assert.equal((await setSpike(project, wrong)).status, 422, JSON.stringify(wrong));
});

test("people are notified of a spike once, and again only after the events have fallen below half of the threshold", async () => {
  const { id, spikes } = await open();
  for (const [events, count] of [
    [200, 1],
    [900, 1],
    [26, 1],
    [60, 1],
    [20, 1],
    [60, 2],
  ] as const) {
    await burst(id, events);
    assert.equal((await spikes()).length, count, `${events} events`);
  }
});

test("the events of the previous ten minutes count, those before do not", async () => {
  const { id, spikes } = await open();
  await burst(id, 60);
  const moveTo = (minutes: number) =>
    sql`update error_groups set last_seen_span = date_bin('10 minutes', now(), 'epoch') - make_interval(mins => ${minutes})
      where id = ${id}`.execute(t.db);
  await moveTo(20);
  assert.deepEqual(await spikes(), []);
  await moveTo(10);
  assert.equal((await spikes()).length, 1);
});

test("an ignored group and one that is younger than an hour have no spikes", async () => {
  const ignored = await open();
  await ignored.project.admin.post(`${ignored.project.groups}/${ignored.id}/ignore`);
  const young = await open({ days: 0 });
  for (const { id, spikes } of [ignored, young]) {
    await burst(id, 500);
    assert.deepEqual(await spikes(), []);
  }
});

test("a spike notifies the assignee, the watchers and the project's watchers who may read errors, each once", async () => {
  const { project, id, spikes, watcher } = await open();
  const [assignee, both] = [await makeMember(t.db, project.id), await makeMember(t.db, project.id)];
  const blind = await makeMember(t.db, project.id, { role: { permissions: ["reports:read"] } });
  for (const { id: user_id } of [both, blind, watcher])
    await t.db
      .insertInto("report_watchers")
      .values({ project_id: project.id, workspace_id: workspace.id, user_id })
      .execute();
  await project.admin.patch(`${project.groups}/${id}`, { assignee_id: assignee.id });
  await burst(id, 500);
  assert.equal((await spikes()).length, 1);
  for (const user of [assignee, both])
    assert.equal((await furtherMessagesTo(t, user)).filter(([type]) => type === 16).length, 1);
  assert.deepEqual(await furtherMessagesTo(t, blind), []);
});

test("the spikes of other groups are found during a merge, and those of its own groups after it", async () => {
  const [merged, other] = [await open(), await open()];
  const { project, id } = merged;
  const target = await sendAs(project, "Target");
  for (const group of [id, target.id, other.id]) await burst(group, 500);
  // The merge locks the group whose key is smaller, then waits for the other one.
  const lock = `select from error_groups where id in (${id}, ${target.id}) order by key desc limit 1 for update`;
  const [answer] = await collide(t.database, lock, async (waiting) => {
    const merging = project.admin.post(`${project.groups}/${target.id}/merge`, { error_group_ids: [id] });
    await waiting(1);
    await findSpikes(t.db);
    return [merging];
  });
  assert.equal(answer?.status, 200, answer?.text);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  const spikesOf = async (user: TestUser) =>
    (await furtherMessagesTo(t, user)).filter(([type]) => type === 16).length;
  assert.deepEqual([await spikesOf(other.watcher), await spikesOf(merged.watcher)], [1, 0]);
  assert.equal((await merged.spikes()).length, 1);
});
