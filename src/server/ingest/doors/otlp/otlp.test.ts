import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { KeptEvent } from "../../../../shared/kept-events.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import {
  anException,
  attributesOf,
  encodeLogs,
  encodeTraces,
  logsRequest,
  secondsLater,
  TIME,
  traceRequest,
} from "../../../../../test/support/otlp.ts";
import { openProject, type TestProject } from "../../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../../test/support/test-app.ts";
import { waitUntil } from "../../../../../test/support/eventually.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let project: TestProject;
let key: string;
beforeEach(async () => {
  project = await openProject(t, workspace);
  key = await makeIngestKey(t.db, project.id);
});

const JSON_TYPE = "application/json";
const PROTOBUF = "application/x-protobuf";

type Options = {
  type?: string;
  credential?: string;
  app?: typeof t;
  to?: number | string;
  headers?: Record<string, string>;
};

function post(signal: "logs" | "traces", payload: Buffer | string, options: Options = {}) {
  const { type = JSON_TYPE, credential = key, app = t, to = project.id, headers = {} } = options;
  return app.http.send({
    method: "POST",
    url: `/api/projects/${to}/otlp/v1/${signal}`,
    headers: { authorization: `Bearer ${credential}`, "content-type": type, ...headers },
    payload,
  });
}

const sendLogs = (request: ReturnType<typeof logsRequest>, options?: Options) =>
  post("logs", JSON.stringify(request), options);
const sendTraces = (request: ReturnType<typeof traceRequest>, options?: Options) =>
  post("traces", JSON.stringify(request), options);

const aRecord = (exception = {}, more = {}) => ({
  timeUnixNano: TIME,
  severityNumber: 17,
  attributes: attributesOf(anException(exception)),
  ...more,
});
const aSpan = (exception = {}, more = {}) => ({
  spanId: "eee19b7ec3c1b174",
  name: "POST /orders/:id",
  events: [{ timeUnixNano: TIME, name: "exception", attributes: attributesOf(anException(exception)) }],
  ...more,
});
const TRACE = { traceId: "5b8efff798038103d269b633813fc60c" };

const latestEvent = async (): Promise<KeptEvent> => {
  const { id } = await project.only();
  return (await project.admin.get(`${project.groups}/${id}/events/latest`)).body;
};
const groupsOf = async () =>
  (await project.admin.get(project.groups)).body.data as { occurrence_count: number }[];
const usage = async () => (await project.admin.get(`/api/projects/${project.id}/usage?days=1`)).body.data[0];

const RESOURCE = {
  "service.name": "shop",
  "service.namespace": "web",
  "service.version": "4.2.1",
  "deployment.environment.name": "staging",
  "host.name": "web-1",
  "process.runtime.name": "nodejs",
  "process.runtime.version": "24.21.0",
  "telemetry.sdk.language": "nodejs",
  "cloud.region": "eu-1",
};

const aFullRecord = () => ({
  ...aRecord({
    "http.route": "/orders/:id",
    "http.request.method": "POST",
    "http.response.status_code": 500,
    "order.items": 3,
    "order.total": 9.5,
    "order.is_paid": false,
    "order.tags": ["a", "b"],
    "order.address": { country: "DE" },
  }),
  severityNumber: 21,
  ...TRACE,
  spanId: "eee19b7ec3c1b174",
});

for (const [encoding, body, type] of [
  ["JSON", JSON.stringify(logsRequest([aFullRecord()], RESOURCE)), JSON_TYPE],
  ["Protobuf", encodeLogs(logsRequest([aFullRecord()], RESOURCE)), PROTOBUF],
] as const)
  test(`a log record in ${encoding} becomes an event with all its parts`, async () => {
    assert.equal((await post("logs", body, { type })).status, 200);
    const group = await project.only();
    assert.equal(group.exception_class, "PaymentError");
    assert.equal(group.latest_message, "the card was declined");
    assert.equal(
      group.latest_stack_trace,
      "    at placeOrder (/app/shop.js:12:9)\n    at main (/app/main.js:3:1)",
    );
    assert.equal(group.environment, "staging");
    assert.equal(group.last_release, "4.2.1");
    assert.equal(group.level, "fatal");
    assert.deepEqual(group.hosts, [{ name: "web-1", count: 1 }]);
    assert.deepEqual(group.runtime, { name: "nodejs", version: "24.21.0" });
    assert.deepEqual(group.framework, { name: "shop-tracer", version: "1.2.0" });
    assert.deepEqual(group.context, {
      kind: "route",
      name: null,
      method: "POST",
      pattern: "/orders/:id",
      action: null,
      response_status: 500,
    });
    const event = await latestEvent();
    assert.deepEqual(event.tags, { "service.name": "shop", "service.namespace": "web" });
    assert.deepEqual(event.contexts, { trace: { trace_id: TRACE.traceId, span_id: "eee19b7ec3c1b174" } });
    assert.deepEqual(event.extra, {
      "cloud.region": "eu-1",
      "order.items": 3,
      "order.total": 9.5,
      "order.is_paid": false,
      "order.tags": ["a", "b"],
      "order.address": { country: "DE" },
    });
  });

for (const [encoding, write, type] of [
  ["JSON", JSON.stringify, JSON_TYPE],
  ["Protobuf", encodeTraces, PROTOBUF],
] as const)
  test(`of spans in ${encoding}, only events named exception become events, with the span's attributes`, async () => {
    const attributes = attributesOf({
      "messaging.system": "rabbitmq",
      "messaging.destination.name": "orders",
    });
    const other = { timeUnixNano: TIME, name: "retry", attributes: attributesOf(anException()) };
    const request = traceRequest(
      [
        aSpan({}, { ...TRACE, attributes }),
        { ...TRACE, name: "GET /" },
        { ...TRACE, name: "b", events: [other] },
      ],
      RESOURCE,
    );
    assert.equal((await post("traces", write(request), { type })).status, 200);
    const group = await project.only();
    assert.equal(group.occurrence_count, 1);
    assert.equal(group.level, "error");
    assert.deepEqual(group.context, { kind: "job", name: "orders", queue: "orders", attempt: null });
    await waitUntil(async () => (await usage()).discarded === 2);
  });

test("records without an exception are counted as discarded and not stored", async () => {
  const records = [{ attributes: attributesOf({ user: "ann" }) }, {}, { severityNumber: 17 }];
  const { status, body } = await sendLogs(logsRequest(records));
  assert.deepEqual([status, body], [200, {}]);
  assert.deepEqual(await groupsOf(), []);
  await waitUntil(async () => (await usage()).discarded === 3);
  assert.equal((await usage()).accepted, 0);
});

test("a record with only a type or only a message becomes an event", async () => {
  const records = ["exception.type", "exception.message"].map((name) => ({
    attributes: attributesOf({ [name]: "Broken" }),
  }));
  await sendLogs(logsRequest(records));
  const groups = (await project.admin.get(project.groups)).body.data as Record<string, unknown>[];
  assert.deepEqual(
    groups.map(({ exception_class, latest_message }) => [exception_class, latest_message]).toSorted(),
    [
      ["Broken", ""],
      ["Error", "Broken"],
    ],
  );
});

test("an event named exception may have the exception in its body", async () => {
  const body = { kvlistValue: { values: attributesOf(anException()) } };
  await sendLogs(
    logsRequest([{ eventName: "exception", body } as object, { eventName: "other", body } as object]),
  );
  assert.equal((await project.only()).occurrence_count, 1);
});

test("without an environment, an event belongs to production", async () => {
  await sendLogs(logsRequest([aRecord()]));
  assert.equal((await project.only()).environment, "production");
});

test("the level follows the severity, as number or name; without one it is error", async () => {
  const levels: [unknown, string][] = [
    [24, "fatal"],
    ["SEVERITY_NUMBER_FATAL", "fatal"],
    [20, "error"],
    [17, "error"],
    ["SEVERITY_NUMBER_WARN4", "warning"],
    [13, "warning"],
    [12, "info"],
    [1, "info"],
    ["SEVERITY_NUMBER_DEBUG", "info"],
    [0, "error"],
    [undefined, "error"],
    ["SEVERITY_NUMBER_UNSPECIFIED", "error"],
  ];
  for (const [severityNumber, expected] of levels) {
    await sendLogs(logsRequest([{ ...aRecord(), severityNumber } as object]));
    assert.equal((await project.only()).level, expected, String(severityNumber));
  }
});

test("an exception in a log record and on enclosing spans counts once per trace, over requests and servers", async () => {
  const second = await openAppOn(t.database.url);
  try {
    await sendTraces(traceRequest([aSpan({}, TRACE), aSpan({}, { ...TRACE, spanId: "eee19b7ec3c1b175" })]));
    await sendLogs(logsRequest([aRecord({}, { ...TRACE, timeUnixNano: secondsLater(0.002) })]), {
      app: second,
    });
    assert.equal((await project.only()).occurrence_count, 1);
    await waitUntil(async () => (await usage()).duplicate === 2);
  } finally {
    await second.close();
  }
});

test("repetitions count once wherever the periods of their ids end", async () => {
  for (const start of [0, 9.999, 19.999, 20, 39.999]) {
    const traceId = `5b8efff798038103d269b63381${String(Math.round(start * 1000)).padStart(6, "0")}`;
    for (const seconds of [start, start + 0.002, start + 59])
      await sendLogs(logsRequest([aRecord({}, { traceId, timeUnixNano: secondsLater(seconds) })]));
  }
  assert.equal((await project.only()).occurrence_count, 5);
});

test("an exception counts again after the minute, in another trace and with another message", async () => {
  const later = (seconds: number) => aRecord({}, { ...TRACE, timeUnixNano: secondsLater(seconds) });
  await sendLogs(logsRequest([later(0), later(30), later(90)]));
  await sendLogs(logsRequest([later(200)]));
  await sendLogs(logsRequest([aRecord({}, { traceId: TRACE.traceId.replace("5b", "6c") })]));
  await sendLogs(logsRequest([aRecord({ "exception.message": "the card has expired" }, TRACE)]));
  const counts = (await groupsOf()).map(({ occurrence_count }) => occurrence_count);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    5,
  );
});

test("exceptions without a trace all count, and the same request sent again counts nothing twice", async () => {
  const request = logsRequest([aRecord(), aRecord(), aRecord({}, { timeUnixNano: secondsLater(1) })]);
  for (const _ of [1, 2]) assert.equal((await sendLogs(request)).status, 200);
  assert.equal((await project.only()).occurrence_count, 3);
});

test("exceptions without a trace and a time all count", async () => {
  const request = logsRequest([{ attributes: attributesOf(anException()) }]);
  for (const _ of [1, 2]) await sendLogs(request);
  assert.equal((await project.only()).occurrence_count, 2);
});

test("a record whose exception is not text is rejected, and the others are stored", async () => {
  const records = [
    aRecord(),
    aRecord({ "exception.message": 5 }),
    aRecord({ "exception.stacktrace": ["a"] }),
  ];
  const message = "exception.type, exception.message and exception.stacktrace must be strings.";
  const json = await sendLogs(logsRequest(records));
  assert.equal(json.status, 200);
  assert.deepEqual(json.body, { partialSuccess: { rejectedLogRecords: "2", errorMessage: message } });
  assert.equal((await project.only()).occurrence_count, 1);
  await waitUntil(async () => (await usage()).invalid === 2);
  const spans = await sendTraces(traceRequest([aSpan({ "exception.type": true })]));
  assert.deepEqual(spans.body, { partialSuccess: { rejectedSpans: "1", errorMessage: message } });
});

test("in Protobuf, the response and its partial success are in Protobuf", async () => {
  const whole = await post("logs", encodeLogs(logsRequest([aRecord()])), { type: PROTOBUF });
  assert.deepEqual([whole.status, whole.headers["content-type"], whole.text], [200, PROTOBUF, ""]);
  const partly = await post("logs", encodeLogs(logsRequest([aRecord({ "exception.type": 5 })])), {
    type: PROTOBUF,
  });
  assert.equal(partly.headers["content-type"], PROTOBUF);
  const reader = new BinaryReader(Buffer.from(partly.text));
  assert.deepEqual(reader.tag(), [1, 2]);
  const inner = new BinaryReader(reader.bytes());
  assert.deepEqual(inner.tag(), [1, 0]);
  assert.equal(inner.int64(), 1n);
  assert.deepEqual(inner.tag(), [2, 2]);
  assert.match(inner.string(), /must be strings/);
});

test("bodies may be compressed with gzip", async () => {
  const headers = { "content-encoding": "gzip" };
  const json = gzipSync(JSON.stringify(logsRequest([aRecord()])));
  assert.equal((await post("logs", json, { headers })).status, 200);
  const protobuf = gzipSync(encodeTraces(traceRequest([aSpan()])));
  assert.equal((await post("traces", protobuf, { type: PROTOBUF, headers })).status, 200);
  assert.equal((await project.only()).occurrence_count, 2);
});

test("large bodies are read like small ones", async () => {
  const filler = Array.from({ length: 300 }, () => ({
    attributes: attributesOf({ text: "x".repeat(1_000) }),
  }));
  const request = logsRequest([...filler, aRecord()]);
  assert.equal((await sendLogs(request)).status, 200);
  assert.equal((await post("logs", encodeLogs(request), { type: PROTOBUF })).status, 200);
  assert.equal((await post("logs", "{".repeat(200_000))).status, 400);
  await waitUntil(async () => (await usage()).discarded === 600);
  assert.equal((await project.only()).occurrence_count, 1);
});

test("ingest keys and Read & write tokens of the project may send, others may not", async () => {
  const other = await openProject(t, workspace);
  const writing = await makeProjectToken(t.db, project.id, workspace.admin.id);
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const cases: [string, number][] = [
    [key, 200],
    [writing, 200],
    [await makePersonalToken(t.db, workspace.admin.id), 200],
    [await makePersonalToken(t.db, viewer.id), 403],
    [await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" }), 403],
    [await makeProjectToken(t.db, other.id, workspace.admin.id), 403],
    [await makeIngestKey(t.db, other.id), 403],
    ["0123456789abcdef0123456789abcdef", 401],
  ];
  for (const [credential, status] of cases)
    assert.equal((await sendLogs(logsRequest([aRecord()]), { credential })).status, status, credential);
});

test("errors have a message in the encoding of the request", async () => {
  const credential = "0123456789abcdef0123456789abcdef";
  const json = await post("logs", "{}", { credential });
  assert.equal(json.status, 401);
  assert.ok(json.body.message);
  for (const options of [{ credential }, {}]) {
    const answer = await post("logs", Buffer.from([0xff]), { type: PROTOBUF, ...options });
    assert.equal(answer.headers["content-type"], PROTOBUF);
    const reader = new BinaryReader(Buffer.from(answer.text));
    assert.deepEqual(reader.tag(), [2, 2]);
    assert.ok(reader.string().length > 0);
  }
  assert.equal((await post("logs", "x", { type: "text/plain" })).status, 415);
});

test("pages can send, and can read errors", async () => {
  const url = `/api/projects/${project.id}/otlp/v1/traces`;
  const origin = "https://shop.example.com";
  const preflight = await t.http.send({
    method: "OPTIONS",
    url,
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  assert.equal(preflight.status, 204);
  const answer = await sendTraces(traceRequest([aSpan()]), {
    headers: { origin, "sec-fetch-site": "cross-site" },
  });
  assert.deepEqual([answer.status, answer.headers["access-control-allow-origin"]], [200, "*"]);
  const limited = await makeIngestKey(t.db, project.id, { allowed_origins: ["https://other.example.com"] });
  const refused = await sendTraces(traceRequest([aSpan()]), { credential: limited, headers: { origin } });
  assert.deepEqual([refused.status, refused.headers["access-control-allow-origin"]], [403, undefined]);
});

test("the limit counts exceptions, and not requests without any", async () => {
  const limited = await openAppOn(t.database.url, { LIMIT_INGEST: "2" });
  try {
    for (let n = 0; n < 20; n++)
      assert.equal((await sendLogs(logsRequest([{}]), { app: limited })).status, 200);
    const records = Array.from({ length: 20 }, (_, n) => aRecord({}, { timeUnixNano: secondsLater(n) }));
    for (const credential of [key, await makeProjectToken(t.db, project.id, workspace.admin.id)]) {
      const refused = await sendLogs(logsRequest(records), { app: limited, credential });
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
    assert.deepEqual(await groupsOf(), []);
  } finally {
    await limited.close();
  }
});

test("inbound rules drop exceptions", async () => {
  await project.admin.post(`/api/projects/${project.id}/inbound-rules`, {
    kind: "exception_class",
    pattern: "^PaymentError$",
    active: true,
  });
  assert.equal(
    (await sendLogs(logsRequest([aRecord(), aRecord({ "exception.type": "Other" })]))).status,
    200,
  );
  assert.equal((await project.only()).exception_class, "Other");
});
