import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { TraceMap, traceSegment } from "@jridgewell/trace-mapping";
import { parseMap } from "./parsed-map.ts";
import { Mappings } from "./mappings.ts";

const ROOT = `${import.meta.dirname}/../../../..`;

/** The source map of a package. */
async function mapOf(minify: boolean): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "markdown-it"; export * from "kysely";', resolveDir: ROOT },
    bundle: true,
    platform: "node",
    minify,
    sourcemap: "external",
    outfile: "app.js",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

for (const minify of [true, false])
  test(`positions are those that @jridgewell/trace-mapping finds in a bundle, minified: ${minify}`, async () => {
    const { mappings } = JSON.parse(await mapOf(minify)) as { mappings: string };
    const expected = new TraceMap({ version: 3, sources: [], names: [], mappings });
    const actual = new Mappings(mappings);
    const lines = mappings.split(";").length + 1;
    for (let n = 0; n < 5_000; n++) {
      const line = (n * 7_919) % lines;
      const column = (n * n * 31) % (minify ? 20_000 : 60);
      const segment = actual.find(line, column);
      const { source, line: originalLine, column: originalColumn, name } = segment?.original ?? {};
      const numbers = [segment?.column, source, originalLine, originalColumn, name ?? undefined];
      assert.deepEqual(
        segment && numbers.filter((number) => number !== undefined),
        traceSegment(expected, line, column),
        `${line}:${column}`,
      );
    }
  });

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
