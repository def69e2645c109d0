import assert from "node:assert/strict";
import { test } from "node:test";
import { fit } from "./fit.ts";

const minimal = { environment: "test", exception_class: "Error", message: "", stack_trace: "" };
const long = "x".repeat(200_000);

/** The fitted event after serialization. */
function fitted(fields: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(fit({ ...minimal, ...fields })));
}

const fields: [what: string, given: object, expected: object][] = [
  [
    "texts are cut to 255 characters",
    { host: long, exception_code: long },
    { host: long.slice(0, 255), exception_code: long.slice(0, 255) },
  ],
  ["a message is cut to 65,535 characters", { message: long }, { message: long.slice(0, 65_535) }],
  ["a trace is cut to 131,072 characters", { stack_trace: long }, { stack_trace: long.slice(0, 131_072) }],
  ["a release is not cut", { release: long }, { release: long }],
  ["a blank environment becomes production", { environment: " " }, { environment: "production" }],
  ["an empty class becomes Error", { exception_class: "" }, { exception_class: "Error" }],
  ["unknown fields are omitted", { password: "x" }, {}],
  ["an invalid user hash is omitted", { user_hash: "42" }, {}],
  ["debug images of the wrong type are omitted", { debug_meta: { images: "x" } }, { debug_meta: {} }],
  [
    "debug images are kept",
    { debug_meta: { images: [{ type: "sourcemap", code_file: "/a.js", debug_id: "1" }] } },
    { debug_meta: { images: [{ type: "sourcemap", code_file: "/a.js", debug_id: "1" }] } },
  ],
  ["a user hash is kept", { user_hash: "a".repeat(64) }, { user_hash: "a".repeat(64) }],
  [
    "memory that is not a non-negative integer is omitted",
    { memory_peak_bytes: 1.5, memory_limit_bytes: -1 },
    {},
  ],
  ["values of the wrong type are omitted", { host: 5, runtime: 7, context: "route" }, { runtime: {} }],
  ["a context of an unknown kind is omitted", { context: { kind: "cron" } }, {}],
  ["a kind that is a property of Object.prototype is omitted", { context: { kind: "constructor" } }, {}],
  [
    "a context keeps the fields of its kind",
    { context: { kind: "job", name: "Mail", queue: "low", attempt: 2, method: "GET" } },
    { context: { kind: "job", name: "Mail", queue: "low", attempt: 2 } },
  ],
  [
    "numbers out of range are omitted from a context",
    { context: { kind: "route", response_status: 99, method: "GET" } },
    { context: { kind: "route", method: "GET" } },
  ],
  ["an attempt of 0 is omitted", { context: { kind: "job", attempt: 0 } }, { context: { kind: "job" } }],
];
for (const pattern of ["https://a.example/x", "//a.example/x", "/users?id=5", "/users??a?id=5"]) {
  fields.push([
    `the pattern ${pattern} is omitted`,
    { context: { kind: "route", method: "GET", pattern } },
    { context: { kind: "route", method: "GET" } },
  ]);
}
for (const pattern of ["/users/:id", "/users/:id?", "/{name?}/x", "users/{id}"]) {
  fields.push([
    `the pattern ${pattern} is kept`,
    { context: { kind: "route", pattern } },
    { context: { kind: "route", pattern } },
  ]);
}

for (const [what, given, expected] of fields) {
  test(what, () => assert.deepEqual(fitted(given), { ...minimal, ...expected }));
}

test("a pattern of many question marks takes linear time", () => {
  const start = process.cpuUsage();
  const pattern = "?".repeat(200_000);
  assert.deepEqual(fitted({ context: { kind: "route", pattern } })["context"], {
    kind: "route",
    pattern: pattern.slice(0, 255),
  });
  const { user, system } = process.cpuUsage(start);
  // It takes milliseconds, in quadratic time a minute.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1_000} ms`);
});

test("at most ten previous exceptions are sent, each with all its fields", () => {
  const chain = Array.from({ length: 12 }, () => ({ exception_class: "", message: 5, extra: 1 }));
  const expected = { exception_class: "Error", message: "", stack_trace: "" };
  assert.deepEqual(
    fitted({ previous_exceptions: chain })["previous_exceptions"],
    Array.from({ length: 10 }, () => expected),
  );
});
