import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { frame, recorded, options, thrown } from "../../../../../test/support/sentry-events.ts";
import { toKeptEvent } from "../../store/kept-event.ts";
import { additionsOf } from "../read-event.ts";
import { readSentryEvent, type SentryOptions } from "./read-sentry-event.ts";
import { parseEvent as parseBytes } from "./recent-stacks.ts";

const parseEvent = (text: string) => parseBytes(Buffer.from(text));

/** The second time, stack traces are known. */
const TIMES = 4;

function assertParsed(text: string) {
  const expected: unknown = JSON.parse(text);
  for (let n = 0; n < TIMES; n++) assert.deepEqual(parseEvent(text), expected, text.slice(0, 500));
}

const pay = frame("pay", "/srv/pay.js", { context_line: "if (a) { b({c: [{}]}) }", in_app: true });
const EVENT = thrown(frame("main", "/srv/main.js"), pay);
const STACK = JSON.stringify(EVENT.exception.values[0]?.stacktrace);

test("recorded events are parsed as by JSON.parse, and share the stack traces that occur again", () => {
  for (const event of [...recorded("node-10.78.0.json"), ...recorded("browser-10.78.0.json")])
    assertParsed(JSON.stringify(event));
  const text = JSON.stringify(EVENT);
  assertParsed(text);
  const stackOf = () => (parseEvent(text) as typeof EVENT).exception.values[0]?.stacktrace;
  assert.equal(stackOf(), stackOf());
});

test("a known stack trace in any place, twice under one name, or inside a text is parsed as by JSON.parse", () => {
  assertParsed(JSON.stringify(EVENT));
  const part = `"stacktrace":${STACK}`;
  for (const text of [
    `{${part}}`,
    `[{${part}}]`,
    `{"extra":{${part}},"exception":{"values":[{${part}}]}}`,
    `{"exception":[{${part}}]}`,
    `{"exception":{"values":[{${part},${part}}]}}`,
    `{"exception":{"values":[{${part}}]},"exception":{"values":[]}}`,
    `{"exception":{"values":{"a":{${part}}}},"threads":{"values":[{${part}},{${part}},7,null]}}`,
    `{"exception":{"values":[{${part},"stacktrace":1}]}}`,
    `{"a\\"stacktrace":${STACK},"exception":{"values":[{"x\\\\":1,${part}}]}}`,
    `{"exception":{"values":[{"value":${JSON.stringify(part)},${part}}]}}`,
    `{"exception":{"values":[{"stacktrace":{"frames":[{"vars":{${part}}}]}}]}}`,
    `{"exception":{"values":[{"__proto__":{${part}},${part}}]},"__proto__":1}`,
    JSON.stringify(
      thrown(frame("main", "/srv/main.js"), { ...pay, context_line: "if (a) { b({c: [{}]}) };" }),
    ),
    JSON.stringify(thrown(frame("moin", "/srv/main.js"), pay)),
    JSON.stringify(thrown(frame("ü\ud83d\ude00\ud800", "/srv/\u2028.js"), pay)),
  ])
    assertParsed(text);
});

test("invalid JSON stays invalid with a known stack trace in it", () => {
  assertParsed(JSON.stringify(EVENT));
  const part = `"stacktrace":${STACK}`;
  for (const text of [
    `{"exception":{"values":[{${part}]}}`,
    `{"exception":{"values":[{${part}x}]}}`,
    `{"exception":{"values":[{"a"${part}}]}}`,
    `{"exception":{"values":[{"a,${part}}]}}`,
    `{"exception":{"values":[{"a":"${part}}]}}`,
    `{"exception":{"values":[{${part}`,
    `"stacktrace":${STACK}`,
    '"stacktrace":{',
  ])
    for (let n = 0; n < TIMES; n++) assert.throws(() => parseEvent(text), SyntaxError, text.slice(0, 200));
});

test("an event of 1 MB that starts a stack trace in each of its 60,000 objects is parsed as by JSON.parse", () => {
  const starts = Array.from({ length: 60_000 }, () => '{"stacktrace":{}}');
  assertParsed(`{"extra":[${starts.join(",")}],"exception":{"values":[{"stacktrace":${STACK}}]}}`);
  const nested = '{"stacktrace":'.repeat(500);
  assertParsed(`{"extra":${nested}{"a":[{}]}${"}".repeat(500)}}`);
});

test("any JSON between and in stack traces is parsed as by JSON.parse", () => {
  const stack = fc.oneof(
    fc.constant(JSON.parse(STACK) as unknown),
    fc.record({ frames: fc.array(fc.dictionary(fc.string(), fc.jsonValue())) }),
    fc.jsonValue(),
  );
  const value = fc.record({ value: fc.jsonValue(), stacktrace: stack }, { requiredKeys: [] });
  const event = fc.record({ exception: fc.record({ values: fc.array(value) }), extra: fc.jsonValue() });
  fc.assert(fc.property(event, (sent) => assertParsed(JSON.stringify(sent))));
});

test("events with known stack traces are read like others, also with users, rules and variables in their frames", () => {
  const secret = frame("login", "/srv/k_8817/login.js", {
    context_line: "mail('ann@example.com')",
    vars: { token: "x", name: "k_8817" },
    pre_context: ["// for k_8817 and ticket-42"],
  });
  const exception = thrown(frame("main", "/srv/main.js"), secret).exception;
  const rules = JSON.stringify([{ name: "ticket", key_pattern: null, value_pattern: "ticket-\\d+" }]);
  const others: Partial<SentryOptions>[] = [{}, { keepVars: true }, { privacyRules: rules }];
  for (const user of [undefined, { id: "k_8817" }, { id: "elsewhere" }, { id: "k_8817\n// for" }])
    for (const other of others) {
      const event = { exception, user, tags: { a: "b@example.com" } };
      const how = { ...options, ...other };
      const read = (parse: (text: string) => unknown) => {
        const result = readSentryEvent(parse(JSON.stringify(event)), how);
        return { ...result, additions: result && additionsOf(result), kept: result && toKeptEvent(result) };
      };
      const expected = read(JSON.parse);
      const isRemoved = !JSON.stringify(expected.additions).includes("k_8817");
      assert.equal(isRemoved, user?.id === "k_8817");
      for (let n = 0; n < TIMES; n++) assert.deepEqual(read(parseEvent), expected);
    }
});

test("events of many classes with the same known stack trace have the fingerprints of their classes", () => {
  for (let n = 0; n < 60; n++) {
    const type = `Failure${n % 30}`;
    const text = JSON.stringify({ exception: { values: [{ ...EVENT.exception.values[0], type }] } });
    const expected = readSentryEvent(JSON.parse(text), options)?.fingerprint;
    assert.deepEqual(readSentryEvent(parseEvent(text), options)?.fingerprint, expected);
  }
});
