import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ageFirings, openAlerts, runRules } from "../../../../test/support/alert-rules.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const WHEN = { kind: "release_crash_free", below: 0.99, sessions: 200, minutes: 60 };

async function open() {
  const alerts = await openAlerts(t, workspace);
  const { id } = alerts;
  const release = async (version: string) => {
    await alerts.send({ release: version });
    const { rows } = await sql<{ id: number }>`
      select id from releases where project_id = ${id} and version = ${version}`.execute(t.db);
    return rows[0]?.id as number;
  };
  /** Adds sessions that started that many hours ago. */
  const addSessions = (releaseId: number, sessions: number, crashed: number, hours = 0) =>
    sql`
      insert into release_sessions as s (release_id, project_id, environment, hour, sessions, crashed)
      values (${releaseId}, ${id}, 'production', date_trunc('hour', now() - make_interval(hours => ${hours}), 'UTC'), ${sessions},
        ${crashed})
      on conflict (release_id, environment, hour) do update set
        sessions = s.sessions + excluded.sessions, crashed = s.crashed + excluded.crashed`.execute(t.db);
  return { ...alerts, release, addSessions };
}

test("a release fires with enough sessions of which too few are crash-free, and its recovery is announced", async () => {
  const { create, messages, release, addSessions, makeWebhook, deliveries, toMember } = await open();
  const webhook_id = await makeWebhook();
  await create({ name: "Unstable", when: WHEN, then: [toMember, { to: "webhook", webhook_id }] });
  const releaseId = await release("4.2.0");
  await addSessions(releaseId, 199, 20);
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await addSessions(releaseId, 1, 0);
  await runRules(t);
  await runRules(t);
  const fired = "Alert “Unstable”: 4.2.0 is 90 % crash-free in 60 minutes (200 sessions)";
  assert.deepEqual(await messages(), [fired]);
  await addSessions(releaseId, 1_800, 0);
  await runRules(t);
  await runRules(t);
  const recovered = "Alert “Unstable”: 4.2.0 has recovered: no longer below 99 % crash-free in 60 minutes";
  assert.deepEqual(await messages(), [fired, recovered]);
  assert.deepEqual(
    (await deliveries(webhook_id)).map(({ type, data }) => [type, data.release.version]),
    [
      ["alert.fired", "4.2.0"],
      ["alert.recovered", "4.2.0"],
    ],
  );
});

test("sessions from before the window and of other projects do not fire, and a firing is not repeated too early", async () => {
  const { create, messages, release, addSessions } = await open();
  const other = await open();
  const rule = await create({ when: WHEN });
  const releaseId = await release("1.0.0");
  await addSessions(releaseId, 1_000, 500, 3);
  await other.addSessions(await other.release("1.0.0"), 1_000, 500);
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await addSessions(releaseId, 1_000, 500);
  await runRules(t);
  await ageFirings(t, rule.id, 59);
  await runRules(t);
  assert.equal((await messages()).length, 1);
  await ageFirings(t, rule.id, 2);
  await runRules(t);
  assert.equal((await messages()).length, 2);
});

test("a preview has the releases that would have fired", async () => {
  const { preview, release, addSessions } = await open();
  await addSessions(await release("1.0.0"), 500, 100, 30);
  await addSessions(await release("2.0.0"), 500, 1, 30);
  await addSessions(await release("3.0.0"), 100, 100, 30);
  const { count, approximate, data } = await preview({ when: WHEN });
  assert.deepEqual([count, approximate, data.map(({ release: of }) => of?.version)], [1, true, ["1.0.0"]]);
});

test("a share outside of 0 to 1 and conditions are rejected", async () => {
  const { admin, url, toMember } = await open();
  for (const [rule, field] of [
    [{ when: { ...WHEN, below: 1.5 } }, "when.below"],
    [{ when: { ...WHEN, sessions: 0 } }, "when.sessions"],
    [{ when: WHEN, if: { environment: "production" } }, "if.environment"],
  ] as const) {
    // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
    const answer = await admin.post(url, { name: "Rule", then: [toMember], ...rule });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
  }
});
