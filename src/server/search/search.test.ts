import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../test/support/error-events.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../test/support/make.ts";
import { found, hits, openSearched } from "../../../test/support/search.ts";
import type { SearchHit } from "../../shared/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openSearched(t, workspace);
const only = (board: { id: number }) => `&project_id=${board.id}`;
/** Hits without their times. */
const timeless = (list: SearchHit[]) =>
  list.map((hit) => Object.fromEntries(Object.entries(hit).filter(([name]) => name !== "at")));
const NOTHING = {
  issue_id: null,
  epic_id: null,
  error_group_id: null,
  report_id: null,
  lane_kind: null,
  state: null,
  view: null,
  status: null,
};

test("a word is found in issues, epics, reports, error groups and comments, each with the fields a link needs", async () => {
  const board = await open();
  const made = await board.fill("heron");
  const list = await hits(board.admin, "heron", only(board));
  const issue = await board.read(made.issue);
  const row = { excerpt: "The heron is here.", project_id: board.id };
  const expected = [
    { ...row, ...NOTHING, kind: "issue", id: made.issue, key: issue.key, title: "One", lane_kind: "backlog" },
    { ...row, ...NOTHING, kind: "epic", id: made.epic, key: null, title: "Two", state: "open" },
    { ...row, ...NOTHING, kind: "report", id: made.report, key: null, title: "Three", view: "active" },
    {
      ...row,
      ...NOTHING,
      kind: "error_group",
      id: made.error_group,
      key: null,
      title: "FourException",
      status: 0,
    },
    {
      ...row,
      ...NOTHING,
      kind: "comment",
      id: made.issue_comment,
      key: issue.key,
      title: "One",
      issue_id: made.issue,
      lane_kind: "backlog",
    },
    {
      ...row,
      ...NOTHING,
      kind: "comment",
      id: made.epic_comment,
      key: null,
      title: "Two",
      epic_id: made.epic,
      state: "open",
    },
  ];
  // All of them match in their text only, so the newest comes first.
  assert.deepEqual(timeless(list), expected.toReversed());
  assert.equal(list.find(({ kind }) => kind === "issue")?.at, issue.created_at);
});

test("a project is found by its key, a prefix of its key, and words in its name and description", async () => {
  const board = await open();
  await board.admin.patch(board.url, { name: "Grey kingfisher", description: "All about otters" });
  const [hit, ...others] = await hits(board.admin, "KINGfisher grey");
  assert.deepEqual(others, []);
  assert.deepEqual(hit && timeless([hit])[0], {
    ...NOTHING,
    kind: "project",
    id: board.id,
    key: board.key,
    title: "Grey kingfisher",
    excerpt: "All about otters",
    project_id: board.id,
  });
  assert.deepEqual(await found(board.admin, "otters"), [["project", board.id]]);
  const [first] = await hits(board.admin, board.key.toLowerCase());
  assert.deepEqual([first?.kind, first?.id], ["project", board.id]);
});

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

test("an error group is found by any parts of its class name, in any order, and by its latest message", async () => {
  const board = await open();
  const id = await board.group("App\\Http\\NotFoundHttpException", "No route for /pelican");
  await board.group("App\\Mail\\TransportException", "Refused");
  const hit: [string, number][] = [["error_group", id]];
  for (const query of [
    "notfound",
    "NotFoundHttp",
    "foundhtt",
    "App\\Http",
    "exception http",
    "pelican",
    "/pel",
  ])
    assert.deepEqual(await found(board.admin, query, only(board)), hit, query);
  const short = await found(board.admin, "ht", only(board));
  assert.deepEqual(short, hit);
});

test("a group is found by its latest message, not by earlier ones", async () => {
  const board = await open();
  const sent = {
    exception_class: "TornException",
    environment: "production",
    stack_trace: "#0 /a.php(1): b()",
  };
  const { token } = (await board.admin.post(`${board.url}/tokens`, { name: "app", access: "read_write" }))
    .body;
  for (const message of ["a gannet", "a fulmar"])
    assert.equal(
      (await t.http.as(token).post(`${board.url}/error-events`, { ...sent, message })).status,
      202,
    );
  assert.deepEqual(await found(board.admin, "gannet"), []);
  const [hit] = await hits(board.admin, "fulmar");
  assert.deepEqual([hit?.title, hit?.excerpt], ["TornException", "a fulmar"]);
});

test("a repeated error writes nothing to the index of class names, and deleting a group deletes its row there", async () => {
  const board = await open();
  const { token } = (await board.admin.post(`${board.url}/tokens`, { name: "app", access: "read_write" }))
    .body;
  const send = async (message: string) => {
    const event = anEvent({ exception_class: "App\\SandpiperException", message });
    assert.equal((await t.http.as(token).post(`${board.url}/error-events`, event)).status, 202);
    return (await hits(board.admin, message, only(board)))[0]?.id;
  };
  const id = await send("at first");
  const rows = async () =>
    (
      await sql`select xmin::text, exception_class from error_group_classes where group_id = ${id}`.execute(
        t.db,
      )
    ).rows;
  const before = await rows();
  assert.equal(before.length, 1);
  assert.equal(await send("once more"), id);
  assert.deepEqual(await rows(), before);
  await t.db.deleteFrom("error_groups").where("id", "=", Number(id)).execute();
  assert.deepEqual(await rows(), []);
});

test("a misspelled class name is found if nothing else matches", async () => {
  const board = await open();
  const id = await board.group("App\\ConnectionTimeoutException");
  assert.deepEqual(await found(board.admin, "conectiontimeout", only(board)), [["error_group", id]]);
  assert.deepEqual(await found(board.admin, "conectiontimeout", `${only(board)}&kind=issue`), []);
  const issue = await board.make({ title: "conectiontimeout" });
  assert.deepEqual(await found(board.admin, "conectiontimeout", only(board)), [["issue", issue.id]]);
});

test("hits have the current states", async () => {
  const board = await open();
  const made = await board.fill("bittern");
  const spare = await board.created("/reports", { title: "bittern", description: "x" });
  const category = { category: "duplicate" };
  const changes = [
    await board.admin.patch(`${board.issues}/${made.issue}`, { lane_id: board.lanes.done }),
    await board.admin.patch(`${board.url}/epics/${made.epic}`, { state: "done" }),
    await board.admin.post(`${board.url}/reports/${made.report}/dismiss`, category),
    await board.admin.post(`${board.url}/error-groups/${made.error_group}/resolve`),
    await board.admin.post(`${board.url}/reports/promote`, {
      report_ids: [spare.id],
      title: "New",
      description: "New",
    }),
  ];
  assert.deepEqual(
    changes.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const states = (await hits(board.admin, "bittern", only(board))).map(
    ({ kind, lane_kind, state, view, status }) => [kind, lane_kind ?? state ?? view ?? status],
  );
  assert.deepEqual(states, [
    ["report", "promoted"],
    ["comment", "done"],
    ["comment", "done"],
    ["error_group", 1],
    ["report", "dismissed"],
    ["epic", "done"],
    ["issue", "done"],
  ]);
});

test("changed content is found by its new words, and deleted content is not found", async () => {
  const board = await open();
  const made = await board.fill("avocet");
  await board.admin.patch(`${board.url}/epics/${made.epic}`, { description: "A godwit" });
  const comment = `${board.url}/epics/${made.epic}/comments/${made.epic_comment}`;
  await board.admin.put(comment, { content: "A godwit" });
  assert.deepEqual(await found(board.admin, "godwit"), [
    ["comment", made.epic_comment],
    ["epic", made.epic],
  ]);
  assert.equal((await board.admin.delete(`${board.url}/epics/${made.epic}`)).status, 204);
  assert.deepEqual(await found(board.admin, "godwit"), []);
  assert.equal((await found(board.admin, "avocet")).length, 4);
  assert.equal((await board.admin.delete(`${board.issues}/${made.issue}`)).status, 204);
  assert.equal((await board.admin.delete(`${board.url}/reports/${made.report}`)).status, 204);
  await t.db.deleteFrom("error_groups").where("id", "=", made.error_group).execute();
  assert.deepEqual(await found(board.admin, "avocet"), []);
  assert.deepEqual(await found(board.admin, "FourExc", only(board)), []);
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

test("state and author narrow every way of searching", async () => {
  const board = await open();
  const made = await board.fill("turnstone");
  const member = await makeMember(t.db, board.id);
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const closed = await board.make({ title: "turnstone two", lane_id: board.lanes.done });
  const own = (await client.post(board.issues, { title: "turnstone three" })).body;
  const comment = (await client.post(`${board.issues}/${closed.id}/comments`, { content: "turnstone" })).body;
  await board.admin.post(`${board.url}/error-groups/${made.error_group}/resolve`);
  const all = (more: string, query = "turnstone") => found(board.admin, query, `${only(board)}${more}`);
  assert.deepEqual(await all("&state=closed"), [
    ["comment", comment.id],
    ["error_group", made.error_group],
    ["issue", closed.id],
  ]);
  assert.deepEqual(await all("&state=open"), [
    ["comment", made.issue_comment],
    ["comment", made.epic_comment],
    ["epic", made.epic],
    ["issue", made.issue],
    ["issue", own.id],
    ["report", made.report],
  ]);
  const by = `&author_id=${member.id}`;
  assert.deepEqual(await all(by), [
    ["comment", comment.id],
    ["issue", own.id],
  ]);
  assert.deepEqual(await all(`${by}&state=closed`), [["comment", comment.id]]);
  // Several words, a key, and a number are searched by statements of their own.
  assert.deepEqual(await all(by, "turnstone three"), [["issue", own.id]]);
  assert.deepEqual(await all("&state=open&kind=issue", "turnstone two"), []);
  assert.deepEqual(await all("&state=open&kind=issue", closed.key), []);
  assert.deepEqual(await all("&state=closed&kind=issue", closed.key), [["issue", closed.id]]);
  assert.deepEqual(await all(`${by}&kind=issue`, closed.key.split("-")[1]), []);
  assert.deepEqual(await all(by, board.key), []);
  for (const [query, field] of [
    ["state=done", "state"],
    ["state=open&state=open", "state"],
    ["author_id=me", "author_id"],
  ] as const) {
    const { status, body } = await board.admin.get(`/api/search?query=x&${query}`);
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]]);
  }
});
