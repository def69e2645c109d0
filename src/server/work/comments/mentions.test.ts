import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  makeMember,
  makeProject,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { mentionedUsernames } from "./mentioned-usernames.ts";
import { mentionedUsers } from "./mentions.ts";

const t = await useTestApp();

const FENCE = "```";

const CASES: Record<string, [text: string, names: string[]][]> = {
  "a mention stands anywhere in prose": [
    ["@ann", ["ann"]],
    ["Hello @ann and @bob", ["ann", "bob"]],
    ["one line\n@ann\nanother", ["ann"]],
    ["# For @ann\n\n> and @bob\n\n- [ ] with @cy\n\n1. or @di", ["ann", "bob", "cy", "di"]],
    ["|who|\n|-|\n|@ann|", ["ann"]],
    ["**@ann** _@bob_ ~~@cy~~ ***@di***", ["ann", "bob", "cy", "di"]],
    ["thanks[^1]\n\n[^1]: from @ann", ["ann"]],
    ["a hard break  \n@ann", ["ann"]],
  ],
  "each name is given once, in lower case": [
    ["@Ann @ann @ANN", ["ann"]],
    ["@bob @ann @bob", ["bob", "ann"]],
  ],
  "a name has letters, digits and . _ - inside, and what follows it is punctuation": [
    ["@ann.moss @ann_moss @ann-moss @a1 @1", ["ann.moss", "ann_moss", "ann-moss", "a1", "1"]],
    [
      "@ann, @bob. @cy... @di! @ed? @flo: @gil; (@hal) \"@ivy\" '@jo'",
      ["ann", "bob", "cy", "di", "ed", "flo", "gil", "hal", "ivy", "jo"],
    ],
    ["@ann's @bob- @cy_ @di–@ed…", ["ann", "bob", "cy", "di", "ed"]],
    ["@ann/@bob/@cy", ["ann", "bob", "cy"]],
    ["@ann,@bob", ["ann", "bob"]],
    ["@.ann @-bob @_cy", []],
    ["@annä @änn 日本@ann @ann語", []],
    [`@${"a".repeat(40)} @${"b".repeat(41)}`, ["a".repeat(40)]],
    ["@ @@ann @", []],
  ],
  "code is not read": [
    ["`@ann` @bob", ["bob"]],
    ["``a ` @ann`` @bob", ["bob"]],
    ["`several\n@ann\nlines`", []],
    [`${FENCE}\n@ann\n${FENCE}\n@bob`, ["bob"]],
    [`${FENCE}ts @ann\n@Component\n${FENCE}`, []],
    ["~~~\n@ann\n~~~", []],
    [`${FENCE}\n@ann, never closed`, []],
    ["text\n\n    @ann\n\n@bob", ["bob"]],
    [`> ${FENCE}\n> @ann\n> ${FENCE}`, []],
    [`- item\n\n      @ann\n\n  ${FENCE}\n  @bob\n  ${FENCE}`, []],
    ["\\`@ann\\`", ["ann"]],
    ["`@ann is not code, for it is never closed", ["ann"]],
  ],
  "a link's address is not read, its words are": [
    ["[see](https://example.com/@ann)", []],
    ['[see](/users/@ann "@bob")', []],
    ["[@ann](https://example.com)", ["ann"]],
    ["[see][1]\n\n[1]: https://example.com/@ann '@bob'", []],
    ["![@ann](https://example.com/@bob.png)", []],
    ["<https://example.com/@ann> @bob", ["bob"]],
    ["<https://example.com/?who=@ann>@bob", ["bob"]],
    ["https://example.com/@ann http://example.com?q=@ann www.example.com/@ann", []],
    ["example.com/@ann, https://example.com: @bob", ["bob"]],
  ],
  "an email address and a handle of another network are no mention": [
    ["ann@example.com a.b@example.com a_b@example.com a+b@example.com", []],
    ["<ann@example.com> [mail](mailto:ann@example.com)", []],
    ["@ann@example.com", []],
    ["ann\\@example", []],
    ["1@ann", []],
  ],
  "HTML is not read": [
    ["text <!-- @ann --> @bob", ["bob"]],
    ["<div>@ann</div>", []],
    ['text <a title="@ann">@bob</a>', ["bob"]],
  ],
  "a written-out character is the character": [["&#64;ann \\@bob", ["ann", "bob"]]],
};

for (const [title, cases] of Object.entries(CASES))
  test(title, () => {
    for (const [text, names] of cases) assert.deepEqual(mentionedUsernames(text), names, text);
  });

const SYNTAX = [
  "@",
  "ann",
  "`",
  "```",
  "\n",
  "    ",
  "[",
  "](",
  ")",
  "!",
  "<",
  ">",
  "*",
  "_",
  "~",
  "- ",
  "1. ",
  "> ",
  "|",
  "\\",
  "&#",
  ";",
  "a@b.c",
  "http://",
  "#",
  "\t",
  "\ud800",
  "é",
  "\0",
];

test("any text can be parsed, and every mention is a valid username", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.array(fc.constantFrom(...SYNTAX), { maxLength: 200 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const names = mentionedUsernames(text);
      assert.equal(new Set(names).size, names.length);
      for (const name of names) {
        assert.match(name, /^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/);
        assert.ok(text.toLowerCase().includes(name), name);
      }
    }),
    { numRuns: 500 },
  );
});

test("text inside code mentions nobody", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      const indented = `@ann ${text.replaceAll(/[\r\n]/g, " ")} @bob`;
      assert.deepEqual(mentionedUsernames(`~~~~\n${text.replaceAll("~", "")} @ann\n~~~~\n`), []);
      assert.deepEqual(mentionedUsernames(`    ${indented}`), []);
    }),
    { numRuns: 200 },
  );
});

test("10,000 characters of nested markup are parsed within 200 ms", () => {
  const PIECES = [
    "[",
    "![",
    "[a](",
    "[a](b",
    "![a](",
    "](",
    "*",
    "**",
    "*a",
    "_a*",
    "a*",
    "*a **a ",
    "~~a ~",
    "<",
    "<a ",
    "<!--",
    "<?",
    "<a@",
    ">",
    "> ",
    ">\t",
    "- ",
    "* a\n ",
    "1. ",
    "> - ",
    ">1. ",
    "|",
    "|a",
    "|-",
    "`a``",
    "``a`",
    "@",
    "@a",
    "@a@",
    "@a/",
    "/@a",
    "@a.",
    "a@a.",
    "@.",
    "@-_",
    "http://",
    "www.",
    "https://@a/",
    "[a]: b\n",
    "[a]: b '\n",
    "[^a]",
    "[a][b]",
    "\\[",
    "&#",
    "&amp",
    "a\n=",
    "\t",
    " \n",
    "\n",
    "~~~\n",
    "é@",
    "🚂@a",
  ];
  const hostile = PIECES.map((piece) => piece.repeat(10_000 / piece.length));
  hostile.push(
    `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    `[a](${"(".repeat(9_000)}`,
    `${"*".repeat(5_000)}a${"*".repeat(5_000)}`,
  );
  hostile.push(Array.from({ length: 140 }, (_, n) => "`".repeat(n)).join(" "));
  hostile.push(Array.from({ length: 99 }, (_, n) => `${"  ".repeat(n)}- a`).join("\n"));
  hostile.push(`|${"a|".repeat(2_500)}\n|${"-|".repeat(2_500)}`, "🚂@a".repeat(5_000));
  hostile.push(
    `@${"._".repeat(5_000)}a`,
    "@a".repeat(5_000),
    `@${"a/@".repeat(3_333)}`,
    "![".repeat(4_990) + "]".repeat(20),
  );
  const slow = hostile.flatMap((text) => {
    // Each text has a mention, because texts without one are not parsed. Measures CPU time, because tests run in parallel.
    const times = [1, 2].map(() => {
      const before = process.threadCpuUsage();
      mentionedUsernames(`${text}@a`);
      return process.threadCpuUsage(before).user / 1_000;
    });
    const best = Math.min(...times);
    return best > 200 ? [`${text.slice(0, 10)}: ${best} ms`] : [];
  });
  assert.deepEqual(slow, []);
});

test("members, owners and administrators can be mentioned, in any letter case; users without access cannot", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = { ...(await makeProject(t.db, workspace.id)), workspace_id: workspace.id };
  const elsewhere = await makeProject(t.db, workspace.id);
  const member = await makeMember(t.db, project.id, { role: "Viewer" });
  const owner = await makeMember(t.db, project.id, { is_owner: true });
  const admin = await makeWorkspaceMember(t.db, workspace.id, { is_admin: true });
  const plain = await makeWorkspaceMember(t.db, workspace.id);
  const other = await makeMember(t.db, elsewhere.id, { is_owner: true });
  const stranger = await makeUser(t.db);
  const foreignAdmin = (await makeWorkspace(t.db)).admin;

  const mention = (text: string, before?: string) =>
    t.db.transaction().execute((tx) => mentionedUsers(tx, project, text, before));
  const everybody = [foreignAdmin, stranger, other, plain, admin, owner, member].map(
    (user) => `@${user.username}`,
  );
  assert.deepEqual(await mention(`${everybody.join(" ")} @nobody`), [member.id, owner.id, admin.id]);
  assert.deepEqual(await mention(`@${member.username.toUpperCase()}, @${member.username}.`), [member.id]);
  assert.deepEqual(await mention("@nobody"), []);
  assert.deepEqual(await mention("nobody"), []);
  const before = `@${owner.username} \`@${member.username}\``;
  assert.deepEqual(await mention(everybody.join(" "), before), [member.id, admin.id]);
  assert.deepEqual(await mention(before, everybody.join(" ")), []);
});
