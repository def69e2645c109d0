import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { BUILT } from "../../src/server/serve/web-app/serve-web-app.ts";

/** Maximum sizes in bytes, compressed with gzip. */
const FIRST_SCREEN = 220_000;
const STYLES = 22_000;
const LATER_ROUTE = 40_000;

/**
 * Maximum number of scripts. With those of the first screen, the HTML, the theme, the styles, the font, and its two requests
 * to the API, a page shows its content after at most 20 requests.
 */
const SCRIPTS = 8;

const folder = process.env["WEB_APP"] ?? BUILT;

type Chunk = {
  file: string;
  name?: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};
const manifest = JSON.parse(readFileSync(path.join(folder, ".vite/manifest.json"), "utf8")) as Record<
  string,
  Chunk
>;

const size = (file: string) => gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length;

/** A chunk and everything it imports statically. */
function whole(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of manifest[name]?.imports ?? []) whole(next, seen);
  return seen;
}

const bytes = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + size(manifest[name]?.file ?? name), 0);

/** What every page of a signed-in person loads first. */
const entryParts = whole(find("frame"), whole(find("app")));
function find(name: string): string {
  const found = Object.keys(manifest).find((key) => manifest[key]?.name === name);
  assert.ok(found, name);
  return found;
}

const isPage = (name: string) => name.endsWith("-page.tsx");

test("the scripts of every first page stay within 220 kB", (t) => {
  const pages = Object.keys(manifest).filter(isPage);
  assert.ok(pages.length > 20, "the pages were not found");
  const sizes = pages.map((name) => ({ name, bytes: bytes(whole(name, new Set(entryParts))) }));
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  t.diagnostic(`entry ${bytes(entryParts)} B; largest first screen ${JSON.stringify(largest)}`);
  assert.deepEqual(
    sizes.filter((page) => page.bytes > FIRST_SCREEN),
    [],
  );
});

test("every later route adds at most 40 kB", (t) => {
  const added = Object.keys(manifest)
    .filter(isPage)
    .map((name) => ({ name, bytes: bytes([...whole(name)].filter((part) => !entryParts.has(part))) }));
  t.diagnostic(JSON.stringify(added.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5)));
  assert.deepEqual(
    added.filter((page) => page.bytes > LATER_ROUTE),
    [],
  );
});

test("a page's code, besides that of the first screen, is in at most 8 files", (t) => {
  const counts = Object.keys(manifest)
    .filter(isPage)
    .map((name) => ({ name, files: [...whole(name)].filter((part) => !entryParts.has(part)).length }));
  t.diagnostic(
    `${entryParts.size} of the first screen; ${JSON.stringify(counts.toSorted((a, b) => b.files - a.files).slice(0, 3))}`,
  );
  assert.ok(entryParts.size <= 4);
  assert.deepEqual(
    counts.filter(({ files }) => files > SCRIPTS),
    [],
  );
});

test("the styles stay within 22 kB", (t) => {
  const files = readdirSync(path.join(folder, "assets")).filter((name) => name.endsWith(".css"));
  const total = files.reduce((sum, name) => sum + size(path.join("assets", name)), 0);
  t.diagnostic(`${total} B`);
  assert.ok(files.length > 0 && total <= STYLES, `${total} B`);
});

test("the bundle does not contain the validation library", () => {
  const scripts = readdirSync(path.join(folder, "assets")).filter((name) => name.endsWith(".js"));
  const found = scripts.filter((name) =>
    readFileSync(path.join(folder, "assets", name), "utf8").includes("ZodError"),
  );
  assert.ok(scripts.length > 20);
  assert.deepEqual(found, []);
});
