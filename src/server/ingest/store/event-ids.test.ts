import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { anEvent, hashOf } from "../../../../test/support/error-events.ts";
import { makeProjectToken, makeWorkspace, type TestUser } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../../test/support/test-app.ts";

let t: TestApp;
let second: TestApp;
let workspace: { id: number; admin: TestUser };
before(async () => {
  t = await openTestApp();
  second = await openAppOn(t.database.url);
  workspace = await makeWorkspace(t.db);
});
after(async () => {
  await second.close();
  await t.close();
});

test("the same event id counts once, with and without dashes, in upper and lower case", async () => {
  const { send, only } = await openProject(t, workspace);
  const event_id = randomUUID();
  for (const id of [event_id, event_id.replaceAll("-", ""), event_id.toUpperCase()])
    await send({ event_id: id, host: "web-1", user_hash: hashOf(1) });
  await send({ event_id: randomUUID(), host: "web-1" });
  const { occurrence_count, hosts } = await only();
  assert.deepEqual([occurrence_count, hosts], [2, [{ name: "web-1", count: 2 }]]);
});

test("ids that are sent many times at once to two processes count once each", async () => {
  const { id, sender, events, only } = await openProject(t, workspace);
  const other = second.http.as(await makeProjectToken(t.db, id, workspace.admin.id));
  const ids = Array.from({ length: 12 }, () => randomUUID());
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      (n % 2 ? sender : other).post(events, anEvent({ event_id: ids[n % 12], host: `web-${n % 12}` })),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  const { occurrence_count, hosts } = await only();
  assert.deepEqual(
    [occurrence_count, hosts.map(({ count }) => count)],
    [12, Array.from({ length: 10 }, () => 1)],
  );
});

test("a connection stays open when its batch contains a duplicate id", async () => {
  const { send } = await openProject(t, workspace);
  const event_id = randomUUID();
  let closed = 0;
  const count = () => void closed++;
  t.database.ingest.on("remove", count);
  for (let n = 0; n < 3; n++) await send({ event_id });
  t.database.ingest.off("remove", count);
  assert.equal(closed, 0);
});

test("an event id counts again in another project and after seven days", async () => {
  const [one, other] = [await openProject(t, workspace), await openProject(t, workspace)];
  const event_id = randomUUID();
  const age = (days: number) =>
    sql`update error_event_ids set received_at = now() - make_interval(days => ${days}) where project_id = ${one.id}`.execute(
      t.db,
    );
  await one.send({ event_id });
  await age(6);
  await one.send({ event_id });
  await other.send({ event_id });
  assert.equal((await one.only()).occurrence_count, 1);
  assert.equal((await other.only()).occurrence_count, 1);
  await age(8);
  for (const _ of [1, 2]) await one.send({ event_id });
  assert.equal((await one.only()).occurrence_count, 2);
});

test("events whose id is missing, zero or not a UUID are all counted", async () => {
  const { send, only } = await openProject(t, workspace);
  const ids = [undefined, null, "", 7, {}, "0".repeat(32), "z".repeat(32), "1234", `${randomUUID()}-`];
  for (const event_id of [...ids, ...ids]) await send({ event_id });
  assert.equal((await only()).occurrence_count, ids.length * 2);
});

test("a group's level is that of its latest event; an unknown level counts as error", async () => {
  const { admin, groups, send, only } = await openProject(t, workspace);
  for (const [level, expected] of [
    [undefined, "error"],
    ["fatal", "fatal"],
    ["debug", "debug"],
    ["panic", "error"],
    ["info", "info"],
    [3, "error"],
    ["warning", "warning"],
  ]) {
    await send({ level });
    assert.equal((await only()).level, expected);
  }
  assert.equal((await admin.get(groups)).body.data[0].level, "warning");
});
