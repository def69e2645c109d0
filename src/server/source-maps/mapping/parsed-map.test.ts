import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMap } from "./parsed-map.ts";

const MAP = {
  version: 3,
  sources: ["a.ts"],
  sourcesContent: ["let a;"],
  names: ["a"],
  mappings: "AAAAA,IAAI",
};

const find = (text: string, line: number, column: number) =>
  parseMap(Buffer.from(text)).find({ line, column });

test("a line that prevents the file from being run as a script is skipped", () => {
  assert.equal(find(`)]}'\n${JSON.stringify(MAP)}`, 1, 1)?.source, "a.ts");
  assert.equal(find(`)]}'garbage\n${JSON.stringify(MAP)}`, 1, 1)?.source, "a.ts");
});

test("an indexed map finds positions in its sections", () => {
  const section = (line: number, column: number, source: string) => ({
    offset: { line, column },
    map: { ...MAP, sources: [source] },
  });
  const sections = [section(0, 0, "a.ts"), section(0, 100, "b.ts"), section(3, 2, "c.ts")];
  const text = JSON.stringify({
    version: 3,
    sections: [...sections, { offset: { line: 9, column: 0 }, url: "https://any.host/" }],
  });
  assert.equal(find(text, 1, 100)?.source, "a.ts");
  assert.deepEqual([find(text, 1, 101)?.source, find(text, 1, 101)?.name], ["b.ts", "a"]);
  assert.equal(find(text, 4, 2), null);
  assert.deepEqual([find(text, 4, 3)?.source, find(text, 4, 3)?.line], ["c.ts", 1]);
  assert.equal(find(text, 5, 1), null);
});
