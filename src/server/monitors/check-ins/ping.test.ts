import assert from "node:assert/strict";
import { test } from "node:test";
import { openMonitors } from "../../../../test/support/monitors.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { CheckIn, Monitor } from "../../../shared/monitors.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openMonitors(t, workspace);

const outlineOf = ({ status, duration, text, finished_at }: CheckIn) => ({
  status,
  hasDuration: duration !== null,
  hasEnded: finished_at !== null,
  text,
});

test("a ping is a success, and the next one is expected at the next time of the schedule", async () => {
  const { create, ping, checkIns, read } = await open();
  const monitor = await create({ schedule: { type: "crontab", value: "0 0 1 1 *" } });
  assert.equal(await ping(monitor), 200);
  const { slug } = monitor;
  const [checkIn, ...more] = await checkIns(slug);
  assert.equal(more.length, 0);
  assert.deepEqual([checkIn?.status, checkIn?.environment, checkIn?.due_at], ["ok", "production", null]);
  const [environment] = (await read(slug)).environments;
  assert.equal(environment?.status, "ok");
  assert.match(String(environment?.next_due_at), /-01-01T00:00:00\.000000Z$/);
});

for (const [suffix, status] of [
  ["", "ok"],
  ["/0", "ok"],
  ["/start", "in_progress"],
  ["/fail", "error"],
  ["/7", "error"],
  ["/137", "error"],
] as const)
  test(`the ping URL followed by "${suffix}" records ${status}, by GET, POST and HEAD`, async () => {
    const { create, checkIns } = await open();
    const monitor = await create();
    const url = new URL(String(monitor.ping_url)).pathname + suffix;
    for (const method of ["GET", "POST", "HEAD"]) {
      const answer = await t.http.send({ method, url: `${url}?environment=${method}` });
      assert.deepEqual([answer.status, answer.text], [200, method === "HEAD" ? "" : "OK"]);
      const [checkIn] = await checkIns(monitor.slug, `environment=${method}`);
      assert.equal(checkIn?.status, status);
    }
  });

test("the end of a run closes its start and has its duration", async () => {
  const { create, ping, checkIns } = await open();
  const monitor = await create();
  assert.equal(await ping(monitor, "/start"), 200);
  assert.equal(await ping(monitor, "/fail"), 200);
  assert.deepEqual((await checkIns(monitor.slug)).map(outlineOf), [
    { status: "error", hasDuration: true, hasEnded: true, text: null },
  ]);
});

test("runs with ids of their own may overlap", async () => {
  const { create, ping, checkIns } = await open();
  const monitor = await create();
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  await ping(monitor, `/start?rid=${one}`);
  await ping(monitor, `/start?rid=${two}`);
  await ping(monitor, `?rid=${one}`);
  const statuses = (await checkIns(monitor.slug)).map(({ check_in_id, status }) => [check_in_id, status]);
  assert.deepEqual(statuses, [
    [two.replaceAll("-", ""), "in_progress"],
    [one.replaceAll("-", ""), "ok"],
  ]);
});

test("the first 10 KB of the body are kept without personal data", async () => {
  const { create, ping, checkIns } = await open();
  const monitor = await create();
  await ping(monitor, "", "Sent to kim@example.com\nDone");
  const [first] = await checkIns(monitor.slug);
  assert.equal(first?.text, "Sent to [removed: email]\nDone");
  await ping(monitor, "", "x".repeat(9_000) + " y".repeat(5_000));
  const [long] = await checkIns(monitor.slug);
  assert.ok(Number(long?.text?.length) <= 10_240 && Number(long?.text?.length) > 10_200);
});

test("a job may send a log of up to 20 MiB", async () => {
  const { create, ping, checkIns } = await open();
  const monitor = await create();
  assert.equal(await ping(monitor, "", "line\n".repeat(4_000_000)), 200);
  assert.equal(await ping(monitor, "", "x".repeat(20 * 1_048_576 + 1)), 413);
  assert.equal((await checkIns(monitor.slug)).length, 1);
});

test("the seventh check-in of an environment within a minute is 429, except the end of a run", async () => {
  const { create, ping, checkIns } = await open();
  const monitor = await create();
  for (let n = 0; n < 5; n++) assert.equal(await ping(monitor), 200);
  assert.equal(await ping(monitor, "/start"), 200);
  assert.equal(await ping(monitor), 200);
  assert.equal(await ping(monitor), 429);
  assert.equal(await ping(monitor, "/start"), 429);
  assert.equal(await ping(monitor, "?environment=staging"), 200);
  assert.equal((await checkIns(monitor.slug)).length, 7);
});

test("a replaced ping URL, one of a deleted monitor and a made-up one are 404", async () => {
  const { admin, url, create, ping } = await open();
  const monitor = await create();
  const renewed: Monitor = (await admin.post(`${url}/${monitor.slug}/ping-url`)).body;
  assert.equal(await ping(monitor), 404);
  assert.equal(await ping(renewed, "/done"), 404);
  assert.equal(await ping(renewed), 200);
  await admin.delete(`${url}/${monitor.slug}`);
  assert.equal(await ping(renewed), 404);
  assert.equal((await t.http.get(`/ping/${"A".repeat(22)}`)).status, 404);
});

test("a monitor has at most 100 environments", async () => {
  const { create, ping, read } = await open();
  const monitor = await create();
  for (let n = 0; n < 100; n++) assert.equal(await ping(monitor, `?environment=e${n}`), 200);
  assert.equal(await ping(monitor, "?environment=another"), 429);
  assert.equal((await read(monitor.slug)).environments.length, 100);
});

test("concurrent check-ins of many monitors are all recorded", async () => {
  const { create, ping, checkIns } = await open();
  const monitors = await Promise.all(Array.from({ length: 8 }, (_, n) => create({ name: `Job ${n}` })));
  const statuses = await Promise.all(
    Array.from({ length: 48 }, (_, n) => ping(monitors[n % 8] as Monitor, n % 3 === 0 ? "/fail" : "")),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
  for (const { slug } of monitors) assert.equal((await checkIns(slug)).length, 6);
});
