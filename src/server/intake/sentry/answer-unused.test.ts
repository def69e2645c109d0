import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { request } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { eventually } from "../../../../test/support/eventually.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { envelope, eventEnvelope, recordedEnvelope } from "../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const reader = t.http.as(await makePersonalToken(t.db, admin.id));
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });

/** Requests that a route has handled. */
let routed = 0;
subscribe("tracing:fastify.request.handler:start", () => void routed++);

type Sent = { headers?: Record<string, string>; path?: string };
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
  const groups = async () => (await reader.get(`${project}/error-groups`)).body.data as { id: number }[];
  return { id, project, send, sendKnown, groups };
}

const SESSION = recordedEnvelope("session");

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
          const byRoute = await send(gzipSync(SESSION), {
            path,
            headers: { ...headers, "content-encoding": "gzip" },
          });
          assert.deepEqual([byRoute.status, byRoute.body, byRoute.isEarly], [200, "{}", false]);
          const { isEarly: _, ...answer } = await early(() => send(SESSION, { path, headers }));
          const { isEarly: __, ...expected } = byRoute;
          assert.deepEqual(answer, expected);
        }
      }
});

test("envelopes with an event or feedback, malformed and empty ones are left to the route", async () => {
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
