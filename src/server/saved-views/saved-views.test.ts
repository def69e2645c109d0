import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../test/support/board.ts";
import type { Client } from "../../../test/support/client.ts";
import { makeMember, makePersonalToken, makeUser, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { SavedView } from "../../shared/saved-views.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const OWN = "/api/profile/views";

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

async function open(role: "Member" | "Reporter" | "Viewer" = "Member") {
  const board = await openBoard(t, workspace);
  const user = await makeMember(t.db, board.id, { role });
  return { board, user, client: await as(user), shared: `${board.url}/views` };
}

async function create(client: Client, url: string, body: object): Promise<SavedView> {
  const answer = await client.post(url, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const names = async (client: Client, url: string) =>
  (await client.get(url)).body.data.map(({ name }: SavedView) => name);

test("own views and favorites are listed in the order of their creation, only for their creator", async () => {
  const { board, client } = await open();
  const issue = await board.make({ title: "Brake test" });
  const epicId = await board.epic();
  const search = "state=open&sort=priority";
  const view = await create(client, OWN, { page: "issues", project_id: board.id, name: "Urgent", search });
  await create(client, OWN, { page: "my-issues", name: "Mine" });
  const favorite = await create(client, OWN, { page: "issue", project_id: board.id, issue_id: issue.id });
  await create(client, OWN, { page: "epic", project_id: board.id, epic_id: epicId });
  const { title } = (await board.admin.get(`${board.url}/epics/${epicId}`)).body;
  assert.deepEqual(await names(client, OWN), ["Urgent", "Mine", "Brake test", title]);
  const none = { issue_id: null, issue_key: null, epic_id: null };
  const { id, created_at } = view;
  assert.deepEqual(view, {
    id,
    created_at,
    page: "issues",
    project_id: board.id,
    name: "Urgent",
    search,
    ...none,
  });
  assert.deepEqual([favorite.issue_id, favorite.issue_key], [issue.id, issue.key]);
  assert.deepEqual(await names(board.admin, OWN), []);
  assert.deepEqual(await names(client, `${board.url}/views`), []);
});

test("a search of null means the same as none", async () => {
  const { board, client, shared } = await open();
  const own = await create(client, OWN, { page: "my-issues", name: "Mine", search: null });
  const other = await create(board.admin, shared, { page: "issues", name: "All", search: null });
  assert.deepEqual([own.search, other.search], ["", ""]);
});

test("a favorite has the current title, exists once, and is deleted with its issue", async () => {
  const { board, client } = await open();
  const issue = await board.make({ title: "Before" });
  const body = { page: "issue", project_id: board.id, issue_id: issue.id };
  const first = await create(client, OWN, body);
  await board.admin.patch(`${board.issues}/${issue.id}`, { title: "After" });
  const again = await create(client, OWN, body);
  assert.deepEqual([again.id, again.name], [first.id, "After"]);
  const renamed = await client.patch(`${OWN}/${first.id}`, { name: "Mine" });
  assert.deepEqual([renamed.status, Object.keys(renamed.body.errors)], [422, ["name"]]);
  await board.admin.delete(`${board.issues}/${issue.id}`);
  assert.deepEqual(await names(client, OWN), []);
});

test("views move before another one or to the end, and are renamed and changed", async () => {
  const { client } = await open();
  const ids: Record<string, number> = {};
  for (const name of ["a", "b", "c", "d"])
    ids[name] = (await create(client, OWN, { page: "all-errors", name })).id;
  const move = async (name: string, before: string | null) => {
    const before_id = before === null ? null : ids[before];
    const answer = await client.patch(`${OWN}/${ids[name]}`, { before_id });
    assert.equal(answer.status, 200, answer.text);
    return (await names(client, OWN)).join("");
  };
  assert.equal(await move("d", "b"), "adbc");
  assert.equal(await move("a", null), "dbca");
  assert.equal(await move("b", "b"), "dbca");
  assert.equal(await move("c", "d"), "cdba");
  const changed = await client.patch(`${OWN}/${ids["c"]}`, { name: "x", search: "tab=open" });
  assert.deepEqual([changed.body.name, changed.body.search], ["x", "tab=open"]);
  assert.equal((await client.delete(`${OWN}/${ids["d"]}`)).status, 204);
  assert.deepEqual(await names(client, OWN), ["x", "b", "a"]);
  const other = (await create(await as(await makeUser(t.db)), OWN, { page: "my-issues", name: "other" })).id;
  const foreign = await client.patch(`${OWN}/${ids["a"]}`, { before_id: other });
  assert.deepEqual([foreign.status, Object.keys(foreign.body.errors)], [422, ["before_id"]]);
});

test("shared views are seen by those who can read the list, and changed by those who manage the project", async () => {
  const { board, client, shared } = await open("Reporter");
  for (const page of ["issues", "board", "errors", "triage", "epics", "search"])
    await create(board.admin, shared, { page, name: page });
  assert.deepEqual(await names(board.admin, shared), [
    "issues",
    "board",
    "errors",
    "triage",
    "epics",
    "search",
  ]);
  assert.deepEqual(await names(client, shared), ["issues", "board", "triage", "search"]);
  const { id } = (await client.get(shared)).body.data[0];
  assert.equal((await client.post(shared, { page: "issues", name: "x" })).status, 403);
  assert.equal((await client.patch(`${shared}/${id}`, { name: "x" })).status, 403);
  assert.equal((await client.delete(`${shared}/${id}`)).status, 403);
  assert.equal((await client.delete(`${OWN}/${id}`)).status, 404);
  assert.equal((await board.admin.patch(`${shared}/${id}`, { name: "x", before_id: null })).status, 200);
  assert.deepEqual(await names(client, shared), ["board", "triage", "search", "x"]);
  const elsewhere = await open();
  assert.equal((await board.admin.delete(`${elsewhere.shared}/${id}`)).status, 404);
  assert.equal((await board.admin.delete(`${shared}/${id}`)).status, 204);
});

test("a view of something that the caller cannot read is refused", async () => {
  const { board, client } = await open("Reporter");
  const elsewhere = await open();
  const issue = await elsewhere.board.make();
  const own = await board.make();
  for (const [body, field] of [
    [{ page: "issues", project_id: elsewhere.board.id, name: "x" }, "project_id"],
    [{ page: "errors", project_id: board.id, name: "x" }, "project_id"],
    [{ page: "epics", project_id: board.id, name: "x" }, "project_id"],
    [{ page: "search", project_id: elsewhere.board.id, name: "x" }, "project_id"],
    [{ page: "issue", project_id: elsewhere.board.id, issue_id: issue.id }, "project_id"],
    [{ page: "issue", project_id: board.id, issue_id: issue.id }, "issue_id"],
    [{ page: "issue", project_id: board.id }, "issue_id"],
    [{ page: "issues", project_id: board.id }, "name"],
    [{ page: "issues", project_id: board.id, name: "x".repeat(61) }, "name"],
    [{ page: "issues", project_id: board.id, name: "x", search: "x".repeat(2_001) }, "search"],
    [{ page: "settings", name: "x" }, "page"],
  ] as const) {
    const answer = await client.post(OWN, body);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], JSON.stringify(body));
  }
  assert.equal(
    (await client.post(OWN, { page: "issue", project_id: board.id, issue_id: own.id })).status,
    201,
  );
});

test("favorites and searches of a project that the caller has lost access to are hidden, but can be deleted", async () => {
  const { board, user, client } = await open();
  const issue = await board.make({ title: "Secret" });
  const { id } = await create(client, OWN, { page: "issue", project_id: board.id, issue_id: issue.id });
  await create(client, OWN, { page: "search", project_id: board.id, name: "Its search", search: "query=x" });
  assert.equal((await board.admin.delete(`${board.url}/members/${user.id}`)).status, 204);
  await create(client, OWN, { page: "search", name: "Everywhere", search: "query=stamps" });
  assert.deepEqual(await names(client, OWN), ["Everywhere"]);
  const changed = await client.patch(`${OWN}/${id}`, { before_id: null });
  assert.deepEqual([changed.status, changed.text.includes("Secret")], [404, false]);
  assert.equal((await client.delete(`${OWN}/${id}`)).status, 204);
});

test("a person can have 100 views and a project 50 shared ones, even under concurrent requests", async () => {
  const { board, user, client, shared } = await open();
  for (const [by, url, most, row] of [
    [client, OWN, 100, { user_id: user.id, page: "my-issues" }],
    [board.admin, shared, 50, { project_id: board.id, page: "issues" }],
  ] as const) {
    await t.db
      .insertInto("saved_views")
      .values(
        Array.from({ length: most - 1 }, (_, position) => ({ ...row, name: `View ${position}`, position })),
      )
      .execute();
    const answers = await Promise.all(["x", "y", "z"].map((name) => by.post(url, { page: row.page, name })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
  }
});
