import assert from "node:assert/strict";
import { test } from "node:test";
import * as zlib from "node:zlib";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { envelope, eventEnvelope, recordedEnvelope, recorded } from "../../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const reader = t.http.as(await makePersonalToken(t.db, admin.id));

type Sending = { path?: string; query?: string; headers?: Record<string, string>; method?: string };

/** A new project, and how to send to it. */
async function fresh(options: Parameters<typeof makeIngestKey>[2] = {}) {
  const { id } = await makeProject(t.db, workspaceId);
  const key = await makeIngestKey(t.db, id, options);
  const send = (
    payload: Buffer | string,
    { path = "envelope/", query, headers = {}, method = "POST" }: Sending = {},
  ) => t.http.send({ method, url: `/api/${id}/${path}?${query ?? `sentry_key=${key}`}`, headers, payload });
  const groups = async () => {
    const { body } = await reader.get(`/api/projects/${id}/error-groups`);
    return body.data as { id: number; exception_class: string; occurrence_count: number }[];
  };
  return { id, key, send, groups };
}

const EVENT_ID = "dc75a869e5c84f488963e5796ce9176d";
const failure = (message = "boom") => ({
  event_id: EVENT_ID,
  exception: { values: [{ type: "TypeError", value: message }] },
});

test("an event that an unmodified SDK sent is stored and its id is returned after the commit", async () => {
  const { send, groups } = await fresh();
  const answer = await send(recordedEnvelope("event", "unhandled one"));
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.body.id, /^[0-9a-f]{32}$/);
  const [group, ...others] = await groups();
  assert.deepEqual(others, []);
  assert.equal(group?.occurrence_count, 1);
});

test("everything that SDKs send is accepted, and only events become groups", async () => {
  const { send, groups } = await fresh();
  for (const sdk of ["node-10.78.0", "browser-10.78.0"] as const)
    for (const { body } of recorded(sdk)) {
      const answer = await send(body);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(
        answer.body.id !== undefined,
        body.split("\n", 2)[1]?.includes('"event"'),
        body.slice(0, 300),
      );
    }
  const counts = (await groups()).map((group) => group.occurrence_count);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    7,
  );
});

const ENCODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
  identity: (bytes) => bytes,
};

for (const [encoding, encode] of Object.entries(ENCODERS))
  test(`an envelope with the encoding ${encoding} is stored`, async () => {
    const { send, groups } = await fresh();
    const headers = { "content-encoding": encoding, "content-type": "text/plain;charset=UTF-8" };
    const answer = await send(encode(eventEnvelope(failure())), { headers });
    assert.deepEqual([answer.status, answer.body], [200, { id: EVENT_ID }]);
    assert.equal((await groups()).length, 1);
    const cut = await send(encode(eventEnvelope(failure())).subarray(0, -20), { headers });
    assert.equal(cut.status, 400);
    assert.equal(typeof cut.body.detail, "string");
  });

test("an unknown encoding returns 415 and an empty body 400", async () => {
  const { send } = await fresh();
  assert.equal((await send("x", { headers: { "content-encoding": "compress" } })).status, 415);
  const empty = await send("");
  assert.deepEqual([empty.status, empty.headers["x-sentry-error"]], [400, empty.body.detail]);
});

test("the content type does not matter, even if it is malformed", async () => {
  const { send, groups } = await fresh();
  for (const type of ["application/json", "multipart/form-data", "nonsense", ";"])
    assert.equal(
      (await send(eventEnvelope(failure(type)), { headers: { "content-type": type } })).status,
      200,
    );
  assert.notEqual((await groups()).length, 0);
});

test("the key is read from query, X-Sentry-Auth, Authorization and the envelope's dsn, in this order", async () => {
  const { id, key, send } = await fresh();
  const wrong = "0".repeat(32);
  const auth = (one: string) => `Sentry sentry_version=7, sentry_client=raven/1.0, sentry_key=${one}`;
  const dsn = (one: string) => ({ dsn: `https://${one}@signalbox.example.com/${id}` });
  const status = async (query: string, headers: Record<string, string>, header: object = {}) =>
    (await send(eventEnvelope(failure(), header), { query, headers })).status;
  assert.equal(await status("", { "x-sentry-auth": auth(key) }), 200);
  assert.equal(await status("", { authorization: auth(key) }), 200);
  assert.equal(await status("", {}, dsn(key)), 200);
  assert.equal(await status(`sentry_key=${wrong}`, { "x-sentry-auth": auth(key) }), 403);
  assert.equal(await status("", { "x-sentry-auth": auth(wrong), authorization: auth(key) }), 403);
  assert.equal(await status("", { authorization: auth(wrong) }, dsn(key)), 403);
  assert.equal(await status("", {}), 403);
});

test("an envelope whose dsn is not valid is rejected before the rest is decompressed, and only gzip is decompressed for it", async () => {
  const { id, send } = await fresh();
  const dsn = `https://${"0".repeat(32)}@signalbox.example.com/${id}`;
  const lines = [JSON.stringify({ dsn }), '{"type":"transaction"}', "x".repeat(1_000_000), "not JSON", ""];
  const { identity: _, ...compressing } = ENCODERS;
  for (const [encoding, encode] of Object.entries(compressing)) {
    const payload = encode(Buffer.from(lines.join("\n")));
    const answer = await send(payload, { query: "", headers: { "content-encoding": encoding } });
    assert.equal(answer.status, encoding === "gzip" ? 403 : 415, encoding);
  }
});

test("an envelope that contains the only key may be compressed with gzip", async () => {
  const { id, key, send } = await fresh();
  const header = { dsn: `https://${key}@signalbox.example.com/${id}` };
  const headers = { "content-encoding": "gzip" };
  const payload = zlib.gzipSync(eventEnvelope(failure(), header));
  assert.equal((await send(payload, { query: "", headers })).status, 200);
});

test("a missing, unknown, disabled or foreign key and an unknown project get the same 403", async () => {
  const [own, other] = [await fresh(), await fresh()];
  const disabled = await makeIngestKey(t.db, own.id, { active: false });
  const ask = (id: number | string, query: string) =>
    t.http.send({
      method: "POST",
      url: `/api/${id}/envelope/?${query}`,
      headers: { origin: "https://shop.example.com" },
      payload: "{}",
    });
  const expected = { detail: "The DSN is not valid for this project." };
  for (const [id, query] of [
    [own.id, ""],
    [own.id, `sentry_key=${"f".repeat(32)}`],
    [own.id, "sentry_key=%00"],
    [own.id, `sentry_key=${other.key}`],
    [own.id, `sentry_key=${disabled}`],
    [987_654_321, `sentry_key=${own.key}`],
    ["abc", `sentry_key=${own.key}`],
    [`0${own.id}`, `sentry_key=${own.key}`],
  ] as const) {
    const answer = await ask(id, query);
    assert.deepEqual([answer.status, answer.body], [403, expected], `${id} ${query}`);
    assert.equal(answer.headers["access-control-allow-origin"], "*");
  }
  assert.equal((await ask(own.id, `sentry_key=${own.key}`)).status, 200);
});

test("a key with a list of origins accepts them and programs, and hides its 403 from other origins", async () => {
  const { send } = await fresh({ allowed_origins: ["https://*.example.com"] });
  const from = (origin: string) => send(eventEnvelope(failure()), { headers: { origin } });
  const own = await from("https://shop.example.com");
  assert.deepEqual(
    [own.status, own.headers["access-control-allow-origin"]],
    [200, "https://shop.example.com"],
  );
  const foreign = await from("https://example.org");
  assert.deepEqual([foreign.status, foreign.headers["access-control-allow-origin"]], [403, undefined]);
  assert.equal((await send(eventEnvelope(failure()))).status, 200);
});

test("preflight requests are answered for one hour, and errors have the CORS headers too", async () => {
  const { send } = await fresh();
  for (const path of ["envelope/", "envelope", "store/", "store"]) {
    const origin = { origin: "https://shop.example.com" };
    const { status, headers } = await send("", { path, method: "OPTIONS", headers: origin });
    assert.equal(status, 204);
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.equal(headers["access-control-allow-methods"], "POST");
    assert.match(String(headers["access-control-allow-headers"]), /x-sentry-auth.*content-encoding.*baggage/);
    assert.equal(headers["access-control-max-age"], "3600");
    const broken = await send("no envelope", { path, headers: origin });
    assert.equal(broken.status, 400);
    assert.equal(broken.headers["access-control-allow-origin"], "*");
    assert.match(String(broken.headers["access-control-expose-headers"]), /x-sentry-error.*retry-after/);
  }
});

test("with error tracking off, envelopes with events get 403 with feature_restricted and others 200", async () => {
  const { id } = await makeWorkspace(t.db, { features: { error_tracking: false } });
  const project = await makeProject(t.db, id);
  const url = `/api/${project.id}/envelope/?sentry_key=${await makeIngestKey(t.db, project.id)}`;
  const answer = await t.http.send({ method: "POST", url, payload: eventEnvelope(failure()) });
  assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
  const session = await t.http.send({ method: "POST", url, payload: recordedEnvelope("session") });
  assert.deepEqual([session.status, session.body], [200, {}]);
});

test("an event without an id gets one, also at the address for single events", async () => {
  const { send, groups } = await fresh();
  const { event_id: _, ...event } = failure();
  const named = await send(eventEnvelope(event, { event_id: "DC75A869-e5c8-4f48-8963-e5796ce9176d" }));
  assert.deepEqual(named.body, { id: EVENT_ID });
  for (const path of ["store/", "store"]) {
    const { status, body } = await send(JSON.stringify(event), { path });
    assert.equal(status, 200);
    assert.match(body.id, /^[0-9a-f]{32}$/);
  }
  assert.equal((await groups())[0]?.occurrence_count, 3);
});

test("an event in Base64 is accepted, compressed or not, as old clients send it", async () => {
  const { send, groups } = await fresh();
  const { event_id: _, ...event } = failure();
  const json = JSON.stringify(event);
  for (const body of [zlib.deflateSync(json), Buffer.from(json)])
    assert.equal((await send(body.toString("base64"), { path: "store/" })).status, 200);
  assert.equal((await groups())[0]?.occurrence_count, 2);
  const bomb = zlib.deflateSync(Buffer.alloc(2 * 1_048_576)).toString("base64");
  assert.equal((await send(bomb, { path: "store/" })).status, 413);
  for (const wrong of ["aGVsbG8=", "eNoDAAAAAAE=", "true?"])
    assert.equal((await send(wrong, { path: "store/" })).status, 400, wrong);
});

test("responses to programs have the CORS headers too, unless the key has a list of origins", async () => {
  const [any, listed] = [await fresh(), await fresh({ allowed_origins: ["https://shop.example.com"] })];
  const headersOf = async ({ send }: typeof any) => {
    const sent = ["{}", eventEnvelope(failure()), "no envelope"].flatMap((body) => [send(body), send(body)]);
    return (await Promise.all(sent)).map(({ headers }) => [
      headers["access-control-allow-origin"],
      headers["access-control-expose-headers"],
    ]);
  };
  const exposed = "x-sentry-error, x-sentry-rate-limits, retry-after";
  for (const headers of await headersOf(any)) assert.deepEqual(headers, ["*", exposed]);
  for (const headers of await headersOf(listed)) assert.deepEqual(headers, [undefined, exposed]);
});

test("ids of zeros count as missing: their events are not duplicates of each other", async () => {
  const { send, groups } = await fresh();
  const zeros = "0".repeat(32);
  const event = { ...failure(), event_id: zeros };
  for (const _ of [1, 2])
    assert.notEqual((await send(eventEnvelope(event, { event_id: zeros }))).body.id, zeros);
  assert.equal((await groups())[0]?.occurrence_count, 2);
});

test("events over 1 MiB return 413, with and without a length, and large ones are stored", async () => {
  const { send, groups } = await fresh();
  const tooLarge = JSON.stringify(failure("x".repeat(1_048_576)));
  const items = [{ header: { type: "event" }, payload: tooLarge }];
  assert.equal((await send(envelope(items))).status, 413);
  assert.equal((await send(envelope(items, { lengths: false }))).status, 413);
  assert.equal((await send(tooLarge, { path: "store/" })).status, 413);
  assert.equal((await send(eventEnvelope(failure("x".repeat(900_000))))).status, 200);
  assert.equal((await groups()).length, 1);
});

test("events of level debug are stored only if the project keeps them", async () => {
  const { id, send, groups } = await fresh();
  const debug = (event_id: string) => eventEnvelope({ ...failure(), event_id, level: "debug" });
  const skipped = await send(debug("a".repeat(32)));
  assert.deepEqual([skipped.status, skipped.body], [200, { id: "a".repeat(32) }]);
  assert.deepEqual(await groups(), []);
  const changed = await reader.patch(`/api/projects/${id}`, { keep_debug_events: true });
  assert.deepEqual([changed.body.keep_debug_events, changed.body.keep_vars], [true, false]);
  assert.equal((await send(debug("b".repeat(32)))).status, 200);
  assert.equal((await groups()).length, 1);
});

test("a browser's report of a violated policy becomes an event, without the addresses' queries", async () => {
  const { id, send, groups } = await fresh();
  const report = {
    "csp-report": {
      "document-uri": "https://shop.example.com/cart?token=canary-query",
      "effective-directive": "script-src-elem",
      "blocked-uri": "https://evil.example.org/a.js?x=canary-query",
      "script-sample": "canary-sample",
    },
  };
  const headers = { "content-type": "application/csp-report" };
  const answer = await send(JSON.stringify(report), { path: "security/", headers });
  assert.deepEqual([answer.status, answer.body], [200, {}]);
  const [group] = await groups();
  const detail = await reader.get(`/api/projects/${id}/error-groups/${group?.id}`);
  assert.deepEqual(
    [detail.body.exception_class, detail.body.latest_message, detail.body.level],
    ["CspViolation", "script-src-elem blocked evil.example.org", "error"],
  );
  const event = await reader.get(`/api/projects/${id}/error-groups/${group?.id}/events/latest`);
  assert.equal(event.body.request.path, "/cart");
  assert.doesNotMatch(detail.text + event.text, /canary/);
});

test("each report of the Reporting API is an event, and anything else in the list is skipped", async () => {
  const { send, groups } = await fresh();
  const csp = { type: "csp-violation", url: "https://shop.example.com/", body: { blockedURL: "inline" } };
  const reports = [csp, csp, { type: "deprecation", body: { id: "x" } }];
  const options = { path: "security", headers: { "content-type": "application/reports+json" } };
  const answer = await send(JSON.stringify(reports), options);
  assert.deepEqual([answer.status, answer.body], [200, {}]);
  assert.deepEqual(
    (await groups()).map((group) => [group.exception_class, group.occurrence_count]),
    [["CspViolation", 2]],
  );
  for (const body of ["{}", "[]", "null"]) assert.equal((await send(body, options)).status, 200);
  assert.equal((await send("{", options)).status, 400);
});

const DEEP = {
  lists: "[".repeat(10_000) + "]".repeat(10_000),
  objects: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
};

for (const [kind, deep] of Object.entries(DEEP))
  test(`10,000 levels of ${kind} are accepted in every field of an event, and stored as a note`, async () => {
    const { id, send, groups } = await fresh();
    const fields = ["tags", "contexts", "breadcrumbs", "request", "user", "fingerprint", "threads", "level"];
    const parts = fields.map((name) => `"${name}":${deep}`);
    const event = `{"exception":{"values":[{"type":"Deep","value":"x"}]},"extra":{"deep":${deep}},${parts.join(",")}}`;
    const answer = await send(envelope([{ header: { type: "event" }, payload: event }]));
    assert.equal(answer.status, 200, answer.text);
    const [group, ...others] = await groups();
    assert.deepEqual([group?.exception_class, others], ["Deep", []]);
    const kept = await reader.get(`/api/projects/${id}/error-groups/${group?.id}/events/latest`);
    assert.match(JSON.stringify(kept.body.extra), /\[nested too deeply\]/);
    assert.equal((await send(envelope([{ header: { type: "event" }, payload: deep }]))).status, 200);
    assert.equal((await send(envelope([{ header: { type: "feedback" }, payload: deep }]))).status, 200);
    assert.equal((await send(deep, { path: "store/" })).status, 200);
    assert.equal((await send(deep, { path: "security/" })).status, 200);
    const header = `{"type":"event","x":${deep}}`;
    assert.equal((await send(`{}\n${header}\n{}\n`)).status, 200);
    assert.equal((await groups()).length >= 1, true);
  });
