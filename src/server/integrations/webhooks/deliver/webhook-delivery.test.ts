import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { eventually } from "../../../../../test/support/eventually.ts";
import { makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import { useWebhookDelivery } from "../../../../../test/support/webhook-delivery.ts";
import { openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import { makeDelivery, makeWebhook, passTime } from "../../../../../test/support/webhooks.ts";
import { deleteOldDeliveries } from "./delete-old-deliveries.ts";

const { t, owner, delivery, row, secondsUntil, receiverWith } = await useWebhookDelivery();

test("a delivery is sent with its body, and recorded with the response", async (context) => {
  const receiver = await openReceiver(context, (response) => response.writeHead(200).end("thanks"));
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, { url: `${receiver.url}/in?key=1` }));
  await delivery.deliver();
  const { body } = await t.db
    .selectFrom("webhook_deliveries")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    receiver.received.map((request) => [request.url, request.body, request.headers["content-type"]]),
    [["/in?key=1", body, "application/json"]],
  );
  const { status, attempts, next_attempt_at, leased_until } = await row(id);
  assert.deepEqual([status, next_attempt_at, leased_until], ["succeeded", null, null]);
  const [{ started_at, duration_ms, ...attempt } = {} as Record<string, unknown>] =
    attempts as unknown as Record<string, unknown>[];
  assert.match(String(started_at), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);
  assert.equal(typeof duration_ms, "number");
  assert.deepEqual(attempt, { status_code: 200, error: null, response_body: "thanks" });
});

test("the library of Standard Webhooks verifies the signature", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, receiver);
  await makeDelivery(t.db, webhook, { data: { title: "Übermütig ✓" } });
  await delivery.deliver();
  const [request] = receiver.received;
  assert.ok(request);
  const library = new Webhook(`whsec_${webhook.secret.toString("base64")}`);
  assert.deepEqual(library.verify(request.body, request.headers), JSON.parse(request.body));
});

test("for a day after a rotation, the previous secret signs too", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, receiver);
  const previous = Buffer.alloc(32, 7);
  const rotate = (until: string) =>
    sql`update webhooks set previous_secret = ${previous}, previous_secret_until = now() + ${until}::interval`.execute(
      t.db,
    );
  const verifies = (secret: Buffer, n: number) => {
    const request = receiver.received[n];
    assert.ok(request);
    try {
      new Webhook(secret.toString("base64")).verify(request.body, request.headers);
      return true;
    } catch {
      return false;
    }
  };
  await rotate("1 hour");
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.deepEqual([verifies(webhook.secret, 0), verifies(previous, 0)], [true, true]);
  await rotate("-1 second");
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.deepEqual([verifies(webhook.secret, 1), verifies(previous, 1)], [true, false]);
});

test("a retry has the same id and body, and a new timestamp and signature", async (context) => {
  const receiver = await receiverWith(context, 500);
  const webhook = await makeWebhook(t.db, owner, receiver);
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  // Timestamps are whole seconds.
  const firstAt = Number(receiver.received[0]?.headers["webhook-timestamp"]);
  await eventually(() => Math.floor(Date.now() / 1_000) > firstAt, true);
  await passTime(t.db);
  await delivery.deliver();
  const [first, second] = receiver.received;
  assert.ok(first && second);
  assert.equal(second.body, first.body);
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.notEqual(second.headers["webhook-timestamp"], first.headers["webhook-timestamp"]);
  new Webhook(webhook.secret.toString("base64")).verify(second.body, second.headers);
});

test("a failed delivery is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, each ± 20 %, and then fails", async (context) => {
  const receiver = await receiverWith(context, 500);
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
  const hour = 3_600;
  for (const pause of [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]) {
    await delivery.deliver();
    const seconds = await secondsUntil(id);
    // A busy machine may read this late.
    assert.ok(seconds >= pause * 0.8 - 60 && seconds <= pause * 1.2, `${seconds} s instead of ${pause}`);
    assert.equal((await row(id)).status, "pending");
    await passTime(t.db);
  }
  await delivery.deliver();
  const { status, next_attempt_at, attempts } = await row(id);
  assert.deepEqual([status, next_attempt_at, attempts.length], ["failed", null, 10]);
});

for (const status of [301, 302, 304, 400, 404, 500])
  test(`a ${status} is a failure`, async (context) => {
    const target = await openReceiver(context);
    const receiver = await receiverWith(context, status, { location: target.url });
    const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
    await delivery.deliver();
    const { attempts, status: shown } = await row(id);
    assert.deepEqual(
      [shown, attempts.map((one) => one.status_code), receiver.received.length],
      ["pending", [status], 1],
    );
    assert.deepEqual(target.received, []);
  });

for (const [retryAfter, seconds] of [
  ["600", 600],
  ["1", 5],
  ["9999999", 86_400],
  ["soon", 5],
] as const)
  test(`after a 503 with Retry-After: ${retryAfter}, the retry is due in about ${seconds} s`, async (context) => {
    const receiver = await receiverWith(context, 503, { "retry-after": retryAfter });
    const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
    await delivery.deliver();
    const actual = await secondsUntil(id);
    assert.ok(actual > seconds * 0.8 - 60 && actual < seconds * 1.2 + 1, `${actual} s`);
  });

for (const status of [429, 502, 504])
  test(`a ${status} pauses all deliveries of the webhook, except those that someone asks for`, async (context) => {
    const receiver = await receiverWith(context, status, { "retry-after": "600" });
    const webhook = await makeWebhook(t.db, owner, receiver);
    await makeDelivery(t.db, webhook);
    await delivery.deliver();
    const waiting = await makeDelivery(t.db, webhook);
    const asked = await makeDelivery(t.db, webhook);
    await sql`update webhook_deliveries set is_forced = true where id = ${asked}`.execute(t.db);
    receiver.respond = (response) => response.writeHead(204).end();
    await delivery.deliver();
    assert.deepEqual([(await row(waiting)).attempt_count, (await row(asked)).status], [0, "succeeded"]);
    await passTime(t.db);
    await delivery.deliver();
    assert.equal((await row(waiting)).status, "succeeded");
  });

test("other failures pause no other delivery", async (context) => {
  const receiver = await receiverWith(context, 503, { "retry-after": "600" });
  const webhook = await makeWebhook(t.db, owner, receiver);
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  await makeDelivery(t.db, webhook);
  await delivery.deliver();
  assert.equal(receiver.received.length, 2);
});

test("if a further attempt fails, a delivery keeps that it had succeeded or failed", async (context) => {
  const receiver = await openReceiver(context);
  const webhook = await makeWebhook(t.db, owner, receiver);
  const ids = [await makeDelivery(t.db, webhook), await makeDelivery(t.db, webhook)];
  await delivery.deliver();
  await sql`update webhook_deliveries set status = 'failed' where id = ${ids[1]}`.execute(t.db);
  await sql`update webhook_deliveries set is_forced = true, next_attempt_at = clock_timestamp()`.execute(
    t.db,
  );
  receiver.respond = (response) => response.writeHead(500).end();
  await delivery.deliver();
  for (const [n, status] of ["succeeded", "failed"].entries()) {
    const { attempts, is_forced, next_attempt_at, ...rest } = await row(ids[n] as number);
    assert.deepEqual([rest.status, attempts.length, is_forced, next_attempt_at], [status, 2, false, null]);
  }
});

test("a further attempt that is asked for during an attempt is made, too", async (context) => {
  const receiver = await openReceiver(context, (response) => {
    void sql`update webhook_deliveries set is_forced = true, next_attempt_at = clock_timestamp()`
      .execute(t.db)
      .then(() => {
        receiver.respond = (later) => later.writeHead(204).end();
        response.writeHead(204).end();
      });
  });
  const id = await makeDelivery(t.db, await makeWebhook(t.db, owner, receiver));
  await delivery.deliver();
  const { status, attempts, next_attempt_at } = await row(id);
  assert.deepEqual([status, attempts.length, next_attempt_at], ["succeeded", 2, null]);
});

test("only what someone asked for is sent by an inactive webhook, and it is not retried", async (context) => {
  const receiver = await receiverWith(context, 500);
  const webhook = await makeWebhook(t.db, owner, receiver);
  const ids = [await makeDelivery(t.db, webhook), await makeDelivery(t.db, webhook)];
  await sql`update webhooks set active = false`.execute(t.db);
  await sql`update webhook_deliveries set is_forced = true where id = ${ids[1]}`.execute(t.db);
  await delivery.deliver();
  assert.deepEqual(
    await Promise.all(ids.map(async (id) => [(await row(id)).status, (await row(id)).attempt_count])),
    [
      ["pending", 0],
      ["failed", 1],
    ],
  );
});

test("the webhook of a deleted project or workspace sends nothing until that is restored", async (context) => {
  const receiver = await openReceiver(context);
  const own = await makeWorkspace(t.db);
  const { id: project_id } = await makeProject(t.db, own.id);
  await makeDelivery(t.db, await makeWebhook(t.db, { workspace_id: own.id, project_id }, receiver));
  for (const table of ["projects", "workspaces"] as const) {
    await t.db
      .updateTable(table)
      .set({ deleted_at: sql`now()` })
      .execute();
    await delivery.deliver();
    assert.deepEqual(receiver.received, []);
    await t.db.updateTable(table).set({ deleted_at: null }).execute();
  }
  await delivery.deliver();
  assert.equal(receiver.received.length, 1);
});

test("deliveries are deleted after 14 days", async () => {
  const webhook = await makeWebhook(t.db, owner, { url: "https://hooks.example.com/" });
  const ids = [await makeDelivery(t.db, webhook), await makeDelivery(t.db, webhook)];
  await sql`update webhook_deliveries set created_at = now() - interval '14 days 1 second' where id = ${ids[0]}`.execute(
    t.db,
  );
  assert.equal(await deleteOldDeliveries(t.db), 1);
  const rows = await t.db.selectFrom("webhook_deliveries").select("id").execute();
  assert.deepEqual(rows, [{ id: ids[1] }]);
});
