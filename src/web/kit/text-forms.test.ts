import assert from "node:assert/strict";
import { test } from "node:test";
import { byteText } from "./byte-text.ts";
import { countCodePoints, roomLeft } from "./code-points.ts";
import { compactCount, countOf, exactCount } from "./count-text.ts";
import { initialsOf, nameOfPerson } from "./initials.ts";

test("counts are exact below 1,000 and abbreviated above", () => {
  assert.deepEqual([0, 999, 1000, 12_345, 1_500_000].map(compactCount), ["0", "999", "1K", "12.3K", "1.5M"]);
  assert.equal(exactCount(12_345), "12,345");
  assert.deepEqual(
    [countOf(1, "event"), countOf(0, "event"), countOf(2, "entry", "entries")],
    ["1 event", "0 events", "2 entries"],
  );
});

test("sizes use powers of 1,024 and never show 1024 of a unit", () => {
  assert.deepEqual([0, 1023, 1024, 1536, 20 * 1024 ** 2, 1024 ** 2 - 1].map(byteText), [
    "0 B",
    "1023 B",
    "1 kB",
    "1.5 kB",
    "20 MB",
    "1 MB",
  ]);
});

test("a limit counts code points and is shown only near its end", () => {
  assert.equal(countCodePoints("a😀é"), 3);
  assert.equal(countCodePoints("\ud83d"), 1);
  assert.equal(roomLeft("a".repeat(80), 100), null);
  assert.equal(roomLeft("a".repeat(95), 100), 5);
  assert.equal(roomLeft("a".repeat(101), 100), -1);
  assert.equal(roomLeft("😀".repeat(50), 100), null);
});

test("initials are the first whole character of each name", () => {
  assert.equal(initialsOf({ first_name: "ann", last_name: "Example" }), "AE");
  assert.equal(initialsOf({ first_name: " 😀x", last_name: "" }), "😀");
  assert.equal(initialsOf({ first_name: "", last_name: " " }), "?");
  assert.equal(nameOfPerson(null), "Deleted user");
});
