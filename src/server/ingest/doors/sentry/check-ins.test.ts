import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../../test/support/make.ts";
import { openMonitors, type TestMonitors } from "../../../../../test/support/monitors.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openMonitors(t, workspace);

const config = {
  schedule: { type: "crontab", value: "0 2 * * *" },
  checkin_margin: 5,
  max_runtime: 60,
  failure_issue_threshold: 2,
  recovery_threshold: 3,
  timezone: "Europe/Berlin",
};

/** Sends check-ins in one envelope. */
async function send({ id, key }: TestMonitors, ...checkIns: object[]) {
  const items = checkIns.flatMap((checkIn) => [
    JSON.stringify({ type: "check_in" }),
    JSON.stringify(checkIn),
  ]);
  const payload = ["{}", ...items].join("\n");
  const answer = await t.http.send({
    method: "POST",
    url: `/api/${id}/envelope/?sentry_key=${key}`,
    payload,
  });
  assert.equal(answer.status, 200, answer.text);
}

const discardedIn = async ({ id, admin }: TestMonitors): Promise<number> =>
  (await admin.get(`/api/projects/${id}/usage?days=1`)).body.data[0]?.discarded ?? 0;

const ID = "dc75a869e5c84f488963e5796ce9176d";

test("a check-in with the monitor's configuration creates it, and a later one changes it", async () => {
  const project = await open();
  const checkIn = { monitor_slug: "Nightly Backup!", status: "ok", monitor_config: config };
  await send(project, checkIn);
  const monitor = await project.read("nightly-backup-");
  const { schedule, timezone, margin_minutes, max_runtime_minutes, failure_threshold, recovery_threshold } =
    monitor;
  assert.deepEqual(
    { schedule, timezone, margin_minutes, max_runtime_minutes, failure_threshold, recovery_threshold },
    {
      schedule: config.schedule,
      timezone: "Europe/Berlin",
      margin_minutes: 5,
      max_runtime_minutes: 60,
      failure_threshold: 2,
      recovery_threshold: 3,
    },
  );
  const changed = { type: "interval", value: 2, unit: "hour" };
  await send(project, { ...checkIn, monitor_config: { schedule: changed, checkin_margin: 7 } });
  const after = await project.read("nightly-backup-");
  assert.deepEqual([after.schedule, after.margin_minutes], [changed, 7]);
  assert.equal((await project.checkIns("nightly-backup-")).length, 2);
});

test("fields that a configuration leaves out or gets wrong have defaults at first, and later stay as they are", async () => {
  const project = await open();
  const { schedule } = config;
  const wrong = { checkin_margin: -1, max_runtime: "60", timezone: "Mars/Olympus" };
  const checkIn = { monitor_slug: "job", status: "ok", monitor_config: { schedule, ...wrong } };
  await send(project, checkIn);
  const fieldsNow = async () => {
    const { timezone, margin_minutes, max_runtime_minutes, failure_threshold } = await project.read("job");
    return { timezone, margin_minutes, max_runtime_minutes, failure_threshold };
  };
  const defaults = { timezone: "UTC", margin_minutes: 1, max_runtime_minutes: 30, failure_threshold: 1 };
  assert.deepEqual(await fieldsNow(), defaults);
  const chosen = {
    timezone: "Europe/Paris",
    margin_minutes: 9,
    max_runtime_minutes: 45,
    failure_threshold: 4,
  };
  const changed = await project.admin.patch(`${project.url}/job`, chosen);
  assert.equal(changed.status, 200, changed.text);
  await send(project, checkIn);
  assert.deepEqual(await fieldsNow(), chosen);
});

test("environment and release of a check-in are stored without addresses", async () => {
  const project = await open();
  const { slug } = await project.create();
  const names = { environment: "review of ann@example.com", release: "build by ann@example.com" };
  await send(project, { monitor_slug: slug, status: "ok", ...names });
  const [checkIn] = await project.checkIns(slug);
  assert.doesNotMatch(JSON.stringify(checkIn), /ann@/);
  assert.match(String(checkIn?.environment), /^review of /);
});

test("the start and the end of a run are one check-in with release, duration and environment", async () => {
  const project = await open();
  const { slug } = await project.create();
  const run = { check_in_id: ID, monitor_slug: slug, environment: "staging", release: "4.2.1" };
  await send(project, { ...run, status: "in_progress" }, { ...run, status: "ok", duration: 12.5 });
  const [checkIn, ...more] = await project.checkIns(slug);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [checkIn?.check_in_id, checkIn?.status, checkIn?.duration, checkIn?.environment, checkIn?.release],
    [ID, "ok", 12.5, "staging", "4.2.1"],
  );
});

for (const check_in_id of [undefined, "0".repeat(32)])
  test(`an end with the id ${check_in_id} closes the latest running check-in`, async () => {
    const project = await open();
    const { slug } = await project.create();
    await send(project, { check_in_id: ID, monitor_slug: slug, status: "in_progress" });
    await send(project, { check_in_id, monitor_slug: slug, status: "error" });
    const [checkIn, ...more] = await project.checkIns(slug);
    assert.deepEqual([checkIn?.check_in_id, checkIn?.status, more], [ID, "error", []]);
  });

test("a repeated end of a run changes nothing", async () => {
  const project = await open();
  const { slug } = await project.create();
  const run = { check_in_id: ID, monitor_slug: slug };
  await send(project, { ...run, status: "ok" }, { ...run, status: "error" });
  assert.deepEqual(
    (await project.checkIns(slug)).map(({ status }) => status),
    ["ok"],
  );
});

test("check-ins that are invalid, of an unknown monitor or too many are discarded and counted", async () => {
  const project = await open();
  const { slug } = await project.create();
  const unusable = [
    { monitor_slug: "unknown", status: "ok" },
    { monitor_slug: slug, status: "late" },
    { monitor_slug: "", status: "ok" },
    { monitor_slug: "new", status: "ok", monitor_config: { schedule: { type: "crontab", value: "never" } } },
  ];
  await send(project, ...unusable);
  await send(project, ...Array.from({ length: 8 }, () => ({ monitor_slug: slug, status: "ok" })));
  assert.equal((await project.checkIns(slug)).length, 6);
  await eventually(() => discardedIn(project), unusable.length + 2);
  assert.equal((await project.admin.get(project.url)).body.data.length, 1);
});

test("a check-in that is not JSON is discarded, and the others of its envelope count", async () => {
  const project = await open();
  const { slug } = await project.create();
  const good = JSON.stringify({ monitor_slug: slug, status: "ok" });
  const lines = ["{}", '{"type":"check_in"}', "{broken", '{"type":"check_in"}', good];
  const url = `/api/${project.id}/envelope/?sentry_key=${project.key}`;
  const answer = await t.http.send({ method: "POST", url, payload: lines.join("\n") });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await project.checkIns(slug)).length, 1);
  await eventually(() => discardedIn(project), 1);
});

test("Sentry's cron URL takes a check-in from its query and from the body of a POST", async () => {
  const project = await open();
  const { slug } = await project.create();
  const { id, key } = project;
  const url = (name: string) => `/api/${id}/cron/${name}/${key}/`;
  const started = await t.http.get(`${url(slug)}?status=in_progress&check_in_id=${ID}&environment=dev`);
  assert.equal(started.status, 202);
  const ended = await t.http.get(`${url(slug)}?status=ok&check_in_id=${ID}&environment=dev&duration=3`);
  assert.equal(ended.status, 202);
  const [checkIn, ...more] = await project.checkIns(slug);
  assert.deepEqual([checkIn?.status, checkIn?.duration, checkIn?.environment, more], ["ok", 3, "dev", []]);
  const created = await t.http.post(url("from-body"), { status: "error", monitor_config: config });
  assert.equal(created.status, 202, created.text);
  assert.equal((await project.checkIns("from-body"))[0]?.status, "error");
});

test("the cron URL refuses another key, an unknown monitor and an unknown status", async () => {
  const project = await open();
  const { slug } = await project.create();
  const { id, key } = project;
  const status = async (path: string) => (await t.http.get(`/api/${id}/cron/${path}`)).status;
  assert.equal(await status(`${slug}/${"0".repeat(32)}/?status=ok`), 403);
  assert.equal(await status(`unknown/${key}/?status=ok`), 404);
  assert.equal(await status(`${slug}/${key}/?status=late`), 400);
  for (let n = 0; n < 6; n++) assert.equal(await status(`${slug}/${key}?status=ok`), 202);
  assert.equal(await status(`${slug}/${key}?status=ok`), 429);
});
