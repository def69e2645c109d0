import assert from "node:assert/strict";
import { test } from "node:test";
import { setInterval } from "node:timers/promises";
import { sql } from "kysely";
import { listeningLog } from "../../../test/support/listening-log.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { backoffSeconds, dailyAt, everyFiveMinutes, hourlyAt, type Job, type ScheduledJob } from "./job.ts";
import { takeLease, type Lease, type LeaseTimes } from "./lease.ts";
import { runJobs } from "./run-jobs.ts";
import { recordFailure, recordSuccess, registerScheduledJob } from "./scheduled-job.ts";

const t = await useTestApp();

const MINUTE_MS = 60_000;
let jobs = 0;

/** A daily job that has just become due. */
async function dueJob(overrides: Partial<ScheduledJob> = {}): Promise<ScheduledJob> {
  const job = { name: `job-${++jobs}`, schedule: dailyAt(3, 17), work: async () => {}, ...overrides };
  await registerScheduledJob(t.database.pool, job);
  await setRow(job, { due_at: sql`clock_timestamp()` });
  return job;
}

const nightlyJob = (name: string, atStart = false): ScheduledJob => ({
  name,
  schedule: dailyAt(3, 17),
  atStart,
  work: async () => {},
});

const setRow = ({ name }: Job, columns: Record<string, unknown>) =>
  t.db.updateTable("background_jobs").set(columns).where("name", "=", name).execute();

const rowOf = ({ name }: Job) =>
  t.db
    .selectFrom("background_jobs")
    .selectAll()
    .select(sql<number>`extract(epoch from due_at - finished_at)::float8`.as("due_after"))
    .select(sql<number>`extract(epoch from due_at - clock_timestamp())::float8`.as("due_in"))
    .select(sql<string>`due_at::time::text`.as("due_time"))
    .where("name", "=", name)
    .executeTakeFirstOrThrow();

async function take(job: ScheduledJob, leaseMs = MINUTE_MS): Promise<Lease> {
  const { lease } = await takeLease(t.database.pool, job, leaseMs);
  assert.ok(lease, `${job.name} cannot be taken`);
  return lease;
}

/** A process that runs the jobs. */
function start(list: Job[], times?: LeaseTimes) {
  const { log, line, lines } = listeningLog();
  const running = runJobs(list, { pool: t.database.pool, db: t.db, log, ...(times && { times }) });
  const messages = () => lines.map((text) => JSON.parse(text)).map(({ level, msg }) => [level, msg]);
  return { stop: running.stop, line, messages };
}

/** Work that begins, and ends when the test says so. */
function heldWork() {
  const begun = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<void>();
  const work = (signal: AbortSignal) => {
    begun.resolve(signal);
    return end.promise;
  };
  return { work, begun: begun.promise, end };
}

test("only one process gets the lease of a job that is due", async () => {
  const job = await dueJob();
  const taken = await Promise.all(
    Array.from({ length: 5 }, () => takeLease(t.database.pool, job, MINUTE_MS)),
  );
  assert.equal(taken.filter(({ lease }) => lease !== undefined).length, 1);
  for (const { lease, waitMs } of taken)
    if (!lease) assert.ok(waitMs > 0 && waitMs <= MINUTE_MS, `${waitMs} ms`);
});

test("two processes run each due job once", async () => {
  const runs: string[] = [];
  const all = Promise.withResolvers<void>();
  const list = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const job = await dueJob();
      job.work = async () => {
        if (runs.push(job.name) === 10) all.resolve();
      };
      return job;
    }),
  );
  const processes = [start(list), start(list)];
  await all.promise;
  await Promise.all(processes.map((one) => one.stop()));
  assert.deepEqual(runs.sort(), list.map(({ name }) => name).sort());
  for (const { messages } of processes) assert.deepEqual(messages(), []);
});

test("a job is taken over once the lease of a killed process has expired", async () => {
  const { work, begun, end } = heldWork();
  const job = await dueJob({ work });
  await take(job, 100);
  const { stop } = start([job]);
  await begun;
  end.resolve();
  await stop();
  assert.equal((await rowOf(job)).lease_id, null);
});

test("if the clock is set back by two days, the lease of a killed process still expires within its time", async () => {
  const job = await dueJob();
  await take(job);
  await setRow(job, { leased_until: sql`leased_until + interval '2 days'` });
  const other = await takeLease(t.database.pool, job, MINUTE_MS);
  assert.equal(other.lease, undefined, "its process may still be running");
  const { left } = await t.db
    .selectFrom("background_jobs")
    .select(sql<number>`extract(epoch from leased_until - clock_timestamp())::float8`.as("left"))
    .where("name", "=", job.name)
    .executeTakeFirstOrThrow();
  assert.ok(left > 0 && left <= 60, `${left} s`);
  await setRow(job, { leased_until: sql`leased_until - interval '1 minute'` });
  await take(job);
});

test("a process that comes back after its lease has expired records nothing", async () => {
  const job = await dueJob();
  const late = await take(job, 0);
  const current = await take(job);
  await recordSuccess(t.database.pool, job, late, 1);
  await recordFailure(t.database.pool, job, { lease: late, seconds: 1, error: new Error("late") });
  const { lease_id, finished_at, failures } = await rowOf(job);
  assert.deepEqual([lease_id, finished_at, failures], [current.id, null, 0]);
});

test("the lease is renewed while the work runs", async () => {
  const { work, begun, end } = heldWork();
  const job = await dueJob({ work });
  const { stop } = start([job], { leaseMs: MINUTE_MS, renewMs: 5 });
  await begun;
  const { leased_until: first } = await rowOf(job);
  for await (const _ of setInterval(5)) if ((await rowOf(job)).leased_until !== first) break;
  end.resolve();
  await stop();
});

test("work is aborted when another process has taken the lease", async () => {
  const { work, begun, end } = heldWork();
  const job = await dueJob({ work });
  const { stop, line } = start([job], { leaseMs: MINUTE_MS, renewMs: 5 });
  const signal = await begun;
  const lost = new Promise((resolve) => signal.addEventListener("abort", resolve));
  const other = crypto.randomUUID();
  await setRow(job, { lease_id: other });
  await lost;
  end.reject(signal.reason);
  assert.match(await line("a background job failed"), /lease was lost/);
  await stop();
  const { lease_id, finished_at } = await rowOf(job);
  assert.deepEqual([lease_id, finished_at], [other, null]);
});

test("failures are counted and retried later each time, until a success", async () => {
  const job = await dueJob();
  for (const [failures, backoff] of [
    [1, 2],
    [2, 4],
    [3, 8],
  ]) {
    await recordFailure(t.database.pool, job, {
      lease: await take(job),
      seconds: 0.5,
      error: new Error(`failure ${failures}`),
    });
    const row = await rowOf(job);
    assert.deepEqual([row.failures, row.last_error, row.seconds], [failures, `failure ${failures}`, 0.5]);
    assert.equal(Math.round(row.due_after), backoff);
    assert.deepEqual([row.lease_id, row.succeeded_at], [null, null]);
    await setRow(job, { due_at: sql`clock_timestamp()` });
  }
  await recordSuccess(t.database.pool, job, await take(job), 0.5);
  const { failures, last_error, succeeded_at, finished_at } = await rowOf(job);
  assert.deepEqual([failures, last_error], [0, null]);
  assert.equal(succeeded_at, finished_at);
});

for (const [what, job, longest] of [
  ["polls every second", { pauseMs: 1_000 }, 30],
  ["is due every five minutes", { schedule: everyFiveMinutes }, 30],
  ["is due hourly", { schedule: hourlyAt(29) }, 150],
  ["is due daily", { schedule: dailyAt(3, 17) }, 3_600],
] as const)
  test(`a job that ${what} is retried after 2 seconds at first, and after ${longest} at most`, () => {
    const subject: Job = { name: "job", work: async () => {}, ...job };
    assert.deepEqual(
      [1, 2, 3, 40].map((failures) => backoffSeconds(subject, failures)),
      [2, 4, 8, longest],
    );
  });

for (const [what, schedule, due, period] of [
  ["daily at 03:17 UTC", dailyAt(3, 17), /^03:17:00$/, 86_400],
  ["hourly at minute 29", hourlyAt(29), /^\d\d:29:00$/, 3_600],
  ["every five minutes", everyFiveMinutes, /^\d\d:\d[05]:00$/, 300],
] as const)
  test(`a job that succeeded ${what} is due at the next such time`, async () => {
    const job = await dueJob({ schedule });
    await recordSuccess(t.database.pool, job, await take(job), 1);
    const { due_time, due_in } = await rowOf(job);
    assert.match(due_time, due);
    assert.ok(due_in <= period, `due in ${due_in} s`);
  });

test("a new job is due at its next time, or at once if it runs at the start", async () => {
  const nightly = nightlyJob("new nightly");
  const atStart = nightlyJob("new at the start", true);
  for (const job of [nightly, atStart]) await registerScheduledJob(t.database.pool, job);
  assert.equal((await takeLease(t.database.pool, nightly, MINUTE_MS)).lease, undefined);
  await take(atStart);
});

test("a job that runs at the start is due at the next one, unless it succeeded minutes ago", async () => {
  const job = nightlyJob("at each start", true);
  await registerScheduledJob(t.database.pool, job);
  await recordSuccess(t.database.pool, job, await take(job), 1);
  await registerScheduledJob(t.database.pool, job);
  assert.equal((await takeLease(t.database.pool, job, MINUTE_MS)).lease, undefined);
  await setRow(job, { succeeded_at: sql`clock_timestamp() - interval '11 minutes'` });
  await registerScheduledJob(t.database.pool, job);
  await take(job);
});

test("a run that was missed while no process was running is caught up on", async () => {
  const job = await dueJob();
  await setRow(job, { due_at: sql`clock_timestamp() - interval '9 hours'` });
  await registerScheduledJob(t.database.pool, job);
  await take(job);
});

test("a job that was scheduled while the clock was ahead does not wait for that time", async () => {
  const job = await dueJob();
  await setRow(job, { due_at: sql`clock_timestamp() + interval '1 year'` });
  await take(job);
});

test("stopping waits for running work, which is recorded", async () => {
  const { work, begun, end } = heldWork();
  const job = await dueJob({ work });
  const { stop, messages } = start([job]);
  const signal = await begun;
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  assert.equal(signal.aborted, true);
  const { lease_id } = await rowOf(job);
  assert.deepEqual([isStopped, lease_id === null], [false, false]);
  end.resolve();
  await stopped;
  const { succeeded_at, due_in } = await rowOf(job);
  assert.ok(succeeded_at !== null && due_in > 0);
  assert.deepEqual(messages(), []);
});

test("work that a stop interrupts is not a failure, and another process can take it at once", async () => {
  const { work, begun, end } = heldWork();
  const job = await dueJob({ work });
  const { stop, messages } = start([job]);
  const signal = await begun;
  const stopped = stop();
  end.reject(signal.reason);
  await stopped;
  const { failures } = await take(job);
  assert.equal(failures, 0);
  assert.deepEqual(messages(), []);
});

test("a failure is logged once, and so is the success that ends it", async () => {
  let runs = 0;
  const { stop, line, messages } = start([
    {
      name: "failing",
      pauseMs: 1,
      work: async () => {
        if (++runs <= 5) throw new Error(runs === 5 ? "another reason" : "the same reason");
      },
    },
  ]);
  await line("works again");
  await stop();
  assert.deepEqual(messages(), [
    [50, "a background job failed"],
    [50, "a background job failed"],
    [30, "a background job works again"],
  ]);
});

test("a polling job records its failures, and not every success", async () => {
  const many = Promise.withResolvers<void>();
  let runs = 0;
  let isFailing = false;
  const job: Job = {
    name: "polling",
    pauseMs: 1,
    work: async () => {
      if (isFailing) throw new Error("no mail server");
      if (++runs === 20) many.resolve();
    },
  };
  const { stop, line } = start([job]);
  await many.promise;
  const { finished_at, succeeded_at, lease_id, due_at } = await rowOf(job);
  assert.deepEqual([lease_id, due_at], [null, null]);
  assert.equal(succeeded_at, finished_at);
  isFailing = true;
  await line("a background job failed");
  const failed = await rowOf(job);
  assert.deepEqual([failed.last_error, failed.succeeded_at], ["no mail server", succeeded_at]);
  isFailing = false;
  await line("works again");
  await stop();
  assert.deepEqual([(await rowOf(job)).failures, (await rowOf(job)).last_error], [0, null]);
});
