import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WATCH_TIMES } from "../../src/server/db/silence-watch.ts";
import { processesIn } from "../support/embedded-server.ts";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken, makeUser } from "../support/make.ts";
import { makeHome, startServer } from "../support/program.ts";
import { openAppOn } from "../support/test-app.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { startDatabaseProxy } from "../support/tcp-proxy.ts";

const FAST = { connectMs: 1_000, silentMs: 150, answerMs: 1_000, retryMs: 50 };
/** For tests in which the database works, on a machine of any speed. */
const PATIENT = { ...FAST, connectMs: 20_000, answerMs: 20_000 };

async function openBehindProxy(watchTimes = FAST) {
  const clone = await cloneDatabase();
  const proxy = await startDatabaseProxy(clone.url);
  const t = await openAppOn(proxy.url, {}, { watchTimes });
  const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
  return {
    ...t,
    proxy,
    me: t.http.as(token),
    close: async () => {
      await t.close();
      await proxy.close();
      await clone.drop();
    },
  };
}

test("the production limits add up to less than the 5 seconds in which a request must be answered", () => {
  assert.ok(WATCH_TIMES.silentMs + WATCH_TIMES.answerMs < 5_000);
  assert.ok(WATCH_TIMES.connectMs < 5_000);
  assert.ok(WATCH_TIMES.answerMs + WATCH_TIMES.retryMs < 5_000);
});

describe("if the network swallows all packets", () => {
  test("requests return 503 with Retry-After, and later succeed on new connections", async () => {
    const t = await openBehindProxy();
    assert.equal((await t.me.get("/api/profile")).status, 200);
    t.proxy.swallow();
    const first = await Promise.all(Array.from({ length: 20 }, () => t.me.get("/api/profile")));
    for (const { status, headers } of first) assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
    assert.equal(t.database.watch.isSilent, true);
    const opened = t.proxy.connections();
    assert.equal((await t.me.get("/api/profile")).status, 503);
    t.proxy.forward();
    await waitUntil(async () => (await t.me.get("/api/profile")).status === 200);
    assert.ok(t.proxy.connections() > opened);
    await t.close();
  });

  test("the server is not ready, and ready again later", async () => {
    const t = await openBehindProxy();
    await waitUntil(async () => (await t.http.get("/api/ready")).status === 200);
    t.proxy.swallow();
    await waitUntil(async () => (await t.http.get("/api/ready")).status === 503);
    t.proxy.forward();
    await waitUntil(async () => (await t.http.get("/api/ready")).status === 200);
    await t.close();
  });

  test("a transaction that has begun returns 503", async () => {
    const t = await openBehindProxy();
    const isOutage = t.db.transaction().execute(async (tx) => {
      await tx.selectFrom("users").select("id").execute();
      t.proxy.swallow();
      await tx.selectFrom("users").select("id").execute();
    });
    await assert.rejects(isOutage, /does not answer|not queryable/);
    t.proxy.forward();
    await waitUntil(async () => (await t.me.get("/api/profile")).status === 200);
    await t.close();
  });

  test("the server stops without waiting for the database", async () => {
    const t = await openBehindProxy();
    assert.equal((await t.me.get("/api/profile")).status, 200);
    t.proxy.swallow();
    await t.close();
  });
});

test("a connection that became silent is replaced while the others work", async () => {
  const t = await openBehindProxy(PATIENT);
  assert.equal((await t.me.get("/api/profile")).status, 200);
  t.proxy.swallow();
  t.proxy.forward();
  const { status } = await t.me.get("/api/profile");
  assert.equal(status, 503);
  assert.equal(t.database.watch.isSilent, false);
  assert.equal((await t.me.get("/api/profile")).status, 200);
  await t.close();
});

test("a statement may take longer than the database may be silent", async () => {
  const t = await openBehindProxy(PATIENT);
  const { rows } = await t.database.pool.query("select 'done' as result from pg_sleep(1.2)");
  assert.deepEqual(rows, [{ result: "done" }]);
  await t.close();
});

test("a client that reads slowly keeps its connection", async () => {
  const t = await openBehindProxy(PATIENT);
  const client = await t.database.pool.connect();
  const socket = client as unknown as { connection: { stream: { pause(): void; resume(): void } } };
  const waiting = client.query("select 1");
  socket.connection.stream.pause();
  await t.database.pool.query("select pg_sleep(1)");
  socket.connection.stream.resume();
  await waiting;
  client.release();
  await t.close();
});

test("if PostgreSQL is paused, requests return 503 and the server is not ready; both recover when it continues", async () => {
  const home = await makeHome();
  const server = await startServer(home);
  const signalPostgres = (signal: NodeJS.Signals) =>
    processesIn(home.dataDir).forEach((pid) => process.kill(pid, signal));
  const get = (path: string) => fetch(server.url + path);
  const signIn = () =>
    fetch(`${server.url}/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ email: "nobody@example.com", password: "wrong-password" }),
    });
  const before = (await signIn()).status;
  assert.ok(before < 500, String(before));
  signalPostgres("SIGSTOP");
  try {
    const [answer, ready] = await Promise.all([signIn(), get("/api/ready")]);
    assert.deepEqual([answer.status, answer.headers.get("retry-after"), ready.status], [503, "1", 503]);
  } finally {
    signalPostgres("SIGCONT");
  }
  await waitUntil(async () => (await signIn()).status === before && (await get("/api/ready")).status === 200);
  server.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  await home.remove();
});
