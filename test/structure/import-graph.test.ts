import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { cycles, folderOf, readImports, upwardImports } from "./imports.ts";
import { SERVER_FOLDERS } from "./server-folders.ts";
import { WEB_FOLDERS } from "./web-folders.ts";

const ROOT = path.join(import.meta.dirname, "../..");

for (const [root, folders] of [
  ["src/server", SERVER_FOLDERS],
  ["src/web", WEB_FOLDERS],
] as const) {
  const files = readImports(path.join(ROOT, root));

  test(`every folder of ${root} has its place in the order`, () => {
    const present = [...new Set(files.map(({ file }) => folderOf(file)))].filter((folder) => folder !== ".");
    assert.deepEqual(present.toSorted(), [...folders].toSorted());
  });

  test(`every import in ${root} leads to the same folder or one below it`, () => {
    assert.deepEqual(upwardImports(files, folders), []);
  });
}

for (const root of ["cli/src", "reporter/src", "src/server", "src/shared", "src/web"])
  test(`there are no import cycles in ${root}`, () => {
    assert.deepEqual(cycles(readImports(path.join(ROOT, root))), []);
  });

test("an import of a higher folder is reported with file and import", () => {
  const files = [
    { file: "low/a.ts", imports: ["high/b.ts"] },
    { file: "high/b.ts", imports: [] },
  ];
  assert.deepEqual(upwardImports(files, ["high", "low"]), ["low/a.ts imports high/b.ts"]);
});

test("an import of a file at the top is reported", () => {
  const files = [
    { file: "low/a.ts", imports: ["app.ts"] },
    { file: "app.ts", imports: [] },
  ];
  assert.deepEqual(upwardImports(files, ["low"]), ["low/a.ts imports app.ts"]);
});

test("a cycle is reported with every file in it", () => {
  const files = [
    { file: "a.ts", imports: ["b.ts"] },
    { file: "b.ts", imports: ["c.ts"] },
    { file: "c.ts", imports: ["b.ts"] },
  ];
  assert.deepEqual(cycles(files), ["b.ts → c.ts → b.ts"]);
});
