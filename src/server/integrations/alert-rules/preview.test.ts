import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openAlerts } from "../../../../test/support/alert-rules.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

test("a preview lists the new errors of the last 7 days that meet the conditions, newest first", async () => {
  const { send, preview, groupIds } = await open();
  const other = { exception_class: "OtherError", stack_trace: "#0 /app/other.php(1): other()" };
  await send();
  await send(other);
  await send({ ...other, environment: "staging" });
  const [first, second, third] = (await groupIds()) as [number, number, number];
  await sql`update error_groups set first_seen_at = now() - interval '8 days' where id = ${first}`.execute(
    t.db,
  );
  const when = { kind: "new_group" };
  const all = await preview({ when });
  assert.deepEqual([all.count, all.approximate], [2, false]);
  assert.deepEqual(
    all.data.map(({ error_group }) => error_group?.id),
    [third, second],
  );
  const { data, count } = await preview({ when, if: { environment: "staging", class_pattern: "other*" } });
  assert.deepEqual([count, data[0]?.error_group?.exception_class], [1, "OtherError"]);
});

test("a preview of regressions and ended snoozes reads the history", async () => {
  const { admin, send, preview, groups, groupIds } = await open();
  await send({ release: "1.0" });
  const [id] = (await groupIds()) as [number];
  await admin.post(`${groups}/${id}/resolve`);
  await send({ release: "1.1" });
  await admin.post(`${groups}/${id}/ignore`, { until: { occurrences: 1 } });
  await send({ release: "1.1" });
  for (const kind of ["regression", "snooze_ended"]) {
    const { count, data } = await preview({ when: { kind } });
    assert.deepEqual([count, data[0]?.error_group?.id], [1, id], kind);
  }
});

test("a preview of events is approximate, and of users does not know the past", async () => {
  const { send, preview, groupIds } = await open();
  for (let n = 0; n < 3; n++) await send();
  const [id] = await groupIds();
  const events = await preview({ when: { kind: "group_events", count: 2, minutes: 10 } });
  assert.deepEqual([events.count, events.approximate, events.data[0]?.error_group?.id], [1, true, id]);
  assert.equal((await preview({ when: { kind: "group_events", count: 3, minutes: 10 } })).count, 0);
  const project = await preview({ when: { kind: "project_events", count: 2, minutes: 60 } });
  assert.deepEqual(
    [project.count, project.approximate, Object.keys(project.data[0] ?? {})],
    [1, true, ["at"]],
  );
  const spikes = await preview({ when: { kind: "spike" } });
  assert.deepEqual([spikes.count, spikes.approximate], [0, true]);
  const users = await preview({ when: { kind: "group_users", count: 1, minutes: 10 } });
  assert.deepEqual(users, { count: null, approximate: true, data: [] });
});

test("a preview of releases has those whose new errors exceeded the count", async () => {
  const { send, preview } = await open();
  const other = { exception_class: "OtherError", stack_trace: "#0 /app/other.php(1): other()" };
  await send({ release: "4.2.0" });
  await send({ release: "4.2.0", ...other });
  await send({ release: "4.3.0", ...other, environment: "staging" });
  const { count, data } = await preview({ when: { kind: "release_new_groups", count: 1 } });
  assert.deepEqual([count, data.map(({ release }) => release?.version)], [1, ["4.2.0"]]);
});

test("a preview of reports has new ones, and those that waited for too long", async () => {
  const { admin, preview, path, id } = await open();
  const post = async (title: string) => {
    await admin.post(`${path}/reports`, { title, description: "It fails." });
  };
  await post("Old");
  await sql`update reports set created_at = now() - interval '8 days' where project_id = ${id}`.execute(t.db);
  await post("New");
  const titles = async (when: object) => (await preview({ when })).data.map(({ report }) => report?.title);
  assert.deepEqual(await titles({ kind: "report_created" }), ["New"]);
  assert.deepEqual(await titles({ kind: "report_waiting", days: 3 }), ["Old"]);
  assert.deepEqual(await titles({ kind: "report_waiting", days: 30 }), []);
});

test("a preview requires the permission to read what the rule is about", async () => {
  const { id, url } = await open();
  const role = { permissions: ["project:update", "reports:read"] };
  const member = await makeMember(t.db, id, { role });
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const preview = (kind: string) => client.post(`${url}/preview`, { when: { kind } });
  assert.deepEqual(
    [(await preview("new_group")).status, (await preview("report_created")).status],
    [403, 200],
  );
});
