import assert from "node:assert/strict";
import { Agent, request, type ClientRequest } from "node:http";
import { test } from "node:test";
import { collide } from "../../../test/support/collide.ts";
import { listenTo } from "../../../test/support/event-stream.ts";
import { waitUntil } from "../../../test/support/eventually.ts";
import { makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { openTestApp, type TestApp } from "../../../test/support/test-app.ts";

/** Clients that disconnect during a database query. */

const AT_ONCE = 64;

/** Sends requests, waits until all have arrived and the first waits for the lock, then disconnects. */
async function sendAndLeave(t: TestApp, lock: string, url: string, token: string, count: number) {
  const agent = new Agent({ keepAlive: false });
  let arrived = 0;
  t.app.server.on("request", () => arrived++);
  const connections = () =>
    new Promise<number>((resolve) => t.app.server.getConnections((_error, open) => resolve(open)));
  await collide(t.database, lock, async (waiting) => {
    const sent = Array.from({ length: count }, (): ClientRequest => {
      const one = request(url, { agent, headers: { authorization: `Bearer ${token}` } });
      one.on("error", () => {}).end();
      return one;
    });
    await waitUntil(() => arrived === count);
    await waiting(1);
    for (const one of sent) one.destroy();
    await waitUntil(async () => (await connections()) === 0);
    return [];
  });
}

test("a client that disconnects during the credential lookup leaks no request slot", async () => {
  const t = await openTestApp();
  try {
    const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
    const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
    const lock = "lock table personal_tokens in access exclusive mode";
    await sendAndLeave(t, lock, `${base}/api/profile`, token, AT_ONCE);
    const client = t.http.as(token);
    await waitUntil(async () => (await client.get("/api/profile")).status === 200);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => client.get("/api/profile")));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  } finally {
    await t.close();
  }
});

test("a client that disconnects before its event stream starts leaks no stream", async () => {
  const t = await openTestApp({}, { live: { maxStreams: 1 } });
  try {
    const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
    const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
    await sendAndLeave(t, "lock table rate_limits in exclusive mode", `${base}/api/events`, token, 1);
    const stream = await listenTo(base, { authorization: `Bearer ${token}` });
    stream.close();
    assert.equal(stream.status, 200);
  } finally {
    await t.close();
  }
});
