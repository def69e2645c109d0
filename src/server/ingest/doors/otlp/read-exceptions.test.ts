import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { KeptEvent } from "../../../../shared/kept-events.ts";
import { makeWorkspace } from "../../../../../test/support/make.ts";
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
import { aRecord, aSpan, JSON_TYPE, PROTOBUF } from "../../../../../test/support/otlp-sender.ts";
import { openOtlpProject, type OtlpProject } from "../../../../../test/support/otlp-project.ts";
import { openAppOn, useTestApp } from "../../../../../test/support/test-app.ts";
import { waitUntil } from "../../../../../test/support/eventually.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let project: OtlpProject;
beforeEach(async () => {
  project = await openOtlpProject(t, workspace);
});

const TRACE = { traceId: "5b8efff798038103d269b633813fc60c" };

const latestEvent = async (): Promise<KeptEvent> => {
  const { id } = await project.only();
  return (await project.admin.get(`${project.groups}/${id}/events/latest`)).body;
};

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
    assert.equal((await project.post("logs", body, { type })).status, 200);
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
    assert.equal((await project.post("traces", write(request), { type })).status, 200);
    const group = await project.only();
    assert.equal(group.occurrence_count, 1);
    assert.equal(group.level, "error");
    assert.deepEqual(group.context, { kind: "job", name: "orders", queue: "orders", attempt: null });
    await waitUntil(async () => (await project.usage()).discarded === 2);
  });

test("records without an exception are counted as discarded and not stored", async () => {
  const records = [{ attributes: attributesOf({ user: "ann" }) }, {}, { severityNumber: 17 }];
  const { status, body } = await project.sendLogs(logsRequest(records));
  assert.deepEqual([status, body], [200, {}]);
  assert.deepEqual(await project.listed(), []);
  await waitUntil(async () => (await project.usage()).discarded === 3);
  assert.equal((await project.usage()).accepted, 0);
});

test("a record with only a type or only a message becomes an event", async () => {
  const records = ["exception.type", "exception.message"].map((name) => ({
    attributes: attributesOf({ [name]: "Broken" }),
  }));
  await project.sendLogs(logsRequest(records));
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
  await project.sendLogs(
    logsRequest([{ eventName: "exception", body } as object, { eventName: "other", body } as object]),
  );
  assert.equal((await project.only()).occurrence_count, 1);
});

test("without an environment, an event belongs to production", async () => {
  await project.sendLogs(logsRequest([aRecord()]));
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
    await project.sendLogs(logsRequest([{ ...aRecord(), severityNumber } as object]));
    assert.equal((await project.only()).level, expected, String(severityNumber));
  }
});

test("an exception in a log record and on enclosing spans counts once per trace, over requests and servers", async () => {
  const second = await openAppOn(t.database.url);
  try {
    await project.sendTraces(
      traceRequest([aSpan({}, TRACE), aSpan({}, { ...TRACE, spanId: "eee19b7ec3c1b175" })]),
    );
    await project.sendLogs(logsRequest([aRecord({}, { ...TRACE, timeUnixNano: secondsLater(0.002) })]), {
      app: second,
    });
    assert.equal((await project.only()).occurrence_count, 1);
    await waitUntil(async () => (await project.usage()).duplicate === 2);
  } finally {
    await second.close();
  }
});

test("repetitions count once wherever the periods of their ids end", async () => {
  for (const start of [0, 9.999, 19.999, 20, 39.999]) {
    const traceId = `5b8efff798038103d269b63381${String(Math.round(start * 1000)).padStart(6, "0")}`;
    for (const seconds of [start, start + 0.002, start + 59])
      await project.sendLogs(logsRequest([aRecord({}, { traceId, timeUnixNano: secondsLater(seconds) })]));
  }
  assert.equal((await project.only()).occurrence_count, 5);
});

test("an exception counts again after the minute, in another trace and with another message", async () => {
  const later = (seconds: number) => aRecord({}, { ...TRACE, timeUnixNano: secondsLater(seconds) });
  await project.sendLogs(logsRequest([later(0), later(30), later(90)]));
  await project.sendLogs(logsRequest([later(200)]));
  await project.sendLogs(logsRequest([aRecord({}, { traceId: TRACE.traceId.replace("5b", "6c") })]));
  await project.sendLogs(logsRequest([aRecord({ "exception.message": "the card has expired" }, TRACE)]));
  const counts = (await project.listed()).map(({ occurrence_count }) => occurrence_count);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    5,
  );
});

test("exceptions without a trace all count, and the same request sent again counts nothing twice", async () => {
  const request = logsRequest([aRecord(), aRecord(), aRecord({}, { timeUnixNano: secondsLater(1) })]);
  for (const _ of [1, 2]) assert.equal((await project.sendLogs(request)).status, 200);
  assert.equal((await project.only()).occurrence_count, 3);
});

test("exceptions without a trace and a time all count", async () => {
  const request = logsRequest([{ attributes: attributesOf(anException()) }]);
  for (const _ of [1, 2]) await project.sendLogs(request);
  assert.equal((await project.only()).occurrence_count, 2);
});
