import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { envelope, type SentItem } from "../../../../../test/support/sentry.ts";
import { HttpError } from "../../../answers/errors.ts";
import { EnvelopeParser, type Envelope } from "./envelope-parser.ts";

const MIB = 1_048_576;

function parse(bytes: Buffer, chunkSize = bytes.length): Envelope {
  const parser = new EnvelopeParser();
  for (let at = 0; at < bytes.length; at += chunkSize) parser.add(bytes.subarray(at, at + chunkSize));
  return parser.end();
}

const parseText = (text: string) => parse(Buffer.from(text));

const refusedWith = (status: number) => (error: unknown) =>
  error instanceof HttpError && error.status === status;

const payloads = (items: Envelope["events"]) => items.map(({ payload }) => payload.toString("latin1"));

test("items are found with and without lengths, however the bytes are divided into chunks", () => {
  const binary = Buffer.from([0, 10, 13, 10, 10, 255, 0x7b, 10]);
  const items: SentItem[] = [
    { header: { type: "session" }, payload: '{"sid":"1"}' },
    { header: { type: "replay_recording", length: 5_000 }, payload: Buffer.alloc(5_000, "\n") },
    { header: { type: "attachment", filename: "a.png" }, payload: binary },
    { header: { type: "event" }, payload: '{"message":"ä"}' },
  ];
  const withLengths = envelope(items, { header: { event_id: "1" } });
  const withoutLengths = envelope(
    items.filter(({ header }) => header["type"] !== "attachment"),
    { header: { event_id: "1" }, lengths: false },
  );
  for (const chunkSize of [1, 2, 3, 7, 64, 100_000]) {
    for (const bytes of [withLengths, withoutLengths]) {
      const { header, events } = parse(bytes, chunkSize);
      assert.deepEqual(header, { event_id: "1" });
      assert.deepEqual(
        events.map(({ payload }) => payload.toString()),
        ['{"message":"ä"}'],
      );
    }
    const { attachments } = parse(withLengths, chunkSize);
    assert.deepEqual(payloads(attachments), [binary.toString("latin1")]);
    assert.equal(attachments[0]?.header["filename"], "a.png");
  }
});

test("any items are read back unchanged", () => {
  const item = fc.record({
    header: fc.record({ type: fc.constantFrom("event", "feedback", "user_report", "span") }),
    payload: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (items, chunkSize) => {
      const read = parse(envelope(items), chunkSize);
      const sent = (type: string) =>
        items.filter(({ header }) => header.type === type).map(({ payload }) => payload.toString("latin1"));
      assert.deepEqual(payloads(read.events), sent("event"));
      assert.deepEqual(payloads(read.feedback), sent("feedback"));
      assert.deepEqual(payloads(read.userReports), sent("user_report"));
    }),
  );
});

test("an empty envelope, blank lines and a missing newline at the end are accepted", () => {
  for (const text of ["{}", "{}\n", "{}\n\n\r\n", '{}\n{"type":"session"}', '{}\n{"type":"session"}\n'])
    assert.deepEqual(parseText(text).events, []);
  assert.deepEqual(payloads(parseText('{}\n{"type":"event"}\nabc').events), ["abc"]);
  assert.deepEqual(payloads(parseText('{}\n{"type":"event"}').events), [""]);
  assert.deepEqual(payloads(parseText('{}\n{"type":"event","length":3}\nabc').events), ["abc"]);
});

test("a header that is not a JSON object, a payload that is cut off or too long, and no bytes return 400", () => {
  for (const text of [
    "",
    "x",
    "[]",
    "null\n",
    "{}\nx",
    '{}\n"event"\n',
    '{}\n{"type":"event","length":4}\nabc',
    '{}\n{"type":"event","length":1}',
    '{}\n{"type":"session","length":1}',
    '{}\n{"type":"event","length":2}\nabc\n',
    `{"a":"${"x".repeat(70_000)}"}`,
  ])
    assert.throws(() => parseText(text), refusedWith(400), text.slice(0, 80));
});

test("a length that is not a natural number counts as no length, and a type that is no text is skipped", () => {
  for (const length of [-1, 1.5, "3", null, [], {}, 1e300, true])
    assert.deepEqual(payloads(parseText(`{}\n${JSON.stringify({ type: "event", length })}\nabc\n`).events), [
      "abc",
    ]);
  for (const type of [1, null, [], {}, "__proto__", "constructor", ""])
    assert.deepEqual(parseText(`{}\n${JSON.stringify({ type })}\nabc\n{"type":"event"}\nd`).events.length, 1);
});

test("an event or feedback over 1 MiB returns 413, other items may be as long as they like", () => {
  const items = (type: string, size: number) => [{ header: { type }, payload: "x".repeat(size) }];
  for (const type of ["event", "feedback", "user_report"])
    for (const lengths of [true, false]) {
      assert.throws(() => parse(envelope(items(type, MIB + 1), { lengths }), 100_000), refusedWith(413));
      assert.doesNotThrow(() => parse(envelope(items(type, MIB), { lengths })));
    }
  for (const type of ["replay_recording", "attachment"])
    for (const lengths of [true, false])
      assert.deepEqual(parse(envelope(items(type, 4 * MIB), { lengths }), 100_000).attachments, []);
  const many = envelope(Array.from({ length: 101 }, () => ({ header: { type: "event" }, payload: "{}" })));
  assert.throws(() => parse(many), refusedWith(413));
});

test("an envelope with more than 10,000 header or blank lines, or 1 MiB of headers, returns 413", () => {
  const item = '{"type":"transaction"}\n\n';
  assert.equal(parseText(`{}\n${item.repeat(9_990)}`).skipped, 9_990);
  for (const text of [
    item.repeat(10_000),
    "\n".repeat(10_001),
    `{"a":"${"x".repeat(60_000)}"}\n\n`.repeat(18),
  ])
    assert.throws(() => parse(Buffer.from(`{}\n${text}`), 16_384), refusedWith(413), text.slice(0, 20));
});

test("of sessions, at most 100 per envelope are used, and none above 1 MiB", () => {
  const { sessions, skipped } = parseText(`{}\n${'{"type":"session"}\n{}\n'.repeat(101)}`);
  assert.deepEqual([sessions.length, skipped], [100, 1]);
  const large = parseText(`{}\n{"type":"sessions"}\n"${"x".repeat(1_048_576)}"\n`);
  assert.deepEqual([large.sessions.length, large.skipped], [0, 1]);
});

test("only chunks with a part that is used are reported as kept", () => {
  const parser = new EnvelopeParser();
  assert.equal(parser.add(Buffer.from('{}\n{"type":"replay_video","length":900}\nabc')), false);
  assert.equal(parser.add(Buffer.alloc(890, "a")), false);
  assert.equal(parser.add(Buffer.from("aaaaaaa\n{")), true);
  assert.equal(parser.add(Buffer.from('"type":"event"}\n')), false);
  assert.equal(parser.add(Buffer.from("{}")), true);
  assert.equal(parser.add(Buffer.from("\n")), true);
  assert.equal(
    parser.add(Buffer.from('{"type":"attachment"}\nabc')),
    false,
    "attachments of events are not used",
  );
});
