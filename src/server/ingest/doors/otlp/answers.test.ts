import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import {
  attributesOf,
  encodeLogs,
  encodeTraces,
  logsRequest,
  secondsLater,
  traceRequest,
} from "../../../../../test/support/otlp.ts";
import { aRecord, aSpan, PROTOBUF } from "../../../../../test/support/otlp-sender.ts";
import { openOtlpProject, type OtlpProject } from "../../../../../test/support/otlp-project.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../../test/support/test-app.ts";
import { waitUntil } from "../../../../../test/support/eventually.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let project: OtlpProject;
beforeEach(async () => {
  project = await openOtlpProject(t, workspace);
});

test("a record whose exception is not text is rejected, and the others are stored", async () => {
  const records = [
    aRecord(),
    aRecord({ "exception.message": 5 }),
    aRecord({ "exception.stacktrace": ["a"] }),
  ];
  const message = "exception.type, exception.message and exception.stacktrace must be strings.";
  const json = await project.sendLogs(logsRequest(records));
  assert.equal(json.status, 200);
  assert.deepEqual(json.body, { partialSuccess: { rejectedLogRecords: "2", errorMessage: message } });
  assert.equal((await project.only()).occurrence_count, 1);
  await waitUntil(async () => (await project.usage()).invalid === 2);
  const spans = await project.sendTraces(traceRequest([aSpan({ "exception.type": true })]));
  assert.deepEqual(spans.body, { partialSuccess: { rejectedSpans: "1", errorMessage: message } });
});

test("in Protobuf, the response and its partial success are in Protobuf", async () => {
  const whole = await project.post("logs", encodeLogs(logsRequest([aRecord()])), { type: PROTOBUF });
  assert.deepEqual([whole.status, whole.headers["content-type"], whole.text], [200, PROTOBUF, ""]);
  const partly = await project.post("logs", encodeLogs(logsRequest([aRecord({ "exception.type": 5 })])), {
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
  assert.equal((await project.post("logs", json, { headers })).status, 200);
  const protobuf = gzipSync(encodeTraces(traceRequest([aSpan()])));
  assert.equal((await project.post("traces", protobuf, { type: PROTOBUF, headers })).status, 200);
  assert.equal((await project.only()).occurrence_count, 2);
});

test("large bodies are read like small ones", async () => {
  const filler = Array.from({ length: 300 }, () => ({
    attributes: attributesOf({ text: "x".repeat(1_000) }),
  }));
  const request = logsRequest([...filler, aRecord()]);
  assert.equal((await project.sendLogs(request)).status, 200);
  assert.equal((await project.post("logs", encodeLogs(request), { type: PROTOBUF })).status, 200);
  assert.equal((await project.post("logs", "{".repeat(200_000))).status, 400);
  await waitUntil(async () => (await project.usage()).discarded === 600);
  assert.equal((await project.only()).occurrence_count, 1);
});

test("ingest keys and Read & write tokens of the project may send, others may not", async () => {
  const other = await openProject(t, workspace);
  const writing = await makeProjectToken(t.db, project.id, workspace.admin.id);
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const cases: [string, number][] = [
    [project.key, 200],
    [writing, 200],
    [await makePersonalToken(t.db, workspace.admin.id), 200],
    [await makePersonalToken(t.db, viewer.id), 403],
    [await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" }), 403],
    [await makeProjectToken(t.db, other.id, workspace.admin.id), 403],
    [await makeIngestKey(t.db, other.id), 403],
    ["0123456789abcdef0123456789abcdef", 401],
  ];
  for (const [credential, status] of cases)
    assert.equal(
      (await project.sendLogs(logsRequest([aRecord()]), { credential })).status,
      status,
      credential,
    );
});

test("errors have a message in the encoding of the request", async () => {
  const credential = "0123456789abcdef0123456789abcdef";
  const json = await project.post("logs", "{}", { credential });
  assert.equal(json.status, 401);
  assert.ok(json.body.message);
  for (const options of [{ credential }, {}]) {
    const answer = await project.post("logs", Buffer.from([0xff]), { type: PROTOBUF, ...options });
    assert.equal(answer.headers["content-type"], PROTOBUF);
    const reader = new BinaryReader(Buffer.from(answer.text));
    assert.deepEqual(reader.tag(), [2, 2]);
    assert.ok(reader.string().length > 0);
  }
  assert.equal((await project.post("logs", "x", { type: "text/plain" })).status, 415);
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
  const answer = await project.sendTraces(traceRequest([aSpan()]), {
    headers: { origin, "sec-fetch-site": "cross-site" },
  });
  assert.deepEqual([answer.status, answer.headers["access-control-allow-origin"]], [200, "*"]);
  const limited = await makeIngestKey(t.db, project.id, { allowed_origins: ["https://other.example.com"] });
  const refused = await project.sendTraces(traceRequest([aSpan()]), {
    credential: limited,
    headers: { origin },
  });
  assert.deepEqual([refused.status, refused.headers["access-control-allow-origin"]], [403, undefined]);
});

test("the limit counts exceptions, and not requests without any", async () => {
  const limited = await openAppOn(t.database.url, { LIMIT_INGEST: "2" });
  try {
    for (let n = 0; n < 20; n++)
      assert.equal((await project.sendLogs(logsRequest([{}]), { app: limited })).status, 200);
    const records = Array.from({ length: 20 }, (_, n) => aRecord({}, { timeUnixNano: secondsLater(n) }));
    for (const credential of [project.key, await makeProjectToken(t.db, project.id, workspace.admin.id)]) {
      const refused = await project.sendLogs(logsRequest(records), { app: limited, credential });
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
    assert.deepEqual(await project.listed(), []);
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
    (await project.sendLogs(logsRequest([aRecord(), aRecord({ "exception.type": "Other" })]))).status,
    200,
  );
  assert.equal((await project.only()).exception_class, "Other");
});
