import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anEvent } from "../../../../test/support/error-events.ts";
import { parseEvent as parseBytes } from "./recent-traces.ts";

const parseEvent = (text: string) => parseBytes(Buffer.from(text)).event;

/** The second time, traces are known. */
const TIMES = 4;

function assertParsed(text: string) {
  const expected: unknown = JSON.parse(text);
  for (let n = 0; n < TIMES; n++) assert.deepEqual(parseEvent(text), expected, text.slice(0, 500));
}

const lines = (length: number, line: (n: number) => string) =>
  Array.from({ length }, (_, n) => line(n)).join("\n");
const PHP = lines(40, (n) => `#${n} /srv/app/Handler${n}.php(${n}): Acme\\Handler->handle('a', "b")`);
const PYTHON = lines(
  40,
  (n) => `  File "/srv/app/handler${n}.py", line ${n}, in handle\n    raise ValueError("ü")`,
);
const PART = `"stack_trace":${JSON.stringify(PHP)}`;

test("an event whose trace occurs again is parsed as by JSON.parse", () => {
  const previous = { exception_class: "A", message: "m", stack_trace: PYTHON };
  for (const stack_trace of [
    PHP,
    PYTHON,
    `${PHP}\\`,
    `${PHP}"`,
    `${PHP}\\"`,
    `${PHP}\ud83d\ude00\ud800\0`,
    '"'.repeat(2_000),
  ])
    for (const more of [{}, { previous_exceptions: [previous, previous] }, { previous_exceptions: null }]) {
      const event = { ...more, ...anEvent({ stack_trace }), host: "web-1" };
      assertParsed(JSON.stringify(event));
      assertParsed(JSON.stringify(event, null, 1));
      assertParsed(JSON.stringify(event).replace('"stack_trace":', '"stack_trace": '));
    }
});

test("events with traces that look the same have their own", () => {
  for (let n = 0; n < 9; n++) {
    const stack_trace = `${PHP}${"x".repeat(200)}${n}${"y".repeat(200)}`;
    for (const _ of [1, 2])
      assert.deepEqual(parseEvent(JSON.stringify(anEvent({ stack_trace }))), anEvent({ stack_trace }));
  }
});

test("a known trace in any place, twice under one name, or inside a text is parsed as by JSON.parse", () => {
  assertParsed(`{${PART}}`);
  for (const text of [
    `[{${PART}}]`,
    `{"extra":{${PART}},${PART}}`,
    `{"previous_exceptions":{${PART}},${PART}}`,
    `{"previous_exceptions":[{${PART}},{"a":{${PART}}},7,null,[{${PART}}]],${PART}}`,
    `{${PART},${PART}}`,
    `{${PART},"stack_trace":1}`,
    `{"previous_exceptions":[{${PART}}],"previous_exceptions":[]}`,
    `{"a\\"stack_trace":${JSON.stringify(PHP)},${PART}}`,
    `{"x\\\\":1,${PART}}`,
    `{"message":${JSON.stringify(PART)},${PART}}`,
    `{"__proto__":{${PART}},${PART}}`,
    `{"stack_trace":{${PART}}}`,
    `{"stack_trace":"","a":${JSON.stringify(PHP)}}`,
  ])
    assertParsed(text);
});

test("invalid JSON stays invalid with a known trace in it", () => {
  assertParsed(`{${PART}}`);
  for (const text of [
    `{${PART}`,
    `{${PART}x}`,
    `{"a"${PART}}`,
    `{"a,${PART}}`,
    `{"a":"${PART}}`,
    PART,
    `{${PART.slice(0, -1)}`,
    `{${PART.slice(0, -1)}\\"}`,
    `{${PART.slice(0, -1)}\n"}`,
    `{${PART.slice(0, -1)}\\x"}`,
    '{"stack_trace":',
    '{"stack_trace":"',
  ])
    for (let n = 0; n < TIMES; n++) assert.throws(() => parseEvent(text), SyntaxError, text.slice(-200));
});

test("bytes that are not UTF-8 beside a known trace are replaced as without one", () => {
  assertParsed(`{${PART}}`);
  for (const wrong of [[0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3], [0x80]]) {
    const parts = ['{"message":"', '",', ...PART.split(/(?<=":")/), "}"];
    for (let at = 1; at < parts.length; at++) {
      const bytes = Buffer.concat([
        Buffer.from(parts.slice(0, at).join("")),
        Buffer.from(wrong),
        Buffer.from(parts.slice(at).join("")),
      ]);
      const parse = (read: (bytes: Buffer) => unknown) => {
        try {
          return read(bytes);
        } catch {
          return "no JSON";
        }
      };
      const expected = parse(() => JSON.parse(bytes.toString("utf8")) as unknown);
      for (let n = 0; n < TIMES; n++)
        assert.deepEqual(
          parse((all) => parseBytes(all).event),
          expected,
        );
    }
  }
});

test("any JSON around and in traces is parsed as by JSON.parse", () => {
  const trace = fc.oneof(fc.constant(PHP), fc.string({ minLength: 600, maxLength: 700 }), fc.jsonValue());
  const previous = fc.oneof(
    fc.array(fc.record({ message: fc.jsonValue(), stack_trace: trace })),
    fc.jsonValue(),
  );
  const event = fc.record({
    message: fc.string(),
    stack_trace: trace,
    previous_exceptions: previous,
    extra: fc.jsonValue(),
  });
  fc.assert(fc.property(event, (sent) => assertParsed(JSON.stringify(sent))));
});
