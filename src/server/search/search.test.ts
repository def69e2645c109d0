import assert from "node:assert/strict";
import { test } from "node:test";
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
