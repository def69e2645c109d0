import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openMonitors } from "../../../../test/support/monitors.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { CachedLookups } from "../../access/cached-lookup.ts";
import { openIntake } from "../../ingest/open-intake.ts";
import { RateLimiter } from "../../limits/rate-limit.ts";
import { UsageCounter } from "../../record/usage-counter.ts";
import { deleteOldCheckIns } from "./delete-old-check-ins.ts";
import { findDue } from "./find-due.ts";
import { performEffects } from "./perform-effects.ts";
import { openServerRun } from "./server-run.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const intake = openIntake({
  db: t.db,
  database: t.database,
  retentionDays: 90,
  limiter: new RateLimiter(t.database.pool),
  ingestLimit: 1_000_000,
  lookups: new CachedLookups(),
  usage: new UsageCounter(t.db),
  log: pino({ level: "silent" }),
});
after(() => intake.close());

const recordRun = openServerRun(t.db);

/** As if servers had run all the time, except after the given time until now. */
async function runSinceEver({ except }: { except?: Date } = {}) {
  await sql`delete from server_runs`.execute(t.db);
  if (!except) await recordRun();
  await sql`
    insert into server_runs (started_at, ran_at)
    values ('-infinity', coalesce(${except?.toISOString() ?? null}::timestamptz, clock_timestamp()))`.execute(
    t.db,
  );
}

beforeEach(() => runSinceEver());

/** What the jobs do. */
async function runJobs() {
  await findDue(t.db, recordRun);
  await performEffects(t.db, () => intake);
}

/** A monitor that is due daily, unless the body says otherwise, and what its project shows of it. */
async function open(body: object = {}) {
  const project = await openMonitors(t, workspace);
  const monitor = await project.create({
    name: "nightly-backup",
    schedule: { type: "crontab", value: "0 2 * * *" },
    timezone: "Asia/Kathmandu",
    ...body,
  });
  const groupsUrl = `/api/projects/${project.id}/error-groups`;
  const groups = async () => (await project.admin.get(groupsUrl)).body.data;
  return {
    ...project,
    monitor,
    groups,
    /** Its only error. */
    group: async () => {
      const [group, ...more] = await groups();
      assert.deepEqual(more, []);
      return (await project.admin.get(`${groupsUrl}/${group.id}`)).body;
    },
    activity: async (groupId: number) =>
      (await project.admin.get(`${groupsUrl}/${groupId}/activity`)).body.data,
    statuses: async () => (await project.checkIns(monitor.slug)).map(({ status }) => status),
    status: async () => (await project.read(monitor.slug)).environments[0]?.status,
    /** Sends check-ins as if a minute passed before each. */
    send: async (...suffixes: string[]) => {
      for (const suffix of suffixes) {
        assert.equal(await project.ping(monitor, suffix), 200);
        await forgetRecent(project.id);
      }
    },
  };
}

/** As if the limit of check-ins were not used. */
async function forgetRecent(projectId: number) {
  await sql`
    update monitor_environments set recent = '{}'
    where monitor_id in (select id from monitors where project_id = ${projectId})`.execute(t.db);
}

/** The environments of a project are due since this time, with the margin of their monitor. */
async function expectAt(projectId: number, dueAt: Date) {
  await sql`
    update monitor_environments e set next_due_at = ${dueAt.toISOString()}::timestamptz,
      missed_at = ${dueAt.toISOString()}::timestamptz + m.margin_minutes * interval '1 minute'
    from monitors m where m.id = e.monitor_id and m.project_id = ${projectId}`.execute(t.db);
}

/** Running check-ins of a project began so many minutes ago. */
async function startEarlier(projectId: number, minutes: number) {
  await sql`
    update monitor_check_ins c set started_at = c.started_at - ${minutes} * interval '1 minute',
      times_out_at = c.times_out_at - ${minutes} * interval '1 minute'
    from monitors m where m.id = c.monitor_id and m.project_id = ${projectId}`.execute(t.db);
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The latest time of the daily schedule that is more than 5 minutes ago: 2:00 in Kathmandu, where clocks are not changed. */
function lastNight(): Date {
  const day = 24 * 3_600_000;
  const offset = 20.25 * 3_600_000;
  return new Date(Math.floor((ago(6).getTime() - offset) / day) * day + offset);
}

test("a check-in that does not come within the margin is missed and creates an error", async () => {
  const { id, send, monitor, group, statuses, status, read, checkIns } = await open({ margin_minutes: 5 });
  await send("");
  await expectAt(id, lastNight());
  await runJobs();
  assert.deepEqual(await statuses(), ["missed", "ok"]);
  const { exception_class, latest_message, environment, id: groupId } = await group();
  assert.deepEqual(
    [exception_class, latest_message, environment],
    ["MonitorMissed", "nightly-backup: no check-in by 02:05 (due 02:00 Asia/Kathmandu)", "production"],
  );
  assert.equal(await status(), "missed");
  assert.equal((await read(monitor.slug)).environments[0]?.error_group_id, groupId);
  const [missed] = await checkIns(monitor.slug, "status=missed");
  assert.equal(Date.parse(String(missed?.due_at)), lastNight().getTime());
});

test("within the margin nothing is missed, and the check-in meets the expected time", async () => {
  const { id, send, statuses, monitor, checkIns, read } = await open({ margin_minutes: 10_080 });
  await send("");
  await expectAt(id, lastNight());
  await runJobs();
  assert.deepEqual(await statuses(), ["ok"]);
  await send("");
  const [latest] = await checkIns(monitor.slug);
  assert.equal(Date.parse(String(latest?.due_at)), lastNight().getTime());
  const next = Date.parse(String((await read(monitor.slug)).environments[0]?.next_due_at));
  assert.ok(next > lastNight().getTime() + 20 * 3_600_000);
});

test("a run that takes too long times out, and its late end still counts", async () => {
  const { id, send, group, statuses } = await open({ max_runtime_minutes: 10 });
  await send("/start");
  await startEarlier(id, 11);
  await runJobs();
  assert.deepEqual(await statuses(), ["timeout"]);
  const failed = await group();
  assert.equal(failed.exception_class, "MonitorTimeout");
  assert.match(
    failed.latest_message,
    /^nightly-backup: still running after 10 min \(started \d\d:\d\d Asia\/Kathmandu\)$/,
  );
  await send("");
  await runJobs();
  assert.deepEqual(await statuses(), ["ok"]);
  assert.equal((await group()).status, 1);
});

test("an error is created after the threshold of bad check-ins in a row, and counts the further ones", async () => {
  const { send, groups, group } = await open({ failure_threshold: 3 });
  await send("/fail", "/fail", "", "/fail", "/fail");
  await runJobs();
  assert.deepEqual(await groups(), []);
  await send("/fail");
  await runJobs();
  assert.equal((await group()).occurrence_count, 1);
  await send("/1", "/2");
  await runJobs();
  const { occurrence_count, exception_class } = await group();
  assert.deepEqual([occurrence_count, exception_class], [3, "MonitorFailed"]);
});

test("the error is resolved after the threshold of good check-ins in a row, and regresses at the next failure", async () => {
  const { send, group, activity } = await open({ recovery_threshold: 2 });
  await send("/fail", "", "/fail", "");
  await runJobs();
  assert.equal((await group()).status, 0);
  await send("");
  await runJobs();
  const resolved = await group();
  assert.equal(resolved.status, 1);
  const entries = await activity(resolved.id);
  const { kind, actor_id, from } = entries.at(-1);
  assert.deepEqual([kind, actor_id, from], ["resolved", null, { monitor: "nightly-backup" }]);
  await send("/fail");
  await runJobs();
  const regressed = await group();
  assert.deepEqual([regressed.id, regressed.status], [resolved.id, 0]);
  assert.notEqual(regressed.regressed_at, null);
});

test("a failure opens the error again even if it has the release in which it was resolved", async () => {
  const { id, key, group, monitor } = await open();
  const send = async (status: string) => {
    const payload = { monitor_slug: monitor.slug, status, release: "4.2.1" };
    const lines = ["{}", JSON.stringify({ type: "check_in" }), JSON.stringify(payload)].join("\n");
    const url = `/api/${id}/envelope/?sentry_key=${key}`;
    assert.equal((await t.http.send({ method: "POST", url, payload: lines })).status, 200);
    await runJobs();
    return (await group()).status;
  };
  assert.equal(await send("error"), 0);
  assert.equal(await send("ok"), 1);
  assert.equal(await send("error"), 0);
});

test("failures of two environments are two errors", async () => {
  const { send, groups } = await open();
  await send("/fail?environment=staging", "/fail?environment=production");
  await runJobs();
  assert.deepEqual((await groups()).map(({ environment }: { environment: string }) => environment).sort(), [
    "production",
    "staging",
  ]);
});

test("a muted monitor records bad check-ins without an error", async () => {
  const { admin, url, monitor, send, groups, statuses, status } = await open();
  await admin.post(`${url}/${monitor.slug}/mute`, { until: "2099-01-15T08:00:00Z" });
  await send("/fail");
  await runJobs();
  assert.deepEqual([await statuses(), await groups(), await status()], [["error"], [], "muted"]);
  await admin.delete(`${url}/${monitor.slug}/mute`);
  await send("/fail");
  await runJobs();
  assert.equal((await groups()).length, 1);
});

test("expected times at which no server ran are unknown, each recorded once, and create no error", async () => {
  const { id, send, statuses, groups, monitor, checkIns, read } = await open({
    schedule: { type: "interval", value: 10, unit: "minute" },
  });
  await runJobs();
  await send("");
  const due = ago(45);
  await expectAt(id, due);
  await runSinceEver({ except: ago(50) });
  await Promise.all([findDue(t.db, recordRun), findDue(t.db, openServerRun(t.db))]);
  await runJobs();
  assert.deepEqual(await statuses(), ["unknown", "unknown", "unknown", "unknown", "unknown", "ok"]);
  assert.deepEqual(
    (await checkIns(monitor.slug, "status=unknown")).map(({ due_at }) => Date.parse(String(due_at))),
    [40, 30, 20, 10, 0].map((minutes) => due.getTime() + minutes * 60_000),
  );
  assert.deepEqual(await groups(), []);
  const next = Date.parse(String((await read(monitor.slug)).environments[0]?.next_due_at));
  assert.equal(next, due.getTime() + 50 * 60_000);
});

test("an expected time within a restart of a few seconds is unknown", async () => {
  const { id, send, statuses, groups } = await open({ margin_minutes: 0 });
  await runJobs();
  await send("");
  const due = ago(0.05);
  await expectAt(id, due);
  await runSinceEver({ except: new Date(due.getTime() - 3_000) });
  await findDue(t.db, openServerRun(t.db));
  assert.deepEqual([await statuses(), await groups()], [["unknown", "ok"], []]);
});

test("an expected time at which another server ran is missed", async () => {
  const { id, send, statuses } = await open({ margin_minutes: 0 });
  await runJobs();
  await send("");
  await expectAt(id, ago(5));
  await findDue(t.db, openServerRun(t.db));
  assert.deepEqual(await statuses(), ["missed", "ok"]);
});

test("a run that does not end is a timeout although the server restarted meanwhile", async () => {
  const { id, send, statuses } = await open({ max_runtime_minutes: 10 });
  await runJobs();
  await send("/start");
  await startEarlier(id, 30);
  const stopped = ago(25);
  const started = new Date(stopped.getTime() + 10_000);
  await runSinceEver({ except: stopped });
  await sql`
    insert into server_runs (started_at, ran_at) values (${started.toISOString()}, clock_timestamp())`.execute(
    t.db,
  );
  await runJobs();
  assert.deepEqual(await statuses(), ["timeout"]);
});

test("a run whose end may have been lost while no server ran is unknown", async () => {
  const { id, send, statuses, groups } = await open({ max_runtime_minutes: 10 });
  await runJobs();
  await send("/start");
  await startEarlier(id, 30);
  await runSinceEver({ except: ago(25) });
  await runJobs();
  assert.deepEqual([await statuses(), await groups()], [["unknown"], []]);
});

test("several processes that find the same due times record and count each of them once", async () => {
  const { id, send, statuses, group } = await open({
    schedule: { type: "interval", value: 1, unit: "minute" },
  });
  await runJobs();
  await send("");
  await expectAt(id, ago(10));
  await Promise.all(Array.from({ length: 6 }, () => runJobs()));
  await runJobs();
  const found = await statuses();
  assert.equal(new Set(found.slice(0, -1)).size, 1);
  const { occurrence_count } = await group();
  assert.equal(occurrence_count, found.length - 1);
  assert.ok(found.length - 1 >= 9 && found.length - 1 <= 12, `${found.length}`);
});

test("a deleted monitor leaves its error", async () => {
  const { admin, url, monitor, send, groups } = await open();
  await send("/fail");
  await runJobs();
  assert.equal((await admin.delete(`${url}/${monitor.slug}`)).status, 204);
  assert.equal((await groups()).length, 1);
});

test("check-ins are deleted after 90 days", async () => {
  const { id, send, statuses } = await open();
  await send("", "");
  await sql`
    update monitor_check_ins set started_at = now() - interval '91 days'
    where id = (select min(c.id) from monitor_check_ins c join monitors m on m.id = c.monitor_id where m.project_id = ${id})`.execute(
    t.db,
  );
  assert.equal(await deleteOldCheckIns(t.db), 1);
  assert.equal((await statuses()).length, 1);
});
