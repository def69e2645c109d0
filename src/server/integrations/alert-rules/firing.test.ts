import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ageFirings, openAlerts, runRules } from "../../../../test/support/alert-rules.ts";
import { makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { endDueSnoozes } from "../../errors/groups/end-snoozes.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

const spike = (groupId: number) =>
  sql`insert into error_group_notices (group_id, type, details)
    values (${groupId}, 16, '{"events": 90, "usual": 1}')`.execute(t.db);

test("rules fire for new errors, regressions, spikes and ended snoozes, once each, and name the rule and the group", async () => {
  const { admin, create, send, messages, groups, groupIds, member, path } = await open();
  const { name: projectName } = (await admin.get(path)).body;
  for (const kind of ["new_group", "regression", "spike", "snooze_ended"])
    await create({ name: kind, when: { kind } });
  await send({ release: "1.0" });
  await send({ release: "1.0" });
  await runRules(t);
  const [id] = (await groupIds()) as [number];
  assert.deepEqual(await messages(), [`Alert “new_group”: new error RuntimeException in ${projectName}`]);
  await admin.post(`${groups}/${id}/resolve`);
  await send({ release: "1.1" });
  await runRules(t);
  await spike(id);
  await runRules(t);
  await admin.post(`${groups}/${id}/ignore`, { until: { at: "2099-01-15T08:00:00Z" } });
  await sql`update error_groups set snooze_ends_at = now() where id = ${id}`.execute(t.db);
  await endDueSnoozes(t.db);
  await runRules(t);
  assert.deepEqual((await messages()).slice(1), [
    "Alert “regression”: the error RuntimeException came back in 1.1",
    "Alert “spike”: the error RuntimeException is spiking: 90 events in 10 minutes, usually 1",
    "Alert “snooze_ended”: the snooze of the error RuntimeException ended",
  ]);
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const inbox = (await client.get("/api/notifications?include=all&type=17")).body as Notification[];
  assert.deepEqual(
    inbox.map(({ notifiable }) => [notifiable.type, notifiable.id]),
    Array.from({ length: 4 }, () => ["error_group", id]),
  );
});

test("all conditions must hold, and each is compared with the event that fires", async () => {
  const { create, send, messages, admin, groups, groupIds, member } = await open();
  const event = {
    environment: "staging",
    exception_class: "CheckoutError",
    message: "Payment 12 failed",
    level: "fatal",
    tags: { area: "cart", tier: "gold" },
  };
  const conditions = {
    environment: "staging",
    level: "fatal",
    class_pattern: "checkout*",
    message_pattern: "payment ?? FAILED",
    file_pattern: "*/checkout.php",
    tags: { area: "cart" },
  };
  await create({ name: "all", if: conditions });
  for (const [field, value] of Object.entries({
    environment: "production",
    level: "error",
    class_pattern: "Checkout",
    message_pattern: "payment ? failed",
    file_pattern: "*/search.php",
    tags: { area: "cart", tier: "silver" },
    assignee_id: member.id,
  }))
    await create({ name: field, if: { ...conditions, [field]: value } });
  await send(event);
  await send({ ...event, message: "Another", level: "info", tags: {} });
  await runRules(t);
  assert.deepEqual(
    (await messages()).map((message) => message.split(":")[0]),
    ["Alert “all”"],
  );
  await create({ name: "mine", when: { kind: "regression" }, if: { assignee_id: member.id } });
  const [id] = await groupIds();
  await admin.patch(`${groups}/${id}`, { assignee_id: member.id });
  await admin.post(`${groups}/${id}/resolve`);
  await send(event);
  await runRules(t);
  assert.equal((await messages()).length, 2);
});

test("a rule fires at most once per group in its minutes, and for each group", async () => {
  const { admin, create, send, messages, groups, groupIds } = await open();
  const rule = await create({ when: { kind: "regression" }, every_minutes: 30 });
  await send();
  await send({ exception_class: "OtherError", stack_trace: "#0 /app/other.php(1): other()" });
  const regress = async (id: number, overrides: object) => {
    await admin.post(`${groups}/${id}/resolve`);
    await send({ release: `r${Math.random()}`, ...overrides });
    await runRules(t);
  };
  const [one, other] = (await groupIds()) as [number, number];
  await regress(one, {});
  await regress(one, {});
  assert.equal((await messages()).length, 1);
  await regress(other, { exception_class: "OtherError", stack_trace: "#0 /app/other.php(1): other()" });
  assert.equal((await messages()).length, 2);
  await ageFirings(t, rule.id, 31);
  await regress(one, {});
  assert.equal((await messages()).length, 3);
});

test("a webhook gets alert.fired with the rule and the group, whatever its own events are", async () => {
  const { admin, create, send, deliveries, makeWebhook, groups, groupIds } = await open();
  const webhook_id = await makeWebhook();
  const rule = await create({ then: [{ to: "webhook", webhook_id }] });
  await send();
  await runRules(t);
  const [id] = await groupIds();
  const [delivery, ...more] = await deliveries(webhook_id);
  assert.deepEqual([delivery.type, delivery.actor, more], ["alert.fired", null, []]);
  assert.deepEqual(delivery.data.rule, { id: rule.id, name: rule.name });
  assert.deepEqual(delivery.data.error_group, (await admin.get(`${groups}/${id}`)).body);
});

test("a deleted webhook is skipped", async () => {
  const { admin, create, send, makeWebhook, messages, path, toMember } = await open();
  const webhook_id = await makeWebhook();
  await create({ then: [{ to: "webhook", webhook_id }, toMember] });
  assert.equal((await admin.delete(`${path}/webhooks/${webhook_id}`)).status, 204);
  await send();
  await runRules(t);
  assert.equal((await messages()).length, 1);
});

test("muted and inactive rules do not fire, and last_fired_at says when a rule did", async () => {
  const { admin, create, send, messages, url } = await open();
  const muted = await create({ name: "muted" });
  await admin.post(`${url}/${muted.id}/mute`, { until: "2099-01-15T08:00:00Z" });
  await create({ name: "inactive", active: false });
  const active = await create({ name: "active" });
  await send();
  await runRules(t);
  assert.equal((await messages()).length, 1);
  assert.notEqual((await admin.get(`${url}/${active.id}`)).body.last_fired_at, null);
  assert.equal((await admin.get(`${url}/${muted.id}`)).body.last_fired_at, null);
});

test("rules about groups do not fire while error tracking is off", async () => {
  const { create, send, messages } = await open();
  await create({});
  await send();
  await t.db
    .updateTable("workspaces")
    .set({ error_tracking_enabled: false })
    .where("id", "=", workspace.id)
    .execute();
  await runRules(t);
  await t.db
    .updateTable("workspaces")
    .set({ error_tracking_enabled: true })
    .where("id", "=", workspace.id)
    .execute();
  await runRules(t);
  assert.deepEqual(await messages(), []);
});

test("a release with more than the count of new errors fires, also with zero", async () => {
  const { create, send, messages, makeWebhook, deliveries } = await open();
  const webhook_id = await makeWebhook();
  await create({ name: "two", when: { kind: "release_new_groups", count: 1 } });
  await create({
    name: "one",
    when: { kind: "release_new_groups", count: 0 },
    then: [{ to: "webhook", webhook_id }],
  });
  await send({ release: "4.2.0" });
  await runRules(t);
  assert.deepEqual(await messages(), []);
  const [delivery] = await deliveries(webhook_id);
  assert.deepEqual([delivery.data.release.version, delivery.data.release.new_groups], ["4.2.0", 1]);
  await send({ release: "4.2.0", exception_class: "Second", stack_trace: "#0 /app/second.php(1): second()" });
  await runRules(t);
  assert.deepEqual(await messages(), ["Alert “two”: 4.2.0 has 2 new errors"]);
});

test("new reports and reports that wait too long fire once each, with the report as notifiable", async () => {
  const { admin, create, messages, path, member, id: projectId } = await open();
  await create({ name: "new", when: { kind: "report_created" } });
  await create({ name: "waiting", when: { kind: "report_waiting", days: 3 } });
  const post = async (title: string) =>
    (await admin.post(`${path}/reports`, { title, description: "It fails." })).body.id as number;
  const [first, second] = [await post("First"), await post("Second")];
  await runRules(t);
  await runRules(t);
  assert.deepEqual(await messages(), ["Alert “new”: new report “First”", "Alert “new”: new report “Second”"]);
  await admin.post(`${path}/reports/${second}/dismiss`, { category: "invalid" });
  await sql`update reports set created_at = created_at - interval '3 days' where project_id = ${projectId}`.execute(
    t.db,
  );
  await runRules(t);
  await runRules(t);
  assert.deepEqual((await messages()).slice(2), [
    "Alert “waiting”: the report “First” has waited for 3 days",
  ]);
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const [entry] = (await client.get("/api/notifications?include=all&type=17")).body as Notification[];
  assert.deepEqual([entry?.notifiable.type, entry?.notifiable.id], ["report", first]);
});

test("a default rule that is changed to another kind gets the limit that it showed", async () => {
  const { admin, id } = await openProject(t, workspace);
  const url = `/api/projects/${id}/alert-rules`;
  const [rule] = (await admin.get(url)).body.data as AlertRule[];
  const when = { kind: "report_waiting", days: 3 };
  assert.equal((await admin.patch(`${url}/${rule?.id}`, { when })).status, 200);
  const row = t.db
    .selectFrom("alert_rules")
    .select(["is_default", "every_minutes"])
    .where("id", "=", rule?.id as number);
  assert.deepEqual(await row.executeTakeFirst(), { is_default: false, every_minutes: rule?.every_minutes });
});

test("webhooks are told of new, regressed, spiking and reopened errors", async () => {
  const { admin, send, path, groups, groupIds, deliveries } = await open();
  const hook = { url: "https://hooks.example.com/in", events: ["error_group.*"] };
  const webhookId = (await admin.post(`${path}/webhooks`, hook)).body.id;
  await send({ release: "1.0" });
  await runRules(t);
  const [id] = (await groupIds()) as [number];
  assert.deepEqual((await deliveries(webhookId))[0].data, (await admin.get(`${groups}/${id}`)).body);
  await admin.post(`${groups}/${id}/resolve`);
  await send({ release: "1.1" });
  await spike(id);
  await runRules(t);
  await admin.post(`${groups}/${id}/ignore`, { until: { occurrences: 1 } });
  await send({ release: "1.1" });
  await runRules(t);
  const types = (await deliveries(webhookId)).map(({ type }) => type);
  for (const verb of ["created", "regressed", "spiking", "reopened"])
    assert.equal(types.filter((type) => type === `error_group.${verb}`).length, 1, verb);
});
