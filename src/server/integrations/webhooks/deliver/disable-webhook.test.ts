import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { furtherMessagesTo, mailsTo } from "../../../../../test/support/inbox.ts";
import { makeMember, makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import { useWebhookDelivery } from "../../../../../test/support/webhook-delivery.ts";
import { makeDelivery, makeWebhook, passTime } from "../../../../../test/support/webhooks.ts";

const { t, workspace, project, owner, delivery, row, webhookRow, receiverWith } = await useWebhookDelivery();

test("a success ends the time of failing", async (context) => {
  const receiver = await receiverWith(context, 500);
  const webhook = await makeWebhook(t.db, owner, receiver);
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.notEqual((await webhookRow(webhook)).failing_since, null);
  receiver.respond = (response) => response.writeHead(204).end();
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.equal((await webhookRow(webhook)).failing_since, null);
});

test("a 410 turns the webhook off, and what waits fails so that it can be recovered", async (context) => {
  const receiver = await receiverWith(context, 410);
  const webhook = await makeWebhook(t.db, owner, receiver);
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push(await makeDelivery(t.db, webhook, { object: 5 }));
  await delivery.deliver();
  const { active, disabled_reason } = await webhookRow(webhook);
  assert.deepEqual([active, disabled_reason], [false, "gone"]);
  const rows = await Promise.all(ids.map(row));
  assert.deepEqual(
    rows.map(({ status, next_attempt_at, attempts }) => [status, next_attempt_at, attempts.length]),
    [
      ["failed", null, 1],
      ["failed", null, 0],
      ["failed", null, 0],
    ],
  );
});

test("a webhook that has failed for 7 days is turned off at its next failure", async (context) => {
  const receiver = await receiverWith(context, 500);
  const webhook = await makeWebhook(t.db, owner, receiver);
  await makeDelivery(t.db, webhook);
  await sql`update webhooks set failing_since = now() - interval '6 days 23 hours'`.execute(t.db);
  await delivery.deliver();
  assert.equal((await webhookRow(webhook)).active, true);
  await sql`update webhooks set failing_since = now() - interval '7 days'`.execute(t.db);
  await passTime(t.db);
  await delivery.deliver();
  const { active, disabled_reason } = await webhookRow(webhook);
  assert.deepEqual([active, disabled_reason], [false, "failing"]);
});

const GONE = "The webhook to 127.0.0.1 was turned off because its address is gone (status 410)";
const withoutPort = ([type, message]: [number, string]) => [
  type,
  message.replace(/127\.0\.0\.1:\d+/, "127.0.0.1"),
];

test("the creator of a webhook that was turned off gets an inbox entry and an email", async (context) => {
  const receiver = await receiverWith(context, 410);
  const creator = await makeMember(t.db, project.id, { role: "Manager" });
  const other = await makeMember(t.db, project.id, { role: "Manager" });
  const webhook = await makeWebhook(t.db, owner, { ...receiver, created_by: creator.id });
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.deepEqual((await furtherMessagesTo(t, creator)).map(withoutPort), [[18, GONE]]);
  const [mail] = await mailsTo(t.db, creator);
  assert.equal(mail?.button_path, `/projects/${project.key}/settings`);
  assert.deepEqual([await furtherMessagesTo(t, other), await mailsTo(t.db, other)], [[], []]);
});

test("if the creator may no longer change the project, all who may are told", async (context) => {
  const receiver = await receiverWith(context, 410);
  const creator = await makeMember(t.db, project.id, { role: "Viewer" });
  const manager = await makeMember(t.db, project.id, { role: "Manager" });
  await makeDelivery(t.db, await makeWebhook(t.db, owner, { ...receiver, created_by: creator.id }));
  await delivery.deliver();
  assert.deepEqual((await furtherMessagesTo(t, manager)).map(withoutPort), [[18, GONE]]);
  assert.deepEqual((await furtherMessagesTo(t, workspace.admin)).map(withoutPort).at(-1), [18, GONE]);
  assert.deepEqual(await furtherMessagesTo(t, creator), []);
});

test("administrators are told of a workspace's webhook that was turned off", async (context) => {
  const receiver = await receiverWith(context, 410);
  const own = await makeWorkspace(t.db);
  await makeProject(t.db, own.id);
  await makeDelivery(
    t.db,
    await makeWebhook(t.db, { workspace_id: own.id, project_id: null }, { url: receiver.url }),
  );
  await delivery.deliver();
  assert.deepEqual((await furtherMessagesTo(t, own.admin)).map(withoutPort), [[18, GONE]]);
  const [mail] = await mailsTo(t.db, own.admin);
  assert.equal(mail?.button_path, `/workspaces/${own.id}/settings`);
});
