import assert from "node:assert/strict";
import { test } from "node:test";
import { prefersMarkdown } from "./prefers-markdown.ts";

const CASES: [accept: string, prefers: boolean][] = [
  ["text/markdown", true],
  ["text/markdown, text/html, */*", true],
  ["text/html, text/markdown", false],
  ["text/html;q=0.9, text/markdown", true],
  ["text/markdown;q=0.5, text/html;q=0.9", false],
  ["text/markdown;q=0, */*", false],
  ["Text/Markdown ; Q=1, text/html", true],
  ["text/markdown;q=nonsense, text/html;q=0.1", false],
  ["text/markdown, */*", true],
  ["text/markdown;q=0.1, */*", false],
  ["*/*", false],
  ["text/*", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
  ["", false],
];
for (const [accept, prefers] of CASES)
  test(`"${accept}" ${prefers ? "prefers" : "does not prefer"} Markdown`, () => {
    assert.equal(prefersMarkdown(accept), prefers);
  });
