import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../../test/support/client.ts";
import { makeWorkspace } from "../../../test/support/make.ts";
import { found, hits, openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const board = await openSearched(t, await makeWorkspace(t.db));
const made = await board.fill("siskin");

const ask = (query: string) => board.admin.get(`/api/search?${query}`);

test("each invalid parameter is 422", async () => {
  for (const [query, ...fields] of [
    ["", "query"],
    ["query=", "query"],
    ["query=%20%09", "query"],
    ["query=a&query=b", "query"],
    [`query=${"x".repeat(256)}`, "query"],
    ["query=a&kind=note", "kind"],
    ["query=a&kind=issue,note", "kind"],
    ["query=a&project_id=x", "project_id"],
    ["query=a&project_id=-1", "project_id"],
    ["query=a&limit=0", "limit"],
    ["query=a&limit=51", "limit"],
    ["query=a&limit=1.5", "limit"],
    ["query=a&limit=ten", "limit"],
    ["kind=x&limit=x&project_id=x", "kind", "limit", "project_id", "query"],
  ]) {
    const answer = await ask(String(query));
    assert.deepEqual(refusalOf(answer), [422, ...fields], query);
  }
});

test("a query may have 255 characters, not counting surrounding whitespace", async () => {
  assert.equal((await ask(`query=${encodeURIComponent("𝄞".repeat(255))}`)).status, 200);
  assert.equal((await ask(`query=${"+".repeat(300)}siskin${"+".repeat(300)}`)).body.data.length, 6);
});

test("kinds can be separated by commas or given several times", async () => {
  const both = [
    ["epic", made.epic],
    ["report", made.report],
  ];
  assert.deepEqual(await found(board.admin, "siskin", "&kind=report,epic"), both);
  assert.deepEqual(await found(board.admin, "siskin", "&kind=report&kind=epic&kind=epic"), both);
  assert.deepEqual(await found(board.admin, "siskin", "&kind=issue"), [["issue", made.issue]]);
  assert.equal((await found(board.admin, "siskin", "&kind=comment")).length, 2);
  assert.deepEqual(await found(board.admin, "siskin", "&kind=project"), []);
  assert.equal((await found(board.admin, "siskin", "&kind=")).length, 6);
});

test("the limit applies to all kinds together and defaults to 20", async () => {
  assert.equal((await hits(board.admin, "siskin", "&limit=2")).length, 2);
  for (let n = 0; n < 21; n++) await board.created("/epics", { title: `crossbill ${n}` });
  assert.equal((await hits(board.admin, "crossbill")).length, 20);
  assert.equal((await hits(board.admin, "crossbill", "&limit=50")).length, 21);
});

test("an unknown project gives an empty list", async () => {
  assert.deepEqual(await hits(board.admin, "siskin", "&project_id=999999999"), []);
});

test("hostile queries are answered without special meaning", async () => {
  const texts = [
    "'",
    "''",
    "\\",
    "\\'",
    ":*",
    "siskin':*",
    "&|!()",
    "siskin & ! (heron | <-> siskin:*A",
    "'; drop table issues; --",
    "%",
    "_",
    "%_%\\",
    "\0",
    "siskin\0",
    "😀",
    "😀 siskin 👩‍👩‍👧",
    "€€€",
    "\u202Esiskin",
    "(((((",
    "[a-z]+$",
    "a".repeat(255),
    "ab ".repeat(85),
    "a ".repeat(127),
    "-1",
    "X-0",
    "AA-999999999999999999999",
    "99999999999999999999",
    "中文字符",
    "<script>alert(1)</script>",
    "NULL",
    "true",
    "1e308",
    "http://example.com/a?b=c",
    "user@example.com",
    "İ",
    "ß",
  ];
  for (const text of texts) {
    const list = await hits(board.admin, text);
    assert.ok(Array.isArray(list), text);
  }
  assert.equal((await hits(board.admin, "siskin':*")).length, 6);
  assert.deepEqual(await hits(board.admin, "%_%"), []);
  assert.equal((await ask("query=%ED%A0%80")).status, 200);
});

test("hostile texts are found and shown unchanged", async () => {
  const text = "<b>'quote\\ :* & % _ $1 \\u0000 twite😀</b>";
  const { id } = await board.make({ title: "Odd", description: text });
  const [hit] = await hits(board.admin, "twite", "&kind=issue");
  assert.deepEqual([hit?.id, hit?.excerpt], [id, text]);
  assert.deepEqual(await found(board.admin, "$1 quote", "&kind=issue"), [["issue", id]]);
});

test("words after the tenth are ignored", async () => {
  const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const { id } = await board.make({ title: words.join(" ") });
  assert.deepEqual(await found(board.admin, [...words, "eleven"].join(" ")), [["issue", id]]);
  assert.deepEqual(await found(board.admin, ["eleven", ...words].join(" ")), []);
});
