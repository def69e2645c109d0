import assert from "node:assert/strict";
import { test } from "node:test";
import { runMapTask, type MapAnswer } from "./map-task.ts";

let fileId = 0;

/** What the thread answers about the start of the file. */
function readMap(
  map: unknown,
  positions = [{ line: 1, column: 1, function: null as string | null }],
): MapAnswer {
  const text = typeof map === "string" ? map : JSON.stringify(map);
  return runMapTask({
    fileId: ++fileId,
    file: new Uint8Array(Buffer.from(text)),
    type: "source_map",
    positions,
  });
}

const MAP = { version: 3, sources: ["a.ts"], sourcesContent: ["let a;"], names: [], mappings: "AAAA" };

const inSections = (depth: number): object =>
  depth === 0
    ? MAP
    : { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: inSections(depth - 1) }] };

const filled = (count: number, item: string) => Array<string>(count).fill(item).join(",");

const REFUSED: Record<string, [unknown, "invalid" | "too_slow"]> = {
  "sections in a hundred sections": [inSections(100), "invalid"],
  "a million nested lists": ["[".repeat(1_000_000), "invalid"],
  "more than six million segments": [{ ...MAP, mappings: "A,".repeat(6_000_001) }, "too_slow"],
  "other characters than Base64 in its mappings": [{ ...MAP, mappings: "AA\u{1f600}A" }, "invalid"],
  "three million objects": [`{"version":3,"mappings":"","sources":[${filled(3_000_000, "{}")}]}`, "too_slow"],
  "a section at a negative line": [
    { version: 3, sections: [{ offset: { line: -1, column: 0 }, map: MAP }] },
    "invalid",
  ],
};

for (const [what, [map, problem]] of Object.entries(REFUSED))
  test(`a map with ${what} is ${problem}`, () => {
    assert.deepEqual(readMap(map), { problem });
  });

test("mappings that no bundler writes have no positions or any, but are read", () => {
  for (const mappings of ["g".repeat(100_000), "AA", "A".repeat(100_000), "gggggggggggggg,;,;AAAA"])
    assert.ok("positions" in readMap({ ...MAP, mappings }), mappings.slice(0, 20));
});

test("values of the wrong type are ignored", () => {
  const answer = readMap({
    ...MAP,
    sources: [7, {}],
    sourcesContent: 5,
    names: { length: 3 },
    sourceRoot: [],
  });
  assert.deepEqual(answer, { positions: [null] });
});

test("names of the prototype are ordinary names", () => {
  const text = `{"__proto__":{"mappings":"x"},"version":3,"sources":["__proto__"],"names":["constructor"],"mappings":"AAAAA"}`;
  const answer = readMap(text);
  assert.ok("positions" in answer);
  assert.deepEqual([answer.positions[0]?.source, answer.positions[0]?.name], ["__proto__", "constructor"]);
});

test("huge lines and columns are not in the map", () => {
  const huge = { line: 2 ** 52, column: 2 ** 52, function: null };
  const sections = [{ offset: { line: 2 ** 50, column: 2 ** 50 }, map: MAP }];
  assert.deepEqual(readMap(MAP, [huge]), { positions: [null] });
  assert.deepEqual(readMap({ version: 3, sections }, [huge]), { positions: [null] });
  // An original line that the text does not have.
  const answer = readMap({ ...MAP, mappings: "AA+///DA" });
  assert.ok("positions" in answer);
  assert.equal(answer.positions[0]?.lines ?? null, null);
});

test("lines of the source are cut like those of events", () => {
  const answer = readMap({ ...MAP, sourcesContent: ["é".repeat(1_000_000)] });
  assert.ok("positions" in answer);
  assert.equal(answer.positions[0]?.lines?.context_line, "é".repeat(1_000));
});
