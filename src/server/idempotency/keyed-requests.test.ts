import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { request } from "node:http";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { collide } from "../../../test/support/collide.ts";
import { eventually, waitUntil } from "../../../test/support/eventually.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
const { id: workspaceId, admin } = await makeWorkspace(t.db);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The requests that reached their handler. */
let handled: WeakRef<object>[] = [];
subscribe("tracing:fastify.request.handler:start", (message) => {
  handled.push(new WeakRef((message as { request: object }).request));
});

let count = 0;

async function makeSender() {
  const { id } = await makeProject(t.db, workspaceId);
  await makeMember(t.db, id, { user: admin });
  return { id, url: `/api/projects/${id}`, token: await makeProjectToken(t.db, id, admin.id) };
}

type Sent = { url: string; token: string; body: unknown; signal?: AbortSignal | undefined };

/** A POST with an Idempotency-Key of its own, on a connection of its own. */
const post = ({ url, token, body, signal }: Sent) =>
  new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": `key ${++count}`,
    };
    const sent = request(`${base}${url}`, { method: "POST", agent: false, headers, signal });
    sent.once("error", reject).once("response", (answer) => {
      answer
        .resume()
        .once("end", () =>
          resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers["retry-after"] }),
        );
    });
    sent.end(JSON.stringify(body));
  });

const report = { title: "It broke", description: "It broke." };

test("answered requests with a key do not stay in memory", async () => {
  const { url, token } = await makeSender();
  handled = [];
  for (const body of [report, { title: "", unknown: "x".repeat(1_000) }])
    for (let n = 0; n < 10; n++)
      assert.equal((await post({ url: `${url}/reports`, token, body })).status, body === report ? 201 : 422);
  assert.equal(handled.length, 20);
  await eventually(() => {
    collectGarbage();
    return handled.filter((ref) => ref.deref()).length;
  }, 0);
});

test("requests with a key that wait for a lock do not delay those of another credential", async () => {
  const [busy, quiet] = [await makeSender(), await makeSender()];
  const lock = `select from projects where id = ${busy.id} for update`;
  const body = { title: "Wait", type: 1 };
  const token = await makePersonalToken(t.db, admin.id);
  await collide(t.database, lock, async (waiting) => {
    const sent = Array.from({ length: 12 }, () => post({ url: `${busy.url}/issues`, token, body }));
    await waiting(3);
    const quietAnswer = post({ url: `${quiet.url}/reports`, token: quiet.token, body: report });
    assert.equal(
      await Promise.race([quietAnswer.then(() => "quiet"), ...sent.map((busy) => busy.then(() => "busy"))]),
      "quiet",
    );
    assert.equal((await quietAnswer).status, 201);
    return sent;
  });
});

test("a request with a key that cannot begin within five seconds returns 503 with Retry-After", async () => {
  const { id, url } = await makeSender();
  const token = await makePersonalToken(t.db, admin.id);
  const body = { title: "Wait", type: 1 };
  const lock = `select from projects where id = ${id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const send = () => post({ url: `${url}/issues`, token, body });
    const first = [1, 2, 3].map(send);
    await waiting(3);
    const fourth = send();
    assert.equal(await Promise.race([fourth.then(() => "fourth"), ...first]), "fourth");
    assert.deepEqual(await fourth, { status: 503, retryAfter: "1" });
    return first;
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
});

test("a client that disconnects while its request with a key waits for its turn changes nothing", async () => {
  const { id, url } = await makeSender();
  const token = await makePersonalToken(t.db, admin.id);
  const lock = `select from projects where id = ${id} for update`;
  const abort = new AbortController();
  handled = [];
  await collide(t.database, lock, async (waiting) => {
    const send = (title: string, signal?: AbortSignal) =>
      post({ url: `${url}/issues`, token, body: { title, type: 1 }, signal });
    const sent = [1, 2, 3].map(() => send("Wait"));
    await waiting(3);
    const dropped = send("Dropped", abort.signal);
    await waitUntil(() => handled.length === 4);
    abort.abort();
    await assert.rejects(dropped);
    return sent;
  });
  assert.equal((await post({ url: `${url}/issues`, token, body: { title: "Next", type: 1 } })).status, 201);
  const titles = await t.db.selectFrom("issues").select("title").where("project_id", "=", id).execute();
  assert.deepEqual(titles.map(({ title }) => title).sort(), ["Next", "Wait", "Wait", "Wait"]);
});
