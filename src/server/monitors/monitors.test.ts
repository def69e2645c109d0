import assert from "node:assert/strict";
import { test } from "node:test";
import { openMonitors } from "../../../test/support/monitors.ts";
import { fieldsOf, refusalOf } from "../../../test/support/client.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openMonitors(t, workspace);

const nightly = { type: "crontab", value: "0 2 * * *" };

test("a monitor is created with its defaults, read, changed and deleted", async () => {
  const { admin, url, create } = await open();
  const created = await create({ name: "Nightly backup (EU)", schedule: nightly });
  const { created_at: _created, updated_at: _updated, ping_url, ...rest } = created;
  assert.deepEqual(rest, {
    slug: "nightly-backup--eu-",
    name: "Nightly backup (EU)",
    schedule: nightly,
    timezone: "UTC",
    margin_minutes: 1,
    max_runtime_minutes: 30,
    failure_threshold: 1,
    recovery_threshold: 1,
    muted_until: null,
    environments: [],
  });
  assert.match(String(ping_url), /^http:\/\/localhost:3000\/ping\/[\w-]{22}$/);
  const monitor = `${url}/${created.slug}`;
  assert.deepEqual((await admin.get(monitor)).body, created);
  assert.deepEqual((await admin.get(url)).body, { data: [created], meta: { next_cursor: null } });
  const changes = {
    name: "Backup",
    schedule: { type: "interval", value: 2, unit: "hour" },
    timezone: "Europe/Berlin",
    margin_minutes: 0,
  };
  const changed = await admin.patch(monitor, changes);
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body, { ...created, ...changes, updated_at: changed.body.updated_at });
  assert.notEqual(changed.body.updated_at, created.updated_at);
  assert.equal((await admin.delete(monitor)).status, 204);
  assert.equal((await admin.get(monitor)).status, 404);
});

test("an invalid schedule, time zone or number names the field", async () => {
  const { admin, url } = await open();
  const fields = async (body: object) =>
    fieldsOf(await admin.post(url, { name: "Job", schedule: nightly, ...body }));
  assert.deepEqual(await fields({ schedule: { type: "crontab", value: "0 0 30 2 *" } }), ["schedule.value"]);
  assert.deepEqual(await fields({ schedule: { type: "interval", value: 0, unit: "day" } }), [
    "schedule.value",
  ]);
  assert.deepEqual(await fields({ timezone: "Mars/Olympus" }), ["timezone"]);
  assert.deepEqual(await fields({ slug: "Upper" }), ["slug"]);
  assert.deepEqual(
    await fields({
      margin_minutes: 10_081,
      max_runtime_minutes: 0,
      failure_threshold: 0,
      recovery_threshold: 1_001,
    }),
    ["failure_threshold", "margin_minutes", "max_runtime_minutes", "recovery_threshold"],
  );
});

test("a slug is unique in its project", async () => {
  const { create, admin, url } = await open();
  const { slug } = await create({ name: "Job" });
  assert.deepEqual(refusalOf(await admin.post(url, { name: "Job", slug, schedule: nightly })), [422, "slug"]);
  assert.equal((await (await open()).create({ name: "Job" })).slug, slug);
});

test("a new ping URL replaces the earlier one, and people who may only read see none", async () => {
  const { id, admin, url, create } = await open();
  const { slug, ping_url } = await create();
  const renewed = await admin.post(`${url}/${slug}/ping-url`);
  assert.equal(renewed.status, 200);
  assert.notEqual(renewed.body.ping_url, ping_url);
  assert.equal((await admin.get(`${url}/${slug}`)).body.ping_url, renewed.body.ping_url);
  const viewer = await makeMember(t.db, id, { role: { permissions: ["error-groups:read"] } });
  const reader = t.http.as(await makePersonalToken(t.db, viewer.id));
  assert.equal((await reader.get(`${url}/${slug}`)).body.ping_url, null);
});

test("a token that may only read sees no ping URL, because it could send check-ins there", async () => {
  const { url, create } = await open();
  const { slug } = await create();
  const reader = t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false }));
  assert.equal((await reader.get(`${url}/${slug}`)).body.ping_url, null);
});

test("muting needs a time in the future, and ends when asked", async () => {
  const { admin, url, create } = await open();
  const monitor = `${url}/${(await create()).slug}`;
  assert.deepEqual(refusalOf(await admin.post(`${monitor}/mute`, {})), [422, "until"]);
  const until = "2099-01-15T08:00:00.000000Z";
  assert.equal((await admin.post(`${monitor}/mute`, { until })).body.muted_until, until);
  assert.equal((await admin.delete(`${monitor}/mute`)).body.muted_until, null);
});

test("a schedule is previewed with its next five times", async () => {
  const { admin, url } = await open();
  const schedule = { type: "crontab", value: "30 7 1 jan *" };
  const { body } = await admin.post(`${url}/preview`, { schedule, timezone: "Asia/Kathmandu" });
  assert.equal(body.data.length, 5);
  for (const time of body.data) assert.match(time, /-01-01T01:45:00\.000000Z$/);
});

test("changes of monitors are in the audit log", async () => {
  const { admin, url, create } = await open();
  const { slug } = await create({ name: "Audited" });
  const monitor = `${url}/${slug}`;
  await admin.patch(monitor, { margin_minutes: 3 });
  await admin.post(`${monitor}/mute`, { until: "2099-01-15T08:00:00Z" });
  await admin.delete(`${monitor}/mute`);
  await admin.post(`${monitor}/ping-url`);
  await admin.delete(monitor);
  const rows = await t.db
    .selectFrom("audit_events")
    .select("kind")
    .where("subject_type", "=", "monitor")
    .where("subject_name", "=", slug)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["created", "changed", "muted", "unmuted", "ping_url_renewed", "deleted"].map(
      (what) => `monitor.${what}`,
    ),
  );
});
