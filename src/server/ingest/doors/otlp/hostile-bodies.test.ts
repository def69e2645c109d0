import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { makeIngestKey, makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import {
  anException,
  attributesOf,
  encodeLogs,
  encodeTraces,
  logsRequest,
  traceRequest,
} from "../../../../../test/support/otlp.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { HttpError } from "../../../answers/errors.ts";
import { readExport, type Encoding, type Signal } from "../../read/otlp/read-export.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspace.id);
const key = await makeIngestKey(t.db, project.id);

const [JSON_TYPE, PROTOBUF] = ["application/json", "application/x-protobuf"];

const post = (payload: Buffer | string, type: string, headers: Record<string, string> = {}) =>
  t.http.send({
    method: "POST",
    url: `/api/projects/${project.id}/otlp/v1/logs`,
    headers: { authorization: `Bearer ${key}`, "content-type": type, ...headers },
    payload,
  });

/** The status of the response; 200 if the body is read. */
function statusOf(body: Buffer, encoding: Encoding): number {
  try {
    readExport(body, encoding);
    return 200;
  } catch (error) {
    assert.ok(error instanceof HttpError, String(error));
    return error.status;
  }
}

const LOGS = { signal: "logs", isProtobuf: false } as const;
const TRACES = { signal: "traces", isProtobuf: false } as const;
const whole = logsRequest([
  { traceId: "5b8efff798038103d269b633813fc60c", attributes: attributesOf(anException()) },
]);
const wholeTraces = traceRequest([
  { events: [{ name: "exception", attributes: attributesOf(anException()) }] },
]);

test("a body that decompresses to more than 100 MiB gets 413", async () => {
  const bomb = gzipSync(Buffer.alloc(101 * 1_048_576));
  for (const type of [JSON_TYPE, PROTOBUF])
    assert.equal((await post(bomb, type, { "content-encoding": "gzip" })).status, 413, type);
});

test("a body in an encoding other than gzip gets 415, a damaged one 400", async () => {
  assert.equal((await post("{}", JSON_TYPE, { "content-encoding": "br" })).status, 415);
  assert.equal((await post("no gzip", JSON_TYPE, { "content-encoding": "gzip" })).status, 400);
});

test("a cut or damaged Protobuf body is read in part or gets 400", () => {
  for (const [body, signal] of [
    [encodeLogs(whole), "logs"],
    [encodeTraces(wholeTraces), "traces"],
  ] as const)
    for (let at = 0; at < body.length; at++) {
      const encoding = { signal, isProtobuf: true };
      assert.ok([200, 400].includes(statusOf(body.subarray(0, at), encoding)));
      for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
        const damaged = Buffer.from(body);
        damaged[at] = byte;
        assert.ok([200, 400].includes(statusOf(damaged, encoding)), `${at} ${byte}`);
      }
    }
});

test("lengths beyond the end of a Protobuf body get 400", () => {
  for (const length of [[0x05], [0xff, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0xff, 0xff, 0x7f]])
    assert.equal(statusOf(Buffer.from([0x0a, ...length, 0x00]), { signal: "logs", isProtobuf: true }), 400);
});

/** A value within lists, the outermost last. */
function nestedValue(depth: number): Buffer {
  let inner: Uint8Array = Buffer.from([0x0a, 1, 0x61]);
  for (let n = 0; n < depth; n++) {
    const list = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(inner).finish();
    inner = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(list).finish();
  }
  return Buffer.from(inner);
}

test("values nested too deeply get 400 in Protobuf and are left out in JSON", () => {
  const field = (number: number, bytes: Uint8Array) =>
    Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish());
  const withValue = (depth: number) => {
    const pair = Buffer.concat([field(1, Buffer.from("a")), field(2, nestedValue(depth))]);
    const record = Buffer.concat([field(6, pair), field(6, field(1, Buffer.from("exception.type")))]);
    return field(1, field(2, field(2, record)));
  };
  const encoding = { signal: "logs", isProtobuf: true } as const;
  assert.equal(statusOf(withValue(5), encoding), 200);
  assert.equal(statusOf(withValue(200), encoding), 400);
  const groups = Buffer.alloc(10_000, 0x9b);
  assert.equal(statusOf(groups, encoding), 400);
  const deep = `${'{"arrayValue":{"values":['.repeat(10_000)}${"]}}".repeat(10_000)}`;
  const attributes = [...attributesOf(anException()), { key: "deep", value: JSON.parse(deep) as object }];
  const text = JSON.stringify(logsRequest([{ attributes: [] }])).replace(
    '"attributes":[]}]',
    () =>
      `"attributes":[${attributesOf(anException())
        .map((each) => JSON.stringify(each))
        .join()},{"key":"deep","value":${deep}}]}]`,
  );
  assert.equal(attributes.length, 4);
  const { exceptions } = readExport(Buffer.from(text), LOGS);
  assert.equal(exceptions.length, 1);
  assert.ok((exceptions[0]?.body.length ?? 0) < 2_000);
});

test("more than a million values get 413 in both encodings", () => {
  const json = Buffer.from(`{"resourceLogs":[${"{},".repeat(1_000_000)}{}]}`);
  assert.equal(statusOf(json, LOGS), 413);
  const protobuf = Buffer.alloc(2_000_002, Buffer.from([0x0a, 0x00]));
  assert.equal(statusOf(protobuf, { signal: "logs", isProtobuf: true }), 413);
});

test("an exception above 1 MiB is rejected, and the others are read", () => {
  const large = { attributes: attributesOf(anException({ note: "x".repeat(1_048_576) })) };
  const { exceptions, tooLarge } = readExport(
    Buffer.from(JSON.stringify(logsRequest([large, ...whole.resourceLogs[0]!.scopeLogs[0]!.logRecords]))),
    LOGS,
  );
  assert.deepEqual([exceptions.length, tooLarge], [1, 1]);
});

test("any JSON in any field is read or gets a 4xx", () => {
  const strange = fc.constantFrom(
    { toString: 1 },
    { valueOf: null, length: 5 },
    JSON.parse('{"__proto__":{"a":1}}'),
  );
  const anything = fc.oneof(strange, fc.jsonValue({ maxDepth: 4 }));
  const pathsOf = (value: unknown, path: (string | number)[] = []): (string | number)[][] => [
    path,
    ...(typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
      : []),
  ];
  for (const [request, encoding] of [
    [whole, LOGS],
    [wholeTraces, TRACES],
  ] as const)
    for (const path of pathsOf(request))
      fc.assert(
        fc.property(anything, (value) => {
          const changed = replaceAt(request, path, value);
          assert.ok([200, 400, 422].includes(statusOf(Buffer.from(JSON.stringify(changed)), encoding)));
        }),
        { numRuns: 20 },
      );
});

function replaceAt(whole: unknown, [name, ...rest]: (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string, unknown>;
  copy[name] = replaceAt(copy[name], rest, value);
  return copy;
}

test("any bytes are read or get a 4xx", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.boolean(),
      fc.constantFrom<Signal[]>("logs", "traces"),
      (bytes, isProtobuf, signal) => {
        assert.ok([200, 400, 422].includes(statusOf(Buffer.from(bytes), { signal, isProtobuf })));
      },
    ),
    { numRuns: 500 },
  );
});
