import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { makeEventProject } from "../../../../test/support/make-event-project.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const fresh = () => makeEventProject(t, workspace);

const limits: [string, Record<string, unknown>, string | null][] = [
  ["environment of 255", { environment: "e".repeat(255) }, null],
  ["environment of 255 emoji", { environment: "😀".repeat(255) }, null],
  ["environment of 256", { environment: "e".repeat(256) }, "environment"],
  ["environment blank", { environment: " " }, "environment"],
  ["environment missing", { environment: undefined }, "environment"],
  ["exception_class of 256", { exception_class: "e".repeat(256) }, "exception_class"],
  ["exception_class null", { exception_class: null }, "exception_class"],
  ["message missing", { message: undefined }, "message"],
  ["message empty", { message: "" }, null],
  ["message a number", { message: 5 }, "message"],
  ["stack_trace missing", { stack_trace: undefined }, "stack_trace"],
  ["stack_trace empty", { stack_trace: "" }, null],
  ["stack_trace of 131,072", { stack_trace: "é".repeat(131_072) }, null],
  ["stack_trace of 131,073", { stack_trace: "é".repeat(131_073) }, "stack_trace"],
  ["release without a limit", { release: "r".repeat(20_000) }, null],
  ["release a number", { release: 1.2 }, "release"],
  ["exception_code of 256", { exception_code: "c".repeat(256) }, "exception_code"],
  ["exception_code a number", { exception_code: 42 }, "exception_code"],
  ["runtime a string", { runtime: "php" }, "runtime"],
  ["runtime.version of 256", { runtime: { version: "v".repeat(256) } }, "runtime.version"],
  ["framework.name a number", { framework: { name: 1 } }, "framework.name"],
  ["memory_peak_bytes 0", { memory_peak_bytes: 0 }, null],
  ["memory_peak_bytes negative", { memory_peak_bytes: -1 }, "memory_peak_bytes"],
  ["memory_peak_bytes 2^53", { memory_peak_bytes: 2 ** 53 }, null],
  ["memory_limit_bytes 1.5", { memory_limit_bytes: 1.5 }, "memory_limit_bytes"],
  ["memory_limit_bytes a string", { memory_limit_bytes: "12" }, "memory_limit_bytes"],
  ["host of 256", { host: "h".repeat(256) }, "host"],
  ["context a string", { context: "x" }, "context"],
  ["context without kind", { context: {} }, "context.kind"],
  ["context of unknown kind", { context: { kind: "cron" } }, "context.kind"],
  ["context.name of 256", { context: { kind: "command", name: "n".repeat(256) } }, "context.name"],
  [
    "context.response_status 99",
    { context: { kind: "route", response_status: 99 } },
    "context.response_status",
  ],
  ["context.response_status 599", { context: { kind: "route", response_status: 599 } }, null],
  [
    "context.response_status 600",
    { context: { kind: "route", response_status: 600 } },
    "context.response_status",
  ],
  ["context.attempt 2^64", { context: { kind: "job", attempt: 2 ** 64 } }, null],
  ["context.attempt 0", { context: { kind: "job", attempt: 0 } }, "context.attempt"],
  ["another kind's field of a wrong type", { context: { kind: "command", attempt: "x", queue: 1 } }, null],
  ["previous_exceptions an object", { previous_exceptions: {} }, "previous_exceptions"],
  ["ten previous exceptions", { previous_exceptions: Array.from({ length: 10 }, previous) }, null],
  [
    "eleven previous exceptions",
    { previous_exceptions: Array.from({ length: 11 }, previous) },
    "previous_exceptions",
  ],
  [
    "a previous message of 65,536",
    { previous_exceptions: [previous(), { ...previous(), message: "m".repeat(65_536) }] },
    "previous_exceptions.1.message",
  ],
  [
    "a previous message of 65,535 characters of three bytes",
    { previous_exceptions: [{ ...previous(), message: "€".repeat(65_535) }] },
    null,
  ],
  [
    "a previous exception without a trace",
    { previous_exceptions: [{ exception_class: "A", message: "" }] },
    "previous_exceptions.0.stack_trace",
  ],
];

function previous() {
  return { exception_class: "Previous", message: "", stack_trace: "" };
}

for (const [name, overrides, field] of limits)
  test(`${name} is ${field === null ? "accepted" : `422 on ${field}`}`, async () => {
    const { id, url, sender, reader } = await fresh();
    const answer = await sender.post(url, anEvent(overrides));
    assert.equal(answer.status, field === null ? 202 : 422);
    if (field !== null) assert.deepEqual(Object.keys(answer.body.errors), [field]);
    const list = await reader.get(`/api/projects/${id}/error-groups`);
    assert.equal(list.body.meta.count, field === null ? 1 : 0);
  });

test("all invalid fields are reported together", async () => {
  const { url, sender } = await fresh();
  const answer = await sender.post(url, { host: 1, context: { kind: "x" } });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors).sort(), [
    "context.kind",
    "environment",
    "exception_class",
    "host",
    "message",
    "stack_trace",
  ]);
  assert.deepEqual(answer.body.errors.message, ["is required"]);
});

test("a message is truncated to 65,535 bytes between characters", async () => {
  const { url, sender, only } = await fresh();
  assert.equal((await sender.post(url, anEvent({ message: `a${"😀".repeat(20_000)}` }))).status, 202);
  const message = String((await only())["latest_message"]);
  assert.equal(message, `a${"😀".repeat(16_383)}`);
});

test("NUL and lone surrogates are stored as U+FFFD in every field", async () => {
  const { url, sender, only } = await fresh();
  const bad = "x\u0000y\ud800z";
  const answer = await sender.post(
    url,
    anEvent({
      message: bad,
      release: bad,
      host: bad,
      previous_exceptions: [{ exception_class: bad, message: bad, stack_trace: bad }],
      context: { kind: "job", name: bad },
    }),
  );
  assert.equal(answer.status, 202);
  const group = await only();
  const good = "x\ufffdy\ufffdz";
  assert.deepEqual([group["latest_message"], group["release"], group["context_label"]], [good, good, good]);
  assert.deepEqual(group["previous_exceptions"], [
    { exception_class: good, message: good, stack_trace: good },
  ]);
});

for (const [name, user_hash] of [
  ["a raw id", "42"],
  ["an email address", "ada@example.com"],
  ["upper case", "A".repeat(64)],
  ["63 characters", "a".repeat(63)],
  ["a line break at the end", `${"a".repeat(64)}\n`],
  ["a number", 42],
  ["an object", {}],
] as const)
  test(`a user_hash that is ${name} is dropped, and the event is stored`, async () => {
    const { url, sender, only } = await fresh();
    assert.equal((await sender.post(url, anEvent({ user_hash }))).status, 202);
    assert.equal((await only())["affected_users"], null);
  });

test("an event whose pattern contains a URL is stored without its context", async () => {
  const { url, sender, only } = await fresh();
  const context = { kind: "route", method: "GET", pattern: "https://example.com/users?id=1" };
  assert.equal((await sender.post(url, anEvent({ context, host: "web-1" }))).status, 202);
  const group = await only();
  assert.deepEqual([group["context_kind"], group["context_label"], group["context"]], [null, null, null]);
  assert.deepEqual(group["hosts"], [{ name: "web-1", count: 1 }]);
});

test("a memory limit that means none is stored as none", async () => {
  const { url, sender, only } = await fresh();
  for (const none of ["9223372036854771712", "9223372036854775807", "18446744073709551615"]) {
    const body = JSON.stringify(anEvent({ memory_limit_bytes: 1 })).replace('bytes":1', `bytes":${none}`);
    assert.equal((await sender.send({ ...raw(body), url })).status, 202);
    assert.equal((await only())["memory_limit_bytes"], null);
  }
});

test("a context with only its kind has an empty label", async () => {
  const { url, sender, only } = await fresh();
  await sender.post(url, anEvent({ context: { kind: "route", method: "" } }));
  const group = await only();
  assert.deepEqual([group["context_kind"], group["context_label"]], ["route", ""]);
});

const raw = (payload: string | Buffer, headers: Record<string, string> = {}) => ({
  method: "POST",
  payload,
  headers: { "content-type": "application/json", ...headers },
});

const ADDITIONS = ["tags", "breadcrumbs", "request", "contexts", "extra", "frames", "fingerprint", "level"];

/** Ten thousand levels of lists or objects. */
const deep = (open: "[" | "{") =>
  open === "[" ? "[".repeat(10_000) + "]".repeat(10_000) : `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;

for (const [name, payload, status] of [
  ["no JSON", "{", 400],
  ["an array", "[]", 422],
  ["null", "null", 422],
  ["a string", '"x"', 422],
  ["empty", "", 422],
  ["a depth bomb", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, 422],
  [
    "a depth bomb beside the fields",
    JSON.stringify(anEvent()).replace("{", `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)},`),
    202,
  ],
  [
    "a depth bomb in its additions",
    JSON.stringify(anEvent()).replace("{", `{${ADDITIONS.map((name) => `"${name}":${deep("[")},`).join("")}`),
    202,
  ],
  [
    "a depth bomb of objects in its additions",
    JSON.stringify(anEvent()).replace("{", `{${ADDITIONS.map((name) => `"${name}":${deep("{")},`).join("")}`),
    202,
  ],
  ["a depth bomb in its context", JSON.stringify(anEvent({ context: "@" })).replace('"@"', deep("{")), 422],
  [
    "with __proto__ and constructor",
    JSON.stringify(anEvent()).replace("{", '{"__proto__":{"host":"x"},"constructor":{"prototype":1},'),
    202,
  ],
  [
    "with invalid UTF-8 in its text",
    Buffer.from(JSON.stringify(anEvent()).replace("broke", "br\u00ffke"), "latin1"),
    202,
  ],
] as const)
  test(`a body that is ${name} returns ${status}`, async () => {
    const { url, sender } = await fresh();
    assert.equal((await sender.send({ ...raw(payload), url })).status, status);
  });

test("a body may be compressed with gzip, but with nothing else", async () => {
  const { url, sender, only } = await fresh();
  const body = JSON.stringify(anEvent());
  assert.equal(
    (await sender.send({ ...raw(gzipSync(body), { "content-encoding": "gzip" }), url })).status,
    202,
  );
  assert.equal((await only())["occurrence_count"], 1);
  assert.equal((await sender.send({ ...raw(body, { "content-encoding": "br" }), url })).status, 415);
  assert.equal((await sender.send({ ...raw(body, { "content-encoding": "gzip" }), url })).status, 400);
  assert.equal((await sender.send({ ...raw(body, { "content-type": "text/plain" }), url })).status, 415);
});

test("more than 32 MiB before or after decompression return 413; a valid event of 24 MiB is accepted", async () => {
  const { url, sender, only } = await fresh();
  const large = Buffer.alloc(32 * 1_048_576 + 1, 0x20);
  assert.equal((await sender.send({ ...raw(large), url })).status, 413);
  assert.equal(
    (await sender.send({ ...raw(gzipSync(large), { "content-encoding": "gzip" }), url })).status,
    413,
  );
  const trace = "\u{1F600}".repeat(131_072);
  const chain = Array.from({ length: 10 }, () => ({ exception_class: "P", message: "", stack_trace: trace }));
  const escaped = JSON.stringify(anEvent({ stack_trace: trace, previous_exceptions: chain })).replace(
    /[\ud800-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  assert.ok(escaped.length > 16 * 1_048_576);
  assert.equal((await sender.send({ ...raw(escaped), url })).status, 202);
  const group = await only();
  assert.equal(group["latest_stack_trace"], trace);
  assert.deepEqual(group["previous_exceptions"], chain);
});

test("more than a million JSON values return 413, and the events after that are stored", async () => {
  const { url, sender, only } = await fresh();
  const filled = (part: string, count: number) =>
    JSON.stringify(anEvent({ unknown: [] })).replace("[]", `[${part.repeat(count)}0]`);
  for (const payload of [filled("{},", 10_000_000), filled("[[1]],", 500_000), filled('{"a":1},', 400_000)]) {
    const compressed = raw(gzipSync(payload), { "content-encoding": "gzip" });
    assert.equal((await sender.send({ ...compressed, url })).status, 413);
  }
  for (const payload of [filled("1,", 900_000), filled('",{[:\\"\\\\",', 500_000)])
    assert.equal((await sender.send({ ...raw(payload), url })).status, 202);
  assert.equal((await only())["occurrence_count"], 2);
});

test("an invalid large event returns 422 on its field like a small one", async () => {
  const { url, sender } = await fresh();
  const answer = await sender.post(url, anEvent({ stack_trace: "x".repeat(1_000_000) }));
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { stack_trace: ["must be at most 131072 characters"] });
  assert.equal((await sender.send({ ...raw("{".repeat(1_000_000)), url })).status, 400);
});
