import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { markdownHtml } from "./html.ts";
import { countTasks } from "./tasks.ts";

const repeated = (piece: string) => (length: number) => piece.repeat(Math.floor(length / piece.length));

/** Texts that take quadratic time or worse in many Markdown parsers, by length. */
const HOSTILE: Record<string, (length: number) => string> = {
  ...Object.fromEntries(
    [
      ..."[ ] * _ < > ` | @ # & \\ ~ ! ( : - + .".split(" "),
      "\t",
      "\n",
      "![",
      "[a](",
      "[a](<b",
      '[a](b "',
      "[[]",
      "[\\",
      "*a ",
      "*a _b ",
      "**a *b ",
      "a**b",
      "~~a ",
      "<a ",
      "<a b='",
      "<!--",
      "<?",
      "<![CDATA[",
      "<https://",
      "> ",
      ">- ",
      "- ",
      "- a\n",
      "- [ ] a\n",
      "1. ",
      "a\n=\n",
      "```\n",
      "`a``",
      "[a]: b\n",
      "[a]: b '\n",
      "[a](b)",
      "![a](b)",
      "|a",
      "|-|\n",
      "http://a ",
      "http://.",
      "http://a",
      "https://a)",
      "www.a",
      "www.",
      "@a/",
      "@a.",
      "@a@",
      "A1-1",
      "AB-1 ",
      "AB-1",
      "#1",
      "#1 ",
      "&#64;",
      "é@",
    ].map((piece) => [JSON.stringify(piece), repeated(piece)]),
  ),
  "nested quotes": (length) => `${"> ".repeat(200)}a\n`.repeat(Math.floor(length / 402)),
  "nested lists": (length) =>
    Array.from({ length: Math.floor(length / 200) }, (_, n) => `${" ".repeat((n * 2) % 400)}- a`).join("\n"),
  "nested brackets": (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  "nested links": (length) => `${"[".repeat(length / 5)}a${"](b)".repeat(length / 5)}`,
  "nested images": (length) => `${"![".repeat(length / 6)}a${"](b)".repeat(length / 6)}`,
  "nested parentheses": (length) => `[a](${"(".repeat(length)}`,
  "runs of backticks": (length) => {
    const runs = Math.floor(Math.sqrt(length * 2));
    return Array.from({ length: runs }, (_, n) => "`".repeat(n)).join(" ");
  },
  "emphasis around a letter": (length) => `${"*".repeat(length / 2)}a${"*".repeat(length / 2)}`,
  "a wide row": (length) =>
    `${"a|".repeat(length / 6)}\n${"-|".repeat(length / 6)}\n${"a|".repeat(length / 6)}`,
  "a wide table with short rows": (length) =>
    `${"a|".repeat(length / 8)}\n${"-|".repeat(length / 8)}\n${"a\n".repeat(length / 4)}`,
  "many short rows": (length) => `|a|b|\n|-|-|\n${"|a|\n".repeat(length / 4)}`,
  "a quote that goes on": (length) => `> a\n${"b\n".repeat(length / 2)}`,
  "a title that never ends": (length) => `[a]: b '\n${"c\n".repeat(length / 2)}`,
  "many definitions": (length) => Array.from({ length: length / 10 }, (_, n) => `[a${n}]: b`).join("\n"),
  "uses of an undefined reference": repeated("[a][b]"),
};

const [SHORT, LONG] = [8_000, 32_000];

/** CPU time, because other tests run at the same time. */
function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(before).user / 1_000;
}

/** The best of three, because garbage collection and compilation are not part of it. */
const bestMs = (run: () => unknown) => Math.min(...[1, 2, 3].map(() => cpuMs(run)));

/** A text of four times the length takes 4 times as long in linear time, and 16 times as long in quadratic time. */
const MAX_GROWTH = 10;
/** Growth of shorter times cannot be measured. */
const MEASURABLE_MS = 40;

for (const [what, run] of [
  ["rendering", (text: string) => markdownHtml(text, { projectKeys: ["AB"], projectKey: "AB" })],
  ["counting tasks", countTasks],
] as const)
  test(`the time for ${what} grows with the length of the text only, whatever the text is`, () => {
    const slow = Object.entries(HOSTILE).flatMap(([name, textOf]) => {
      const measure = (ms: typeof cpuMs) => {
        const long = ms(() => run(textOf(LONG)));
        return long < MEASURABLE_MS ? 0 : long / ms(() => run(textOf(SHORT)));
      };
      const growth = measure(cpuMs) > MAX_GROWTH ? measure(bestMs) : 0;
      return growth > MAX_GROWTH ? [`${name}: ${growth.toFixed(1)} times`] : [];
    });
    assert.deepEqual(slow, []);
  });

const SYNTAX = [
  "[",
  "](",
  ")",
  "![",
  "*",
  "_",
  "`",
  "```",
  "\n",
  "    ",
  "<",
  ">",
  "<!--",
  "<script>",
  "<img src=x onerror=y>",
  "javascript:",
  "data:",
  "http://",
  "www.",
  "|",
  "|-|\n",
  "- [ ] ",
  "- [x] ",
  "> ",
  "1. ",
  "# ",
  "@ann",
  "AB-1",
  "#7",
  "&lt;",
  "&#60;",
  '"',
  "'",
  "=",
  "\\",
  "~~",
  "\0",
  "\ud800",
  "a",
  " ",
  "onclick=",
  "/api/projects/1/attachments/2",
  "<javascript:x>",
  "[a]: ",
];

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fc.constantFrom(...SYNTAX), { maxLength: 60 }).map((parts) => parts.join("")),
);

const TAGS =
  /^(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|hr|br|table|thead|tbody|tr|th|td|strong|em|s|a|img|div|span|input|button|time)$/;
const ATTRIBUTES =
  /^(?:dir|href|title|rel|target|src|alt|loading|class|start|type|align|aria-label|data-(?:line|issue|report|person)|checked|disabled|datetime)$/;

test("any text becomes balanced HTML of known tags and attributes, with safe addresses only", () => {
  const readable = { people: new Map([["ann", ""]]), projectKeys: ["AB"], projectKey: "AB", mayTick: true };
  fc.assert(
    fc.property(anything, (text) => {
      const open: string[] = [];
      for (const [, close, name = "", rest = ""] of markdownHtml(text, readable).matchAll(
        /<(\/?)([a-z0-9]*)((?:"[^"]*"|[^">])*)>/g,
      )) {
        assert.match(name, TAGS);
        if (close) assert.equal(open.pop(), name);
        else if (!/^(?:hr|br|img|input)$/.test(name)) open.push(name);
        for (const [, attribute = "", , value = ""] of rest.matchAll(/ ([^\s="]+)(="([^"]*)")?/g)) {
          assert.match(attribute, ATTRIBUTES);
          if (attribute === "href") assert.match(value, /^(?:https?:|mailto:|\/projects\/|\/api\/)/i);
          if (attribute === "src") assert.match(value, /^\/api\/[\w/-]*attachments\/\d+/);
        }
      }
      assert.deepEqual(open, []);
    }),
    { numRuns: 1_000 },
  );
});
