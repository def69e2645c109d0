import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anEvent } from "../../../../test/support/error-events.ts";
import { toKeptEvent } from "./kept-event.ts";
import { readEvent } from "../read/read-event.ts";

/** Texts of which JSON takes one to six bytes for a character. */
const unit = fc.constantFrom("a", "ü", "€", "\u{1f600}", '"', "\\", "/", "\n", "\u0001", "\u007f", "\ud800");
const text = fc
  .tuple(unit, unit, fc.integer({ min: 0, max: 40_000 }))
  .map(([one, other, length]) => (one + other).repeat(length / 2));

test("an event is kept in the same form whether or not the size of its body is known", () => {
  const previous = fc.record({ exception_class: fc.constant("A"), message: text, stack_trace: text });
  const event = fc.record({
    message: text,
    stack_trace: text,
    release: text,
    previous_exceptions: fc.array(previous, { maxLength: 3 }),
    tags: fc.dictionary(fc.string(), fc.string()),
  });
  fc.assert(
    fc.property(event, fc.integer({ min: 0, max: 40_000 }), (sent, wrongBytes) => {
      const [before = "", after = ""] = JSON.stringify(anEvent({ host: "", ...sent })).split('"host":""');
      // These are no characters of UTF-8, and three bytes are stored for each.
      const wrong = Buffer.alloc(wrongBytes, 0x80);
      const more = [Buffer.from(`${before}"message":"`), wrong, Buffer.from(`"${after}`)];
      for (const bytes of [Buffer.from(`${before}"host":""${after}`), Buffer.concat(more)]) {
        const event = readEvent(bytes);
        assert.deepEqual(toKeptEvent(event), toKeptEvent({ ...event, most_bytes: null }));
      }
    }),
    { numRuns: 30 },
  );
});
