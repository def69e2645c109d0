import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkspace } from "../../../test/support/make.ts";
import { found, hits, openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openSearched(t, workspace);
const only = (board: { id: number }) => `&project_id=${board.id}`;

test("the issue with the exact key comes first, ignoring case, then those whose keys start with it", async () => {
  const board = await open();
  for (let n = 1; n <= 11; n++) await board.make({ title: `Number ${n}` });
  const elsewhere = await board.make({ title: "Elsewhere", description: `See ${board.key}-1` });
  for (const query of [`${board.key}-1`, `${board.key.toLowerCase()}-1`, ` ${board.key}-1 `]) {
    const list = await hits(board.admin, query, `${only(board)}&kind=issue`);
    const numbers = [12, 11, 10].map((n) => `${board.key}-${n}`);
    assert.deepEqual(
      list.map(({ key }) => key),
      [`${board.key}-1`, ...numbers],
    );
    assert.equal(list[1]?.id, elsewhere.id);
  }
  assert.deepEqual(await hits(board.admin, `${board.key}-999999999`), []);
  for (const query of ["#11", "11"])
    assert.equal((await hits(board.admin, query, only(board)))[0]?.key, `${board.key}-11`);
});

test("an exact title comes before words in a longer title, and these before words in a text; then the newest", async () => {
  const board = await open();
  const whole = await board.make({ title: "Osprey nest" });
  const within = await board.make({ title: "The nest of an osprey" });
  const older = await board.make({ title: "A", description: "osprey nest" });
  const newer = await board.make({ title: "B", description: "nest, osprey" });
  const order = async (query: string) => (await hits(board.admin, query, only(board))).map(({ id }) => id);
  assert.deepEqual(await order("osprey nest"), [whole.id, within.id, newer.id, older.id]);
  assert.deepEqual(await order("nest"), [within.id, whole.id, newer.id, older.id]);
});

test("words match by prefix, with anything between them, and all of them must match", async () => {
  const board = await open();
  const { id } = await board.make({ title: "Kestrel/Merlin: a path.to", description: "und Größe" });
  for (const query of ["kest", "KESTREL merl", "merlin-kestrel", "größ", "path.to", "a kest", "merlin k"])
    assert.deepEqual(await found(board.admin, query, only(board)), [["issue", id]], query);
  for (const query of ["estrel", "kestrel owl", "merlins"])
    assert.deepEqual(await found(board.admin, query, only(board)), [], query);
});

test("an excerpt is one line of at most 200 characters around the hit", async () => {
  const board = await open();
  const around = "𝄞wing ".repeat(100);
  await board.make({ title: "Long", description: `${around}\n\n\tlapwing\n${around}` });
  const [hit] = await hits(board.admin, "lapw", only(board));
  const excerpt = hit?.excerpt ?? "";
  assert.match(excerpt, /^…𝄞wing .*𝄞wing lapwing 𝄞wing .*…$/u);
  const length = Array.from(excerpt).length;
  assert.ok(length > 190 && length <= 200, `${length} characters`);
  await board.make({ title: "dunlin", description: "x".repeat(300) });
  assert.equal((await hits(board.admin, "dunlin"))[0]?.excerpt, `${"x".repeat(199)}…`);
  await board.make({ title: "whimbrel" });
  assert.equal((await hits(board.admin, "whimbrel"))[0]?.excerpt, "");
});

test("an excerpt has the words of a text without its Markdown", async () => {
  const board = await open();
  const excerptOf = async (description: string) => {
    await board.make({ title: "Words", description });
    return (await hits(board.admin, "redstart", only(board)))[0]?.excerpt;
  };
  assert.equal(
    await excerptOf("## Where\n\n- [x] the **redstart** [sings](https://example.com)\n- `here`"),
    "Where · ☑ the redstart sings · here",
  );
  const long = `${"*some* words\n\n".repeat(400)}A **redstart**.\n\n${"> more `words`\n".repeat(400)}`;
  assert.match((await excerptOf(long)) ?? "", /^…(?:some words · )+A redstart\.(?: more words)+…$/);
});

test("an old issue is found among many newer ones by a rare word, and a common word finds the newest", async () => {
  const board = await open();
  const old = await board.make({ title: "Curlew", description: "plover" });
  await t.db
    .insertInto("issues")
    .values(
      Array.from({ length: 1_100 }, (_, n) => ({
        project_id: board.id,
        number: n + 10,
        title: `plover ${n}`,
        type: 0,
        priority: 2,
        lane_id: board.lanes.backlog,
        rank: `z${String(n).padStart(4, "0")}`,
      })),
    )
    .execute();
  for (const query of ["curlew", "curlew plov", "plover cur"])
    assert.deepEqual(await found(board.admin, query, only(board)), [["issue", old.id]], query);
  assert.equal((await hits(board.admin, "plover 10", `${only(board)}&limit=50`)).length, 50);
  assert.deepEqual(await found(board.admin, "curlew 10", only(board)), []);
  const list = await hits(board.admin, "plover", `${only(board)}&limit=50`);
  assert.deepEqual([list.length, list[0]?.title], [50, "plover 1099"]);
});
