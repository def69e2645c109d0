import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../test/support/board.ts";
import { type Client, refusalOf } from "../../../test/support/client.ts";
import { collide } from "../../../test/support/collide.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../test/support/make.ts";
import { eventually, waitUntil } from "../../../test/support/eventually.ts";
import { makeBrowser, openHangingService, openPushService } from "../../../test/support/push-service.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { encryptPayload } from "./encrypt-payload.ts";
import { lookUpPublic } from "./public-address.ts";
import { PushDelivery } from "./push-delivery.ts";

const PUBLIC = "https://track.example.com";
const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const delivery = new PushDelivery(t.db, () => PUBLIC, { toInternal: true });

let service: Awaited<ReturnType<typeof openPushService>>;
let user: TestUser;
let client: Client;
const browser = makeBrowser();
beforeEach(async (context) => {
  await t.db.deleteFrom("push_subscriptions").execute();
  service = await openPushService();
  (context as { after(work: () => Promise<void>): void }).after(() => service.close());
  user = await makeMember(t.db, board.id);
  client = t.http.withCookie(await makeCookie(t.db, user.id));
});

const url = "/api/push-subscriptions";
const ENDPOINT = "https://push.example.com/send/1";
const subscribe = (endpoint = ENDPOINT, by = client) => by.post(url, { endpoint, keys: browser.keys });
const unsubscribe = (by: Client, endpoint = ENDPOINT) =>
  by.send({
    method: "DELETE",
    url,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ endpoint }),
  });
const endpoints = async () =>
  (await t.db.selectFrom("push_subscriptions").select("endpoint").orderBy("id").execute()).map(
    (row) => row.endpoint,
  );
const waiting = async () =>
  (await t.db.selectFrom("push_messages").select("attempts").execute()).map((row) => row.attempts);

/** Subscribes the user's browser at the local service, which the API would refuse. */
async function subscribeHere() {
  assert.equal((await subscribe()).status, 204);
  await t.db
    .updateTable("push_subscriptions")
    .set({ endpoint: `${service.url}/send/1` })
    .execute();
}

/** Mentions a person, the user by default, in a comment. */
async function mention(words = "secret words", person = user) {
  const issue = await board.make({ title: "Checkout fails" });
  const { status } = await board.admin.post(`${board.issues}/${issue.id}/comments`, {
    content: `@${person.username} ${words}`,
  });
  assert.equal(status, 201);
  return issue;
}

const makeDue = () => sql`update push_messages set due_at = now()`.execute(t.db);

test("a new entry is sent to the browser, encrypted, with its title and link only", async () => {
  await subscribeHere();
  const issue = await mention();
  await delivery.deliver();
  const [push, ...more] = service.received;
  assert.ok(push);
  assert.deepEqual([push.path, push.headers["content-encoding"], more], ["/send/1", "aes128gcm", []]);
  const { path, ...rest } = browser.read(push.body);
  assert.match(path, new RegExp(`^/projects/${board.key}/issues/${issue.key}#comment-\\d+$`));
  assert.deepEqual(rest, { title: `Ada Moss mentioned you on ${issue.key} “Checkout fails”` });
  assert.deepEqual(await waiting(), []);
});

test("a message is signed with the key that browsers subscribe with", async () => {
  const key = (await client.get("/api/push-key")).body.public_key as string;
  await subscribe();
  assert.deepEqual((await client.get("/api/push-key")).body, { public_key: key, endpoints: [ENDPOINT] });
  const elsewhere = t.http.withCookie(await makeCookie(t.db, user.id));
  assert.deepEqual((await elsewhere.get("/api/push-key")).body, { public_key: key, endpoints: [] });
  await subscribeHere();
  await mention();
  await delivery.deliver();
  const authorization = String(service.received[0]?.headers["authorization"]);
  const [, token = "", k] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  assert.equal(k, key);
  const [head = "", claims = "", signature = ""] = token.split(".");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  assert.deepEqual([aud, sub], [service.url, PUBLIC]);
  const hours = (exp - Date.now() / 1_000) / 3_600;
  assert.ok(hours > 0 && hours < 24, String(hours));
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: x as string, y: y as string },
    format: "jwk",
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", signed, options, Buffer.from(signature, "base64url")));
});

test("the encryption yields the example of RFC 8291", () => {
  const body = encryptPayload(
    "When I grow up, I want to be a watermelon",
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    {
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
      privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
    },
  );
  assert.equal(
    body.toString("base64url"),
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

for (const status of [404, 410])
  test(`${status} ends the subscription`, async () => {
    await subscribeHere();
    await mention();
    service.status = status;
    await delivery.deliver();
    assert.deepEqual([await endpoints(), await waiting()], [[], []]);
  });

for (const status of [429, 503])
  test(`${status} is retried, and after five attempts the message is dropped`, async () => {
    await subscribeHere();
    await mention();
    service.status = status;
    for (const attempts of [[1], [2], [3], [4], []]) {
      await delivery.deliver();
      assert.deepEqual(await waiting(), attempts);
      await makeDue();
    }
    assert.equal((await endpoints()).length, 1);
  });

test("the other messages of a subscription wait for the retry of one that failed", async () => {
  await subscribeHere();
  for (let count = 0; count < 3; count++) await mention();
  service.status = 503;
  await delivery.deliver();
  assert.deepEqual([service.received.length, (await waiting()).toSorted()], [1, [0, 0, 1]]);
  service.status = 201;
  await makeDue();
  await delivery.deliver();
  assert.deepEqual([service.received.length, await waiting()], [4, []]);
});

test("a push service that does not answer delays no messages of other people", async () => {
  const hanging = await openHangingService();
  await subscribe();
  const url = `${hanging.url}/send/1`;
  await t.db.updateTable("push_subscriptions").set({ endpoint: url }).execute();
  for (let count = 0; count < 3; count++) await mention();
  const other = await makeMember(t.db, board.id);
  await subscribe(`${ENDPOINT}-other`, t.http.withCookie(await makeCookie(t.db, other.id)));
  await t.db
    .updateTable("push_subscriptions")
    .set({ endpoint: `${service.url}/send/2` })
    .where("user_id", "=", other.id)
    .execute();
  // The message becomes due during the attempt that hangs, which must not end before.
  await mention("for later", other);
  await sql`update push_messages m set due_at = now() + interval '1 hour' from push_subscriptions s
    where s.id = m.subscription_id and s.user_id = ${other.id}`.execute(t.db);
  const stopping = new AbortController();
  const delivered = delivery.deliver(stopping.signal);
  await waitUntil(() => hanging.requests() === 1);
  await makeDue();
  await waitUntil(() => service.received.length === 1);
  await eventually(async () => (await waiting()).toSorted(), [0, 0, 1]);
  assert.equal(hanging.requests(), 1);
  stopping.abort();
  await delivered;
  await hanging.close();
});

test("a lost connection is retried, and any other response is final", async () => {
  await subscribeHere();
  await mention();
  await service.close();
  await delivery.deliver();
  assert.deepEqual(await waiting(), [1]);
  service = await openPushService();
  await sql`update push_subscriptions set endpoint = ${service.url}`.execute(t.db);
  await makeDue();
  service.status = 400;
  await delivery.deliver();
  assert.deepEqual([await waiting(), service.received.length], [[], 1]);
});

test("a service at an internal address is not called", async () => {
  await subscribeHere();
  await mention();
  const { port } = new URL(service.url);
  await sql`update push_subscriptions set endpoint = ${`https://localhost:${port}/send`}`.execute(t.db);
  await new PushDelivery(t.db, () => PUBLIC).deliver();
  assert.deepEqual([service.received, await waiting()], [[], [1]]);
});

for (const endpoint of [
  "http://push.example.com/send",
  "https://127.0.0.1/send",
  "https://[::1]/send",
  "https://localhost/send",
  "https://printer.local/send",
  "https://db.internal/send",
  "https://push.example.com:8443/send",
  "https://user:password@push.example.com/send",
  "nonsense",
])
  test(`the endpoint ${endpoint} is refused`, async () => {
    const answer = await subscribe(endpoint);
    assert.deepEqual(
      [answer.status, Object.keys(answer.body.errors), await endpoints()],
      [422, ["endpoint"], []],
    );
  });

test("a name that resolves to internal addresses only has no public address", async () => {
  const error = await new Promise((resolve) => lookUpPublic("localhost", {}, resolve));
  assert.match(String(error), /localhost has no public address/);
});

test("keys that are not of the right length are refused", async () => {
  const answer = await client.post(url, { endpoint: ENDPOINT, keys: { p256dh: "AAAA", auth: "AAAA" } });
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["keys.p256dh", "keys.auth"]]);
});

test("an endpoint with a NUL character returns 422", async () => {
  const withNul = `${ENDPOINT}\0`;
  for (const answer of [await subscribe(withNul), await unsubscribe(client, withNul)])
    assert.deepEqual(refusalOf(answer), [422, "endpoint"]);
});

test("a subscription is ended by its owner only, and ends with its session", async () => {
  await subscribe();
  const other = t.http.withCookie(await makeCookie(t.db, (await makeMember(t.db, board.id)).id));
  assert.equal((await unsubscribe(other)).status, 204);
  assert.deepEqual(await endpoints(), [ENDPOINT]);
  assert.equal((await unsubscribe(client)).status, 204);
  assert.deepEqual(await endpoints(), []);
  await subscribe();
  assert.equal((await client.delete("/api/session")).status, 204);
  assert.deepEqual(await endpoints(), []);
});

test("a browser whose session ends meanwhile is not subscribed, and signs in again", async () => {
  const lock = `delete from sessions where user_id = ${user.id}`;
  const [answer] = await collide(t.database, lock, async (waiting) => {
    const request = subscribe();
    await waiting(1);
    return [request];
  });
  assert.equal(answer?.status, 401, answer?.text);
  assert.deepEqual(await endpoints(), []);
});

test("a browser that another account used before gets only messages of the new one", async () => {
  await subscribe();
  await mention();
  const other = t.http.withCookie(await makeCookie(t.db, (await makeMember(t.db, board.id)).id));
  assert.equal((await subscribe(ENDPOINT, other)).status, 204);
  assert.deepEqual([await endpoints(), await waiting()], [[ENDPOINT], []]);
  await mention();
  assert.deepEqual(await waiting(), []);
});

test("a person has at most 20 browsers, and repeating a subscription does not count", async () => {
  for (let n = 1; n <= 20; n++) assert.equal((await subscribe(`https://push.example.com/${n}`)).status, 204);
  assert.equal((await subscribe("https://push.example.com/21")).status, 422);
  assert.equal((await subscribe("https://push.example.com/7")).status, 204);
  assert.equal((await endpoints()).length, 20);
});

test("a personal token cannot subscribe", async () => {
  const token = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await subscribe(ENDPOINT, token)).status, 403);
});
