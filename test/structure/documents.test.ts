import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { settings } from "../../src/server/config/settings.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const DOCUMENTS = [
  "*.md",
  "bench/*.md",
  "cli/*.md",
  "docs/**/*.md",
  "reporter/*.md",
  "reporter/{docs,test-frameworks}/*.md",
];

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const files = globSync(DOCUMENTS, { cwd: ROOT });

test("every link between documents leads to an existing file and heading", () => {
  assert.ok(files.length > 50);
  assert.deepEqual(files.flatMap(brokenLinks), []);
});

test("docs/running.md describes every setting", () => {
  const text = read("docs/running.md");
  assert.deepEqual(
    Object.keys(settings.shape).filter((name) => !text.includes(`\`${name}\``)),
    [],
  );
});

test("the index of the decisions lists every record once", () => {
  const index = read("docs/decisions/README.md");
  const records = globSync("[0-9]*.md", { cwd: path.join(ROOT, "docs/decisions") });
  assert.deepEqual(
    records.filter((record) => index.split(`(${record})`).length !== 2),
    [],
  );
});

function brokenLinks(file: string): string[] {
  const links = Array.from(
    withoutCode(read(file)).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g),
    ([, link = ""]) => link,
  );
  return links.filter((link) => !leadsSomewhere(file, link)).map((link) => `${link} in ${file}`);
}

function leadsSomewhere(from: string, link: string): boolean {
  const [to = "", heading] = link.split("#");
  const target = to === "" ? from : path.join(path.dirname(from), to);
  if (!existsSync(path.join(ROOT, target))) return false;
  return heading === undefined || headings(target).includes(heading);
}

/** As GitHub makes them. */
function headings(file: string): string[] {
  return Array.from(withoutCode(read(file)).matchAll(/^#+ (.*)$/gm), ([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutCode(text: string): string {
  return text.replace(/```[^]*?```/g, "");
}
