import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { useWebhookDelivery } from "../../../../../test/support/webhook-delivery.ts";
import { openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import { makeDelivery, makeWebhook } from "../../../../../test/support/webhooks.ts";

const { t, owner, delivery, row } = await useWebhookDelivery();

test("a chat gets one message per error group and hour, and the next one says how many events there were", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, { url: receiver.url, format: "slack" });
  const happen = async (event: string, object: number) => {
    const data = { id: object, exception_class: "TypeError" };
    const id = await makeDelivery(t.db, webhook, { event, kind: "error_group", object, data });
    await delivery.deliver();
    return id;
  };
  await happen("error_group.created", 7);
  const held = [await happen("error_group.resolved", 7), await happen("error_group.regressed", 7)];
  assert.equal(receiver.received.length, 1);
  for (const id of held) {
    const { status, attempts } = await row(id);
    assert.deepEqual([status, attempts], ["succeeded", []]);
  }
  await happen("error_group.created", 8);
  assert.equal(receiver.received.length, 2);
  await sql`update webhook_deliveries set started_at = started_at - interval '1 hour'`.execute(t.db);
  await happen("error_group.resolved", 7);
  assert.match(receiver.received[2]?.body ?? "", /\+2 more since/);
  await sql`update webhook_deliveries set started_at = started_at - interval '1 hour'`.execute(t.db);
  await happen("error_group.reopened", 7);
  assert.doesNotMatch(receiver.received[3]?.body ?? "", /more since/);
});

test("a chat gets a message for each event of other objects, and for each alert", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, { url: receiver.url, format: "discord" });
  for (const event of ["issue.created", "issue.updated"])
    await makeDelivery(t.db, webhook, { event, kind: "issue", object: 7 });
  for (const event of ["error_group.created", "alert.fired", "alert.recovered"])
    await makeDelivery(t.db, webhook, { event, kind: "error_group", object: 7 });
  await delivery.deliver();
  assert.equal(receiver.received.length, 5);
});

test("a chat message is not signed, and is recorded as it was sent", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, { url: receiver.url, format: "ntfy" });
  const id = await makeDelivery(t.db, webhook, { data: { key: "WEB-1", title: "A\0B" } });
  await delivery.deliver();
  const [request] = receiver.received;
  assert.deepEqual(
    Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("webhook-")),
    [],
  );
  const { request: recorded } = await row(id);
  assert.equal(recorded?.body, request?.body);
  assert.equal(recorded?.headers["title"], "New issue: WEB-1 A B");
});
