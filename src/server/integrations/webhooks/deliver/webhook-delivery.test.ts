import assert from "node:assert/strict";
import { beforeEach, test, type TestContext } from "node:test";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { eventually } from "../../../../../test/support/eventually.ts";
import { furtherMessagesTo, mailsTo } from "../../../../../test/support/inbox.ts";
import { makeMember, makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { ALLOW_LOCAL, openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import {
  makeDelivery,
  makeWebhook,
  passTime,
  readDeliveryRow,
  type TestWebhook,
} from "../../../../../test/support/webhooks.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { deleteOldDeliveries } from "./delete-old-deliveries.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspace.id);
const owner = { workspace_id: workspace.id, project_id: project.id };
const publicUrl = () => "https://track.example.com";
const delivery = new WebhookDelivery(t.db, { allowed: ALLOW_LOCAL, publicUrl });

beforeEach(() => t.db.deleteFrom("webhooks").execute());

const row = (id: number) => readDeliveryRow(t.db, id);
const webhookRow = (webhook: TestWebhook) =>
  t.db.selectFrom("webhooks").selectAll().where("id", "=", webhook.id).executeTakeFirstOrThrow();

const secondsUntil = async (id: number) => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from next_attempt_at - clock_timestamp())::float8 as seconds from webhook_deliveries
    where id = ${id}`.execute(t.db);
  return rows[0]?.seconds ?? 0;
};

const receiverWith = async (context: TestContext, status: number, headers: Record<string, string> = {}) =>
  openReceiver(context, (response) => response.writeHead(status, headers).end());

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
  const other = new WebhookDelivery(t.db, { allowed: ALLOW_LOCAL, publicUrl });
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
  const shortRuns = new WebhookDelivery(t.db, { allowed: ALLOW_LOCAL, publicUrl, runMs: 1 });
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
