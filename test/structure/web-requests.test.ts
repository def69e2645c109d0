import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const WEB = path.join(import.meta.dirname, "../../src/web");

const sources = readdirSync(WEB, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll(path.sep, "/"))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"));
const others = sources.filter((name) => !/^(?:data|api)\//.test(name));

/** The files outside of data/ and api/ that match. */
const filesWith = (pattern: RegExp) =>
  others.filter((name) => pattern.test(readFileSync(path.join(WEB, name), "utf8")));

test("only src/web/data makes requests with the API client", () => {
  assert.ok(others.length > 500);
  assert.deepEqual(filesWith(/import \{[^}]*\bapi\b[^}]*\} from "[./]*\/api\/client\.ts"/), []);
});

test("only src/web/data defines optimistic updates", () => {
  assert.deepEqual(filesWith(/\buseOptimistic\b/), []);
});
