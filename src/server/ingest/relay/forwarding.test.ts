import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { openSink, SINK_KEY } from "../../../../test/support/envelope-sink.ts";
import { eventually, waitUntil } from "../../../../test/support/eventually.ts";
import { makeIngestKey, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { eventEnvelope, recordedEnvelope } from "../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ WEBHOOK_ALLOW: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });

async function open(context: TestContext, respond?: Parameters<typeof openSink>[1]) {
  const sink = await openSink(context, respond);
  const project = await openProject(t, workspace);
  const key = await makeIngestKey(t.db, project.id);
  const answer = await project.admin.patch(`/api/projects/${project.id}`, { forward_dsn: sink.dsn });
  assert.equal(answer.status, 200, answer.text);
  const send = async (body: Buffer | string, headers: Record<string, string> = {}, route = "envelope/") => {
    const auth =
      headers["x-sentry-auth"] === undefined && !route.includes("sentry_key") && !headers["no-key"];
    const { "no-key": _, ...others } = headers;
    const response = await fetch(`${base}/api/${project.id}/${route}`, {
      method: "POST",
      body: new Uint8Array(Buffer.from(body)),
      headers: { ...(auth && { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}` }), ...others },
    });
    return { status: response.status, text: await response.text() };
  };
  const forwarding = async () => (await project.admin.get(`/api/projects/${project.id}/forwarding`)).body;
  return { sink, project, key, send, forwarding };
}

/** The first request of a key goes through the framework, the next ones past it. */
const TWICE = [1, 2];

const anEvent = (message: string, header = {}) =>
  eventEnvelope({ exception: { values: [{ type: "Error", value: message }] } }, header);

const bytesOf = ({ received }: { received: { body: Buffer }[] }) => received.map(({ body }) => body);

test("what an SDK sends reaches the other server byte for byte, with its own key", async (context) => {
  const { sink, send, forwarding } = await open(context);
  const sent = TWICE.map((n) => gzipSync(anEvent(String(n))));
  for (const [n, body] of sent.entries()) {
    const headers = { "content-encoding": "gzip", "content-type": "text/plain", "user-agent": "sdk/1" };
    assert.equal((await send(body, headers)).status, 200);
    await waitUntil(() => sink.received.length === n + 1);
  }
  assert.deepEqual(bytesOf(sink), sent);
  for (const { url, headers } of sink.received) {
    assert.equal(url, "/api/7/envelope/");
    assert.equal(headers["x-sentry-auth"], `Sentry sentry_version=7, sentry_key=${SINK_KEY}`);
    assert.equal(headers["content-encoding"], "gzip");
    assert.equal(headers["content-type"], "text/plain");
    assert.equal(headers["user-agent"], "sdk/1");
  }
  await eventually(async () => (await forwarding()).sent, 2);
});

test("envelopes without events, and bodies that are not compressed, are forwarded too", async (context) => {
  const { sink, send } = await open(context);
  const sent = [recordedEnvelope("session"), anEvent("plain"), recordedEnvelope("session")].map((body) =>
    Buffer.from(body),
  );
  for (const [n, body] of sent.entries()) {
    assert.equal((await send(body)).status, 200);
    await waitUntil(() => sink.received.length === n + 1);
  }
  assert.deepEqual(bytesOf(sink), sent);
});

test("a key in the query is replaced there, and what else is in it stays", async (context) => {
  const { sink, send, key } = await open(context);
  for (const n of TWICE) {
    await send(anEvent(String(n)), {}, `envelope/?sentry_version=7&sentry_key=${key}&sentry_client=sdk%2F1`);
    await waitUntil(() => sink.received.length === n);
  }
  for (const { url, headers } of sink.received) {
    assert.equal(url, `/api/7/envelope/?sentry_version=7&sentry_key=${SINK_KEY}&sentry_client=sdk%2F1`);
    assert.equal(headers["x-sentry-auth"], undefined);
  }
});

test("a DSN in the envelope's first line is replaced, whether it is compressed or not", async (context) => {
  const { sink, send, key, project } = await open(context);
  const dsn = `http://${key}@localhost/${project.id}`;
  await send(anEvent("plain", { dsn }), { "no-key": "1" });
  await send(gzipSync(anEvent("gzip", { dsn })), { "no-key": "1", "content-encoding": "gzip" });
  await waitUntil(() => sink.received.length === 2);
  for (const { headers, body } of sink.received) {
    const isGzip = headers["content-encoding"] === "gzip";
    const [header = "", ...rest] = (isGzip ? gunzipSync(body) : body).toString().split("\n");
    assert.deepEqual(JSON.parse(header), { dsn: sink.dsn });
    assert.equal(
      rest.join("\n"),
      anEvent(isGzip ? "gzip" : "plain")
        .toString()
        .split("\n")
        .slice(1)
        .join("\n"),
    );
    assert.equal(headers["x-sentry-auth"], `Sentry sentry_version=7, sentry_key=${SINK_KEY}`);
  }
});

test("large envelopes and other encodings are forwarded as they were sent", async (context) => {
  const { sink, send } = await open(context);
  const large = anEvent("x".repeat(900_000));
  assert.equal((await send(large)).status, 200);
  await waitUntil(() => sink.received.length === 1);
  const brotli = brotliCompressSync(anEvent("brotli"));
  assert.equal((await send(brotli, { "content-encoding": "br" })).status, 200);
  await waitUntil(() => sink.received.length === 2);
  assert.deepEqual(bytesOf(sink), [large, brotli]);
});

test("events of old SDKs and security reports go to the same routes of the other server", async (context) => {
  const { sink, send, key } = await open(context);
  assert.equal((await send('{"message":"old"}', {}, "store/")).status, 200);
  await waitUntil(() => sink.received.length === 1);
  const report = JSON.stringify({
    "csp-report": { "violated-directive": "img-src", "blocked-uri": "https://x.test" },
  });
  const { status } = await send(report, {}, `security/?sentry_key=${key}&sentry_release=1.0`);
  assert.equal(status, 200);
  await waitUntil(() => sink.received.length === 2);
  assert.deepEqual(
    sink.received.map(({ url, body }) => [url, body.toString()]),
    [
      ["/api/7/store/", '{"message":"old"}'],
      [`/api/7/security/?sentry_key=${SINK_KEY}&sentry_release=1.0`, report],
    ],
  );
});

test("the response is sent before the other server answers", async (context) => {
  const answers: (() => void)[] = [];
  const { sink, send, forwarding } = await open(context, (response) => answers.push(() => response.end()));
  for (const n of TWICE) {
    assert.equal((await send(anEvent(String(n)))).status, 200);
    await waitUntil(() => sink.received.length === n);
  }
  assert.equal((await forwarding()).sent, 0);
  for (const answer of answers) answer();
  await eventually(async () => (await forwarding()).sent, 2);
});

test("what is rejected is not forwarded", async (context) => {
  const { sink, send, project } = await open(context);
  assert.equal((await send("not an envelope")).status, 400);
  assert.equal((await send(anEvent("x".repeat(1_100_000)))).status, 413);
  const foreign = { "x-sentry-auth": `Sentry sentry_key=${"0".repeat(32)}` };
  assert.equal((await send(anEvent("wrong key"), foreign)).status, 403);
  await t.db
    .updateTable("workspaces")
    .set({ error_tracking_enabled: false })
    .where("id", "=", workspace.id)
    .execute();
  try {
    await eventually(async () => (await send(anEvent("off"))).status, 403);
  } finally {
    await project.admin.patch(`/api/workspaces/${workspace.id}`, { features: { error_tracking: true } });
  }
  const before = sink.received.length;
  const accepted = anEvent("accepted");
  await eventually(async () => (await send(accepted)).status, 200);
  await waitUntil(() => sink.received.length > before);
  assert.ok(sink.received.every(({ body }) => body.equals(accepted) || body.includes('"off"')));
});

test("what another Signalbox forwarded is accepted, and not forwarded again", async (context) => {
  const { sink, send, project } = await open(context);
  assert.equal((await send(anEvent("own"))).status, 200);
  await waitUntil(() => sink.received.length === 1);
  const mark = String(sink.received[0]?.headers["signalbox-forwarded"]);
  for (const n of TWICE)
    assert.equal((await send(anEvent(`forwarded ${n}`), { "signalbox-forwarded": mark })).status, 200);
  assert.equal((await send(anEvent("last"))).status, 200);
  await waitUntil(() => sink.received.length === 2);
  assert.ok(sink.received[1]?.body.includes("last"));
  const groups = await project.admin.get(project.groups);
  assert.equal(
    groups.body.data.reduce(
      (sum: number, group: { occurrence_count: number }) => sum + group.occurrence_count,
      0,
    ),
    4,
  );
});

test("native events are not forwarded", async (context) => {
  const { sink, send, project } = await open(context);
  await project.send();
  assert.equal((await send(anEvent("an SDK's"))).status, 200);
  await waitUntil(() => sink.received.length === 1);
  assert.ok(sink.received[0]?.body.includes("an SDK's"));
});

test("a new DSN starts new counts, and without one there are none", async (context) => {
  const { sink, send, project, forwarding } = await open(context);
  assert.equal((await send(anEvent("first"))).status, 200);
  await eventually(async () => (await forwarding()).sent, 1);
  const other = await openSink(context);
  await project.admin.patch(`/api/projects/${project.id}`, { forward_dsn: other.dsn });
  const { since, ...counts } = await forwarding();
  assert.deepEqual(counts, { sent: 0, failed: 0, dropped: 0, last_error: null });
  assert.equal(typeof since, "string");
  assert.equal((await send(anEvent("second"))).status, 200);
  await waitUntil(() => other.received.length === 1);
  await project.admin.patch(`/api/projects/${project.id}`, { forward_dsn: null });
  assert.deepEqual(await forwarding(), { sent: 0, failed: 0, dropped: 0, last_error: null, since: null });
  assert.equal((await send(anEvent("third"))).status, 200);
  assert.deepEqual([sink.received.length, other.received.length], [1, 1]);
});
