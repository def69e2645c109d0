import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eventually } from "../../../../../test/support/eventually.ts";
import { rowsRead } from "../../../../../test/support/rows-read.ts";
import { useWebhookDelivery } from "../../../../../test/support/webhook-delivery.ts";
import { openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import {
  makeDelivery,
  makeWebhook,
  passTime,
  type TestWebhook,
} from "../../../../../test/support/webhooks.ts";
import { claimDeliveries } from "./claim-deliveries.ts";

const { t, owner, makeSender, row } = await useWebhookDelivery();

/** Queues deliveries about this number of objects. */
const queueMany = (webhook: TestWebhook, objects: number, deliveries = 10_000) =>
  sql`
    insert into webhook_deliveries (webhook_id, event_id, event, object_kind, object_id, body)
    select ${webhook.id}, 'evt_' || n, 'issue.updated', 'issue', n % ${objects}::int, '{}'
    from generate_series(1, ${deliveries}::int) n`.execute(t.db);

test("10,000 deliveries to a receiver that does not answer delay no other webhook", async (context) => {
  const silent = await openReceiver(context, () => {});
  const healthy = await openReceiver(context);
  await queueMany(await makeWebhook(t.db, owner, silent), 10_000);
  const webhook = await makeWebhook(t.db, owner, healthy);
  const stopping = new AbortController();
  // The attempts go on until the test ends, however slow the machine is.
  const delivered = makeSender({ headersMs: 3_600_000, runMs: 3_600_000 }).deliver(stopping.signal);
  await eventually(() => silent.inFlight, 4);
  for (let n = 1; n <= 5; n++) {
    const id = await makeDelivery(t.db, webhook);
    await eventually(async () => (await row(id)).status, "succeeded");
  }
  assert.equal(silent.received.length, 4);
  stopping.abort();
  await delivered;
});

test("while more webhooks than can be in flight wait for silent receivers, others go first", async (context) => {
  const { url } = await openReceiver(context);
  for (let n = 0; n < 20; n++) await queueMany(await makeWebhook(t.db, owner, { url }), 500, 500);
  const claimed = await claimDeliveries(t.db);
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, { url }));
  // One of the silent receivers' attempts ends.
  await sql`update webhook_deliveries set leased_until = null, next_attempt_at = null where id = ${claimed[0]?.id}`.execute(
    t.db,
  );
  assert.deepEqual(
    (await claimDeliveries(t.db)).map((delivery) => delivery.id),
    [id],
  );
});

for (const objects of [1, 10_000])
  test(`claiming from 30,000 deliveries about ${objects} objects reads at most a twentieth of them`, async (context) => {
    const { url } = await openReceiver(context);
    for (let n = 0; n < 3; n++) await queueMany(await makeWebhook(t.db, owner, { url }), objects);
    await sql`vacuum analyze webhook_deliveries`.execute(t.db);
    await claimDeliveries(t.db);
    const before = await rowsRead(t.database, "webhook_deliveries");
    await claimDeliveries(t.db);
    const read = (await rowsRead(t.database, "webhook_deliveries")) - before;
    context.diagnostic(`${read} rows read`);
    assert.ok(read < 1_500, `${read} rows`);
    await passTime(t.db);
  });
