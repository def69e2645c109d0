import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const output = await mkdtemp(path.join(tmpdir(), "signalbox-widget-"));
after(() => rm(output, { recursive: true, force: true }));
await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "../scripts/build.ts"), output]);
const sizes = new Map<string, number>();
for (const name of await readdir(output))
  sizes.set(name, gzipSync(await readFile(path.join(output, name)), { level: 9 }).length);

test("widget.js has at most 12 kB, compressed with gzip", () => {
  assert.ok((sizes.get("widget.js") ?? Infinity) <= 12_000, `${sizes.get("widget.js")}`);
});

test("all files of the widget together have at most 25 kB, compressed with gzip", () => {
  // The public form is a page of its own, which shares no files with the widget.
  const ofWidget = [...sizes].filter(([name]) => !/^(page|pagepart|work)-/.test(name));
  const total = ofWidget.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total <= 25_000, JSON.stringify(Object.fromEntries(sizes)));
});

test("the names of all files but the two scripts contain a hash", () => {
  const others = [...sizes.keys()].filter((name) => !/^[a-z]+-[A-Z0-9]{8}\.js$/.test(name));
  assert.deepEqual(others.sort(), ["crash.js", "widget.js"]);
});
