import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../../test/support/eventually.ts";
import { useWebhookDelivery } from "../../../../../test/support/webhook-delivery.ts";
import { openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import { makeDelivery, makeWebhook, passTime } from "../../../../../test/support/webhooks.ts";
import { claimDeliveries } from "./claim-deliveries.ts";

const { t, owner, delivery, makeSender, row } = await useWebhookDelivery();

test("deliveries about an object start in order and one at a time, and the next does not wait for a retry", async (context) => {
  const receiver = await openReceiver(context, (response, { body }) =>
    response.writeHead(body.includes('"n":1') ? 500 : 204).end(),
  );
  const webhook = await makeWebhook(t.db, owner, receiver);
  for (let n = 0; n < 6; n++) await makeDelivery(t.db, webhook, { object: 5, data: { n } });
  await delivery.deliver();
  const sent = () =>
    receiver.received.map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n);
  assert.deepEqual([sent(), receiver.maxInFlight], [[0, 1, 2, 3, 4, 5], 1]);
  await passTime(t.db);
  await delivery.deliver();
  assert.deepEqual(sent(), [0, 1, 2, 3, 4, 5, 1]);
});

test("two processes together send at most 4 deliveries of a webhook at a time, and each one once", async (context) => {
  const responses: (() => void)[] = [];
  const receiver = await openReceiver(context, (response) =>
    responses.push(() => response.writeHead(204).end()),
  );
  const webhook = await makeWebhook(t.db, owner, receiver);
  for (let n = 0; n < 12; n++) await makeDelivery(t.db, webhook);
  const other = makeSender();
  const both = Promise.all([delivery.deliver(), other.deliver()]);
  while (receiver.received.length < 12 || responses.length > 0) {
    await eventually(() => responses.length > 0, true);
    responses.shift()?.();
  }
  await both;
  assert.equal(receiver.maxInFlight <= 4, true);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 12);
  assert.equal(receiver.received.length, 12);
});

test("at most 50 deliveries are in flight", async (context) => {
  const { url } = await openReceiver(context);
  for (let n = 0; n < 15; n++) {
    const webhook = await makeWebhook(t.db, owner, { url });
    for (let m = 0; m < 5; m++) await makeDelivery(t.db, webhook);
  }
  const claimed = await claimDeliveries(t.db);
  const perWebhook = Map.groupBy(claimed, (one) => one.webhook_id);
  assert.deepEqual([claimed.length, perWebhook.size], [50, 15]);
  assert.ok([...perWebhook.values()].every((own) => own.length === 3 || own.length === 4));
  assert.deepEqual(await claimDeliveries(t.db), []);
});

test("a delivery that a killed process had claimed is sent after its lease", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, receiver);
  const ids = [
    await makeDelivery(t.db, webhook, { object: 5 }),
    await makeDelivery(t.db, webhook, { object: 5 }),
  ];
  assert.equal((await claimDeliveries(t.db)).length, 1);
  await delivery.deliver();
  assert.equal(receiver.received.length, 0);
  await passTime(t.db);
  await delivery.deliver();
  const statuses = await Promise.all(ids.map(async (id) => (await row(id)).status));
  assert.deepEqual([statuses, receiver.received.length], [["succeeded", "succeeded"], 2]);
});

test("a process that stops gives back what it is sending", async (context) => {
  const stopping = new AbortController();
  const receiver = await openReceiver(context, () => stopping.abort());
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
  await delivery.deliver(stopping.signal);
  const { status, attempts, attempt_count, leased_until } = await row(id);
  assert.deepEqual([status, attempts, attempt_count, leased_until], ["pending", [], 0, null]);
  receiver.respond = (response) => response.writeHead(204).end();
  await delivery.deliver();
  assert.equal((await row(id)).status, "succeeded");
});

test("a run ends although a receiver does not answer, and the next run goes on", async (context) => {
  const responses: (() => void)[] = [];
  const receiver = await openReceiver(context, (response) =>
    responses.push(() => response.writeHead(204).end()),
  );
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
  const shortRuns = makeSender({ runMs: 1 });
  await shortRuns.deliver();
  assert.equal((await row(id)).status, "pending");
  await eventually(() => responses.length, 1);
  responses[0]?.();
  await eventually(async () => {
    await shortRuns.deliver();
    return (await row(id)).status;
  }, "succeeded");
  assert.equal(receiver.received.length, 1);
});
