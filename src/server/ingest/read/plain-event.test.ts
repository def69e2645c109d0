import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { errorEvent } from "../../../shared/error-events.ts";
import { plainEvent } from "./plain-event.ts";

const PREVIOUS = { exception_class: "A", message: "", stack_trace: "#0 {main}" };

/** Values for each field, most of them at a limit. */
const VALUES: Record<string, unknown[]> = {
  environment: [undefined, null, "", " ", "x", "x".repeat(255), "x".repeat(256), "𝒳".repeat(255), 1, "a\0b"],
  exception_class: [undefined, "\u00a0", "x".repeat(255), "x".repeat(256), "\ud800", {}],
  message: [undefined, null, "", "x".repeat(70_000), "a\0", "\udfff", 5, ["a"]],
  stack_trace: [undefined, "", "x".repeat(131_072), "x".repeat(131_073), "\0", false],
  release: [null, "", "x".repeat(1_000), "\0", 1],
  previous_exceptions: [
    null,
    [],
    [PREVIOUS],
    Array.from({ length: 10 }, () => PREVIOUS),
    Array.from({ length: 11 }, () => PREVIOUS),
    [{ ...PREVIOUS, more: 1 }],
    [{ ...PREVIOUS, exception_class: " " }],
    [{ ...PREVIOUS, message: "x".repeat(65_536) }],
    [{ ...PREVIOUS, stack_trace: undefined }],
    [null],
    "none",
    {},
  ],
  exception_code: [null, "", "x".repeat(256), 42],
  runtime: [null, {}, [], "php", { name: "php", version: null, more: 1 }, { name: 8 }, { version: "\0" }],
  framework: [{ name: "x".repeat(256) }, { name: null }],
  memory_peak_bytes: [null, 0, -1, 1.5, 2 ** 53 - 1, 2 ** 53, "1", true],
  memory_limit_bytes: [0, -1, null],
  context: [
    null,
    {},
    [],
    "route",
    { kind: "page" },
    { kind: "route", more: 1 },
    { kind: "route", method: "GET", pattern: "/a", action: null, response_status: 100 },
    { kind: "route", response_status: 600 },
    { kind: "route", name: 1 },
    { kind: "job", queue: "a", attempt: 1 },
    { kind: "job", attempt: 0 },
    { kind: "command", class: "A" },
    { kind: "command", class: 1 },
  ],
  host: [null, "", "x".repeat(255), "x".repeat(256), 1],
  user_hash: [1, null, "a".repeat(64)],
  tags: [1, { a: "b" }],
  level: ["debug", 1],
};

for (const [field, values] of Object.entries(VALUES))
  test(`${field} is valid exactly if the schema accepts it`, () => {
    for (const value of values) {
      const text = JSON.stringify(anEvent({ [field]: value }));
      const plain = plainEvent(JSON.parse(text));
      const result = errorEvent.safeParse(JSON.parse(text));
      if (!result.success) assert.equal(plain, undefined, text.slice(0, 300));
      else if (plain) assert.deepEqual(errorEvent.parse(plain), result.data, text.slice(0, 300));
    }
  });

test("a plain event has the texts that were sent, without unknown fields of previous exceptions", () => {
  const previous = [{ more: 1, stack_trace: "", message: "m", exception_class: "A" }];
  const plain = plainEvent(JSON.parse(JSON.stringify(anEvent({ previous_exceptions: previous }))));
  assert.equal(
    JSON.stringify(plain?.previous_exceptions),
    JSON.stringify([{ exception_class: "A", message: "m", stack_trace: "" }]),
  );
});

test("ordinary events are plain, and values that are not objects are not", () => {
  assert.ok(plainEvent(anEvent({ release: "1.0", host: "web-1", runtime: { name: "php" } })));
  for (const value of [null, [], "text", 1, true]) assert.equal(plainEvent(value), undefined);
});
