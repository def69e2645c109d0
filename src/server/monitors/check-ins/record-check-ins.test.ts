import assert from "node:assert/strict";
import { test } from "node:test";
import { openMonitors } from "../../../../test/support/monitors.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { SentCheckIn } from "./check-in.ts";
import { openCheckIns, type CheckIns } from "./record-check-ins.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const STATUSES = ["ok", "ok", "ok", "error", "in_progress"] as const;

test("check-ins recorded together have the same effects as one after another", async (context) => {
  const { id: projectId, create, read, checkIns } = await openMonitors(t, workspace);
  const recorder = openCheckIns(t.db, (error) => {
    throw error;
  });
  context.after(() => recorder.close());
  const createThree = async (name: string) => {
    const monitors: { slug: string; id: number }[] = [];
    for (const threshold of [1, 2, 3]) {
      const schedule = { type: "interval", value: 1, unit: "day" };
      const { slug } = await create({
        name: `${name} ${threshold}`,
        schedule,
        failure_threshold: threshold,
        recovery_threshold: 2,
      });
      const { id } = await t.db
        .selectFrom("monitors")
        .select("id")
        .where("project_id", "=", projectId)
        .where("slug", "=", slug)
        .executeTakeFirstOrThrow();
      monitors.push({ slug, id });
    }
    return monitors;
  };
  const [together, apart] = [await createThree("together"), await createThree("apart")];
  const record = (monitor: { id: number } | undefined, sent: SentCheckIn) =>
    recorder.record({ ...sent, monitor: { id: monitor?.id ?? 0, project_id: projectId } });
  for (let round = 0; round < 12; round++) {
    const batch = Array.from({ length: 1 + (round % 4) }, (_, n) => ({
      n: (round + n * (round % 2)) % 3,
      sent: checkInOf(STATUSES[Math.floor(Math.random() * STATUSES.length)] ?? "ok", `env ${round % 4}`),
    }));
    const outcomes = await Promise.all(batch.map(({ n, sent }) => record(together[n], sent)));
    const expected: Awaited<ReturnType<CheckIns["record"]>>[] = [];
    for (const { n, sent } of batch) expected.push(await record(apart[n], sent));
    assert.deepEqual(outcomes, expected);
  }
  const stateOf = async (slug: string) => ({
    environments: (await read(slug)).environments.map(({ name, status }) => `${name} ${status}`).toSorted(),
    checkIns: (await checkIns(slug)).map(({ environment, status }) => `${environment} ${status}`).toSorted(),
  });
  for (const [n, { slug }] of together.entries())
    assert.deepEqual(await stateOf(slug), await stateOf(apart[n]?.slug ?? ""));
});

const checkInOf = (status: SentCheckIn["status"], environment: string): SentCheckIn => ({
  status,
  check_in_id: null,
  environment,
  duration: null,
  release: null,
  trace_id: null,
  text: null,
});
