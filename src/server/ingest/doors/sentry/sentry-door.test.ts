import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { eventually } from "../../../../../test/support/eventually.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { envelope, eventEnvelope, recordedEnvelope } from "../../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp({ LIMIT_INGEST: "10000" }, { silentMs: 1_000 });
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const reader = t.http.as(await makePersonalToken(t.db, admin.id));
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });

/** Requests that a route has handled. */
let routed = 0;
subscribe("tracing:fastify.request.handler:start", () => void routed++);

type Sent = { headers?: Record<string, string>; path?: string };
type Group = { id: number; exception_class: string };
type Answer = { status: number; headers: Record<string, string>; body: string; isEarly: boolean };

/** A new project, and how to send to it over a connection. */
async function open(allowed_origins: string[] = []) {
  const { id } = await makeProject(t.db, workspaceId);
  const key = await makeIngestKey(t.db, id, { allowed_origins });
  const project = `/api/projects/${id}`;
  const send = async (body: string | Buffer, { headers = {}, path = `${id}/envelope/` }: Sent = {}) => {
    const before = routed;
    const answer = await post(`${base}/api/${path}?sentry_version=7&sentry_key=${key}`, body, headers);
    return { ...answer, isEarly: routed === before };
  };
  /** The first request makes the key known, for a second. */
  const sendKnown = async (body: string | Buffer, sent: Sent = {}): Promise<Answer> => {
    await send(SESSION);
    return send(body, sent);
  };
  const groups = async () => (await reader.get(`${project}/error-groups`)).body.data as Group[];
  return { id, key, project, send, sendKnown, groups };
}

const SESSION = recordedEnvelope("session");

/** Only the route decompresses this. */
const DEFLATED = { "content-encoding": "deflate" };
const GZIPPED = { "content-encoding": "gzip" };

/** Like Node's SDK, without a length if the headers say so. */
function post(url: string, body: string | Buffer, headers: Record<string, string>) {
  return new Promise<Omit<Answer, "isEarly">>((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        const { date: _, ...rest } = response.headers as Record<string, string>;
        resolve({ status: response.statusCode ?? 0, headers: rest, body: text });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const WARM = eventEnvelope({ exception: { values: [{ type: "Warm", value: "w" }] } });

/** The first events of a project take permits in advance for the next ones. */
const FIRST_EVENTS = 5;

/** A new project whose event was answered early. Other load may delay it until key or permits are no longer known. */
async function sendEarly(body: string | Buffer, sent: Sent = {}) {
  for (let n = 0; n < 50; n++) {
    const project = await open();
    for (let event = 0; event < FIRST_EVENTS; event++) await project.send(WARM);
    const answer = await project.send(body, sent);
    if (answer.isEarly) return { ...project, answer };
  }
  throw new Error("no event was answered early");
}

async function sendByRoute(body: string | Buffer) {
  const project = await open();
  await project.send(WARM);
  return { ...project, answer: await project.send(deflateSync(body), { headers: DEFLATED }) };
}

/** What is stored of the project's events, without ids, times and hashes of users. */
async function stored({ project, groups }: Awaited<ReturnType<typeof open>>) {
  const found = (await groups()).filter(({ exception_class }) => exception_class !== "Warm");
  const texts = found.flatMap(({ id }) => [
    `${project}/error-groups/${id}`,
    `${project}/error-groups/${id}/events/latest`,
  ]);
  const answers = await Promise.all(texts.map(async (url) => (await reader.get(url)).body as unknown));
  return JSON.parse(JSON.stringify(answers), (key, value: unknown) =>
    VARYING.test(key) ? null : value,
  ) as unknown[];
}

const VARYING = /^(?:id|(?:error_)?group_id|project_id|user|.*_at|first_seen|last_seen)$/;

/** Other load may delay a request until its key is no longer known. */
async function early(send: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await eventually(async () => (answer = await send()).isEarly, true);
  return answer as Answer;
}

test("an envelope without any used item gets the answer of the route without reaching it", async () => {
  for (const origins of [[], ["https://shop.example"]])
    for (const origin of [{}, { origin: "https://shop.example" }])
      for (const more of [{}, { "transfer-encoding": "chunked" }]) {
        const { send, id } = await open(origins);
        for (const path of [`${id}/envelope`, `${id}/envelope/`]) {
          const headers = { ...origin, ...more };
          const byRoute = await send(deflateSync(SESSION), { path, headers: { ...headers, ...DEFLATED } });
          assert.deepEqual([byRoute.status, byRoute.body, byRoute.isEarly], [200, "{}", false]);
          const { isEarly: _, ...answer } = await early(() => send(SESSION, { path, headers }));
          const { isEarly: __, ...expected } = byRoute;
          assert.deepEqual(answer, expected);
        }
      }
});

const PERSONAL = {
  event_id: "c".repeat(32),
  message: "ann@example.com paid with 4111 1111 1111 1111",
  user: { id: "k_8817", email: "ann@example.com", ip_address: "203.0.113.7" },
  request: { url: "https://shop.example/pay?card=1", headers: { Cookie: "sid=1" } },
  extra: { password: "hunter2", note: "k_8817 from 203.0.113.7", constructor: 1 },
};
const WRONG = { event_id: "c".repeat(32), exception: { values: [1, { type: {}, stacktrace: [] }] }, tags: 1 };

const EVENTS = {
  "a recorded event": recordedEnvelope("event", "PaymentError"),
  "personal data": eventEnvelope(PERSONAL),
  "values of the wrong type": eventEnvelope(WRONG),
};

for (const [name, body] of Object.entries(EVENTS))
  test(`${name}: the answer and what is stored are those of the route`, async () => {
    const byRoute = await sendByRoute(body);
    assert.deepEqual([byRoute.answer.status, byRoute.answer.isEarly], [200, false]);
    const expected = await stored(byRoute);
    assert.equal(expected.length, 2);
    for (const project of [
      await sendEarly(body),
      await sendEarly(gzipSync(body), { headers: GZIPPED }),
      await sendEarly(body, { headers: { "transfer-encoding": "chunked" } }),
    ]) {
      assert.deepEqual(await stored(project), expected);
      assert.deepEqual(withoutLimits(project.answer), withoutLimits(byRoute.answer));
    }
  });

test("an event that is not JSON gets the 400 of the route, and one that is not stored gets its id", async () => {
  for (const payload of ["{", "[1]", '{"level":"debug"}', '{"type":"transaction"}']) {
    const body = envelope([{ header: { type: "event" }, payload }], { header: { event_id: "d".repeat(32) } });
    const [{ answer }, byRoute] = [await sendEarly(body), await sendByRoute(body)];
    assert.equal(answer.status, payload === "{" ? 400 : 200);
    assert.deepEqual(withoutLimits(answer), withoutLimits(byRoute.answer));
  }
});

/** What remains of the limit, and which way was taken, differ. */
const withoutLimits = ({ status, headers, body }: Answer) => {
  const { "x-ratelimit-remaining": _, ...rest } = headers;
  return { status, headers: rest, body };
};

test("a body that arrives in pieces is stored, and one that never ends gets 408", async () => {
  const { id, key, send, groups } = await open();
  await early(() => send(WARM));
  const body = eventEnvelope({ exception: { values: [{ type: "Slow", value: "ü".repeat(5_000) }] } });
  const sockets = [body.length, body.length + 1].map((length) => {
    const socket = connect((t.app.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
    socket.write(
      `POST /api/${id}/envelope/ HTTP/1.1\r\nHost: x\r\nX-Sentry-Auth: Sentry sentry_key=${key}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (let at = 0; at < body.length; at += 3_000) socket.write(body.subarray(at, at + 3_000));
    return socket;
  });
  const statuses = await Promise.all(
    sockets.map(async (socket) => String((await once(socket, "data"))[0]).slice(9, 12)),
  );
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(statuses, ["200", "408"]);
  assert.equal((await groups()).filter(({ exception_class }) => exception_class === "Slow").length, 1);
});

test("envelopes with feedback or several items, malformed and empty ones get the same answers as from the route", async () => {
  const { project, sendKnown, groups } = await open();
  const event = { event_id: "a".repeat(32), exception: { values: [{ type: "TypeError", value: "x" }] } };
  const session = { header: { type: "session" }, payload: "{}" };
  const last = envelope([session, { header: { type: "event" }, payload: JSON.stringify(event) }]);
  assert.equal((await sendKnown(eventEnvelope({ ...event, event_id: "b".repeat(32) }))).status, 200);
  assert.deepEqual(JSON.parse((await sendKnown(last)).body), { id: "a".repeat(32) });
  assert.equal((await groups()).length, 1);
  assert.equal((await sendKnown(recordedEnvelope("feedback"))).status, 200);
  assert.equal((await reader.get(`${project}/reports`)).body.length, 1);
  for (const malformed of ["", "no JSON\n", '{}\n{"type":"session","length":99}\n{}'])
    assert.equal((await sendKnown(malformed)).status, 400, malformed);
});

test("a key that is disabled, of another project or used from a foreign origin gets 403", async () => {
  const { id, project, send, sendKnown } = await open(["https://shop.example"]);
  const other = await open();
  assert.equal((await sendKnown(SESSION, { path: `${other.id}/envelope/` })).status, 403);
  const twoKeys = await sendKnown(SESSION, { path: `${id}/envelope/?sentry_key=unknown&tunnel=` });
  assert.equal(twoKeys.status, 403, "the first key counts");
  const foreign = await sendKnown(SESSION, { headers: { origin: "https://evil.example" } });
  assert.deepEqual([foreign.status, foreign.headers["access-control-allow-origin"]], [403, undefined]);
  const [key] = (await reader.get(`${project}/ingest-keys`)).body.data;
  assert.equal((await reader.patch(`${project}/ingest-keys/${key.id}`, { active: false })).status, 200);
  assert.equal((await send(SESSION, { path: `${id}/envelope/` })).status, 403);
});

test("items that were skipped early are counted in the usage, and the requests in the metrics", async () => {
  const { project, send } = await open();
  const items = [1, 2, 3].map(() => ({ header: { type: "client_report" }, payload: "{}" }));
  const metric =
    /http_request_seconds_count\{method="POST",route="\/api\/:projectId\/envelope\/",status="2xx"\} (\d+)/;
  const counted = async () => Number(metric.exec((await reader.get("/api/metrics")).text)?.[1] ?? 0);
  const before = await counted();
  let sent = 0;
  await early(() => {
    sent++;
    return send(envelope(items));
  });
  assert.equal((await counted()) - before, sent);
  const discarded = async () => (await reader.get(`${project}/usage?days=1`)).body.data.at(-1)?.discarded;
  await eventually(discarded, sent * items.length);
});
