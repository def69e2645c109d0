import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { ageFirings, openAlerts, runRules } from "../../../../test/support/alert-rules.ts";
import { eventually, waitUntil } from "../../../../test/support/eventually.ts";
import { mailsTo } from "../../../../test/support/inbox.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { queueErrorDigests } from "../../inform/notify/error-digest.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

/** As if all that is counted had been counted that many minutes earlier. */
async function age(projectId: number, minutes: number): Promise<void> {
  const earlier = sql`make_interval(mins => ${minutes})`;
  const groups = sql`(select id from error_groups where project_id = ${projectId})`;
  await sql`update error_groups set last_seen_at = last_seen_at - ${earlier}, last_seen_span = last_seen_span - ${earlier}
    where project_id = ${projectId}`.execute(t.db);
  await sql`update alert_group_counts set span = span - ${earlier} where group_id in ${groups}`.execute(t.db);
  await sql`update alert_rule_counts set span = span - ${earlier}
    where rule_id in (select id from alert_rules where project_id = ${projectId})`.execute(t.db);
}

async function sendTimes(send: () => Promise<void>, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await send();
}

test("a group fires with more than the count of events, and its recovery is announced to the same people and webhook", async () => {
  const { id, create, send, messages, makeWebhook, deliveries, toMember, member } = await open();
  const webhook_id = await makeWebhook();
  const when = { kind: "group_events", count: 3, minutes: 10 };
  const then = [toMember, { ...toMember, to: "email" }, { to: "webhook", webhook_id }];
  await create({ name: "Busy", when, then });
  await sendTimes(send, 3);
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await send();
  await runRules(t);
  await runRules(t);
  const fired = "Alert “Busy”: the error RuntimeException has had 4 events in 10 minutes";
  assert.deepEqual(await messages(), [fired]);
  await age(id, 30);
  await runRules(t);
  await runRules(t);
  const recovered = "Alert “Busy”: the error RuntimeException has recovered: at most 3 events in 10 minutes";
  assert.deepEqual(await messages(), [fired, recovered]);
  assert.deepEqual(
    (await deliveries(webhook_id)).map(({ type }) => type),
    ["alert.fired", "alert.recovered"],
  );
  await queueErrorDigests(t.db);
  const mails = await mailsTo(t.db, member);
  assert.match(mails.flatMap(({ lines }) => lines).join("\n"), /has recovered/);
});

test("a long window counts the ten-minute counts that it touches, and no older ones", async () => {
  const { id, create, send, messages } = await open();
  await create({ when: { kind: "group_events", count: 5, minutes: 60 } });
  await sendTimes(send, 3);
  await age(id, 10);
  await runRules(t);
  await age(id, 30);
  await sendTimes(send, 2);
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await send();
  await runRules(t);
  assert.deepEqual(await messages(), [
    "Alert “Rule”: the error RuntimeException has had 6 events in 60 minutes",
  ]);
  const other = await open();
  await other.create({ when: { kind: "group_events", count: 5, minutes: 60 } });
  await sendTimes(other.send, 3);
  await age(other.id, 10);
  await runRules(t);
  await age(other.id, 70);
  await sendTimes(other.send, 3);
  await runRules(t);
  assert.deepEqual(await other.messages(), []);
});

test("a rule fires again for a group that stays above the count, after its minutes", async () => {
  const { create, send, messages } = await open();
  const rule = await create({ when: { kind: "group_events", count: 1, minutes: 10 }, every_minutes: 60 });
  await sendTimes(send, 2);
  await runRules(t);
  await ageFirings(t, rule.id, 58);
  await runRules(t);
  assert.equal((await messages()).length, 1);
  await ageFirings(t, rule.id, 2);
  await runRules(t);
  assert.equal((await messages()).length, 2);
});

test("a group fires with more than the count of different users", async () => {
  const { create, send, messages } = await open();
  await create({ when: { kind: "group_users", count: 2, minutes: 10 } });
  for (const user of ["a", "b", "a"]) await send({ user_hash: user.repeat(64) });
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await send({ user_hash: "c".repeat(64) });
  await runRules(t);
  assert.deepEqual(await messages(), [
    "Alert “Rule”: the error RuntimeException has affected more than 2 users in 10 minutes",
  ]);
});

test("conditions on a threshold are checked against the group's latest event", async () => {
  const { create, send, messages } = await open();
  const when = { kind: "group_events", count: 1, minutes: 10 };
  await create({ name: "old", when, if: { message_pattern: "first*" } });
  await create({ name: "latest", when, if: { message_pattern: "second*" } });
  await send({ message: "First message" });
  await send({ message: "Second message" });
  await runRules(t);
  assert.deepEqual(
    (await messages()).map((message) => message.split(":")[0]),
    ["Alert “latest”"],
  );
});

test("a rule about the project's events counts an event once that is sent again with its id", async () => {
  const { create, send } = await open();
  const when = { kind: "project_events", count: 1_000, minutes: 10 };
  const [all, tagged] = [await create({ when }), await create({ when, if: { tags: { area: "cart" } } })];
  const totalOf = async (ruleId: number) => {
    const counts = t.db.selectFrom("alert_rule_counts").select("events").where("rule_id", "=", ruleId);
    return (await counts.execute()).reduce((sum, { events }) => sum + events, 0);
  };
  // Ingestion knows the rules of a project at most a second after they were created.
  await waitUntil(async () => {
    await send();
    return (await totalOf(all.id)) > 0;
  });
  const before = await totalOf(all.id);
  const event = { event_id: randomUUID(), tags: { area: "cart" } };
  await send(event);
  await send(event);
  await send();
  await waitUntil(async () => (await totalOf(all.id)) >= before + 2);
  assert.equal(await totalOf(tagged.id), 1);
});

test("a project fires with more than the count of events that meet the conditions, of all its groups", async () => {
  const { id, create, send, messages, makeWebhook, deliveries, toMember } = await open();
  const webhook_id = await makeWebhook();
  const rule = await create({
    when: { kind: "project_events", count: 2, minutes: 10 },
    if: { environment: "production", level: "fatal", class_pattern: "Pay*", tags: { area: "cart" } },
    then: [toMember, { to: "webhook", webhook_id }],
  });
  const failed = { exception_class: "PayFailed", level: "fatal", tags: { area: "cart" } };
  const denied = { ...failed, exception_class: "PayDenied", stack_trace: "#0 /app/denied.php(1): denied()" };
  const all = await create({ when: { kind: "project_events", count: 1_000, minutes: 10 } });
  const totalOf = async (ruleId: number) => {
    const counts = t.db.selectFrom("alert_rule_counts").select("events").where("rule_id", "=", ruleId);
    return (await counts.execute()).reduce((sum, { events }) => sum + events, 0);
  };
  const total = () => totalOf(rule.id);
  // Ingestion knows the rules of a project at most a second after they were created.
  await waitUntil(async () => {
    await send({ exception_class: "Other" });
    return (await totalOf(all.id)) > 0;
  });
  for (const event of [
    failed,
    denied,
    { ...failed, level: "error" },
    { ...failed, environment: "staging" },
    { ...failed, tags: { area: "search" } },
    { ...failed, exception_class: "Other" },
  ])
    await send(event);
  await eventually(total, 2);
  await runRules(t);
  assert.deepEqual(await messages(), []);
  await send(denied);
  await eventually(total, 3);
  await runRules(t);
  assert.deepEqual(await messages(), ["Alert “Rule”: the project has had 3 events in 10 minutes"]);
  assert.equal((await deliveries(webhook_id))[0].data.project.id, id);
  await age(id, 30);
  await runRules(t);
  assert.equal((await messages()).length, 2);
});

test("a change of what a rule fires for begins its counts anew", async () => {
  const { admin, url, create, messages } = await open();
  const rule = await create({ when: { kind: "project_events", count: 5, minutes: 10 } });
  await sql`insert into alert_rule_counts values (${rule.id}, date_bin('10 minutes', now(), 'epoch'), 4)`.execute(
    t.db,
  );
  await admin.patch(`${url}/${rule.id}`, { when: { kind: "project_events", count: 3, minutes: 10 } });
  await runRules(t);
  assert.deepEqual(await messages(), []);
});
