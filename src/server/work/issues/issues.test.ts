import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteHiddenRows } from "../../../../test/support/delete-hidden-rows.ts";
import { openBoard, type Board } from "../../../../test/support/board.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import { makeMember, makeUser, makeWorkspace, makeWorkspaceMember } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openBoard(t, workspace);

/** One of everything an issue can refer to. */
async function surroundings(board: Board) {
  const member = await makeMember(t.db, board.id);
  return {
    lane_id: board.lanes.todo,
    assignee_id: member.id,
    sprint_id: await board.sprint(),
    epic_id: await board.epic(),
    label_ids: [await board.label(), await board.label()],
    blocked_by_ids: [(await board.make()).id],
    blocks_ids: [(await board.make()).id, (await board.make()).id],
  };
}

test("an issue created with only a title is in the first lane and has all defaults", async () => {
  const board = await open();
  const answer = await board.admin.post(board.issues, { title: "Broken window" });
  assert.equal(answer.status, 201);
  const { id, rank, created_at, updated_at, ...rest } = answer.body;
  assert.deepEqual(rest, {
    key: `${board.key}-1`,
    project_id: board.id,
    title: "Broken window",
    description: null,
    type: 0,
    priority: 2,
    lane_id: board.lanes.backlog,
    assignee_id: null,
    created_by: board.adminId,
    sprint_id: null,
    epic_id: null,
    estimated_minutes: null,
    label_ids: [],
    blocked_by_ids: [],
    blocks_ids: [],
    relates_to_ids: [],
    due_on: null,
    parent_id: null,
    duplicate_of_id: null,
    sub_issue_counts: { total: 0, done: 0 },
    report_ids: [],
    error_group_id: null,
    error_group_ids: [],
    git_links: [],
    comments_count: 0,
    tasks: null,
    attachments: [],
    watching: true,
    closed_at: null,
    voices: 0,
    duplicate_report_ids: [],
    imported_from: null,
  });
  assert.equal(typeof rank, "string");
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(typeof updated_at, "string");
  assert.deepEqual((await board.admin.get(`${board.issues}/${id}`)).body, answer.body);
  assert.deepEqual((await board.admin.get(`${board.issues}/${board.key}-1`)).body, answer.body);
  assert.deepEqual((await board.admin.get(`/api/projects/${board.key}/issues/${id}`)).body, answer.body);
});

test("an issue counts the tasks of its description, in lists and when it changes", async () => {
  const board = await open();
  const { body } = await board.admin.post(board.issues, {
    title: "Tasks",
    description: "- [ ] a\n- [x] b\n  1. [X] c\n\n```\n- [ ] not in code\n```",
  });
  assert.deepEqual(body.tasks, { done: 2, total: 3 });
  const [listed] = (await board.admin.get(board.issues)).body.data;
  assert.deepEqual(listed.tasks, body.tasks);
  const changed = await board.admin.patch(`${board.issues}/${body.id}`, { description: "- [x] a" });
  assert.deepEqual(changed.body.tasks, { done: 1, total: 1 });
});

test("every field can be set, and related issues show the relation", async () => {
  const board = await open();
  const refs = await surroundings(board);
  const fields = {
    ...refs,
    title: "All of it",
    description: "**Markdown**\n\nof lines",
    type: 1,
    priority: 0,
    estimated_minutes: 0,
  };
  const made = await board.make(fields);
  for (const [field, value] of Object.entries(fields))
    assert.deepEqual(made[field as keyof typeof made], value, field);
  for (const id of refs.blocked_by_ids) assert.deepEqual((await board.read(id)).blocks_ids, [made.id]);
  for (const id of refs.blocks_ids) assert.deepEqual((await board.read(id)).blocked_by_ids, [made.id]);
});

test("null in an optional field is the same as leaving it out", async () => {
  const board = await open();
  const nothing = { description: null, type: null, priority: null, lane_id: null, assignee_id: null };
  const made = await board.make({ ...nothing, sprint_id: null, label_ids: null, blocks_ids: null });
  assert.equal(made.priority, 2);
  assert.equal(made.lane_id, board.lanes.backlog);
});

test("in every field, an id of another project is refused like an unknown one, and nothing is created", async () => {
  const board = await open();
  const other = await open();
  const foreign = await surroundings(other);
  const issue = await board.make();
  const outsider = await makeWorkspaceMember(t.db, workspace.id);
  for (const refs of [
    { ...foreign, assignee_id: outsider.id },
    {
      lane_id: 999_999,
      assignee_id: 999_999,
      sprint_id: 999_999,
      epic_id: 999_999,
      label_ids: [999_998, 999_999],
      blocked_by_ids: [999_999],
      blocks_ids: [999_998, 999_999],
    },
  ]) {
    const fields = [
      422,
      "assignee_id",
      "blocked_by_ids.0",
      "blocks_ids.0",
      "blocks_ids.1",
      "epic_id",
      "label_ids.0",
      "label_ids.1",
      "lane_id",
      "sprint_id",
    ];
    assert.deepEqual(refusalOf(await board.admin.post(board.issues, { title: "X", ...refs })), fields);
    assert.deepEqual(refusalOf(await board.admin.patch(`${board.issues}/${issue.id}`, refs)), fields);
  }
  assert.deepEqual(await board.read(issue.id), issue);
  assert.equal((await board.make()).key, `${board.key}-2`);
});

test("errors of a list name only the ids that are not in the project", async () => {
  const board = await open();
  const label_ids = [await board.label(), 999_999, await board.label()];
  const answer = await board.admin.post(board.issues, { title: "X", label_ids });
  assert.deepEqual(answer.body.errors, { "label_ids.1": ["is not a label of the project"] });
});

test("anyone with access to the project can be assigned, including an administrator who is not a member", async () => {
  const board = await open();
  const issue = await board.make({ assignee_id: workspace.admin.id });
  assert.equal(issue.assignee_id, workspace.admin.id);
  const stranger = await makeUser(t.db);
  const answer = await board.admin.patch(`${board.issues}/${issue.id}`, { assignee_id: stranger.id });
  assert.deepEqual(refusalOf(answer), [422, "assignee_id"]);
});

test("an assignee who lost access stays assigned until someone else is, whatever else changes", async () => {
  const board = await open();
  const member = await makeMember(t.db, board.id);
  const issue = await board.make({ assignee_id: member.id });
  await board.admin.delete(`${board.url}/members/${member.id}`);
  const kept = await board.admin.patch(`${board.issues}/${issue.id}`, {
    title: "Y",
    assignee_id: member.id,
  });
  assert.deepEqual([kept.status, kept.body.assignee_id], [200, member.id]);
  assert.equal((await board.make()).assignee_id, null);
});

const MAX_NUMBER = 2 ** 31 - 1;
const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

for (const [field, wrong] of [
  ["title", ["", " ", 1, "x".repeat(256), "a\nb", "a\0b", [], {}, true]],
  ["description", [1, "x".repeat(65_536), "a\0b", []]],
  ["type", [2, -1, "1", 0.5, true]],
  ["priority", [5, -1, "1", 0.5]],
  ["lane_id", [0, -1, "1", 1.5, 2 ** 53]],
  ["assignee_id", [0, "me", 2 ** 53]],
  ["sprint_id", [0, "1"]],
  ["epic_id", [0, "1"]],
  ["estimated_minutes", [-1, 1.5, "60", MAX_NUMBER + 1]],
  ["label_ids", [1, "1", {}, [1, 1], many(501)]],
  ["blocked_by_ids", [1, [1, 1], many(501)]],
  ["blocks_ids", [1, [1, 1], many(501)]],
  ["label_ids.1", [[1, "2"]]],
  ["blocked_by_ids.0", [[0]]],
] as [string, unknown[]][])
  test(`an invalid ${field} is 422 on that field, and nothing is created or changed`, async () => {
    const board = await open();
    const issue = await board.make();
    const name = field.split(".")[0] as string;
    for (const value of wrong) {
      const created = await board.admin.post(board.issues, { title: "X", [name]: value });
      assert.deepEqual(refusalOf(created), [422, field], JSON.stringify(value).slice(0, 40));
      const patched = await board.admin.patch(`${board.issues}/${issue.id}`, { [name]: value });
      assert.deepEqual(refusalOf(patched), [422, field], JSON.stringify(value).slice(0, 40));
    }
    assert.deepEqual(await board.read(issue.id), issue);
    assert.equal((await board.make()).key, `${board.key}-2`);
  });

test("the maximum of every field is accepted, counted in characters rather than UTF-16 units", async () => {
  const board = await open();
  const made = await board.make({
    title: "😀".repeat(255),
    description: "😀".repeat(65_535),
    estimated_minutes: MAX_NUMBER,
  });
  assert.equal(made.title, "😀".repeat(255));
  assert.equal(made.description, "😀".repeat(65_535));
  assert.equal(made.estimated_minutes, MAX_NUMBER);
});

test("a description may have any number of words", async () => {
  const board = await open();
  const shapes = ["a-", "a.", "/a", "a@b.c ", "1e5-", "é ", "<a>", "'", "\\", "a:", "\u{1F600} "];
  for (const shape of shapes) {
    const description = shape.repeat(65_535).slice(0, 65_535);
    assert.equal((await board.make({ description })).description, description, shape);
  }
  const distinct = Array.from({ length: 32_000 }, (_, n) => String.fromCodePoint(0x20000 + n)).join(" ");
  assert.equal((await board.make({ description: distinct })).description, distinct);
});

test("a missing title, a body that is not an object and a body that is not JSON are refused", async () => {
  const board = await open();
  assert.deepEqual(refusalOf(await board.admin.post(board.issues, {})), [422, "title"]);
  assert.deepEqual(refusalOf(await board.admin.post(board.issues)), [422, "title"]);
  assert.deepEqual(refusalOf(await board.admin.post(board.issues, [])), [422, "body"]);
  const headers = { "content-type": "application/json" };
  const broken = { method: "POST", url: board.issues, headers, payload: "{" };
  assert.equal((await board.admin.send(broken)).status, 400);
});

test("thirty concurrently created issues have consecutive numbers and distinct ranks", async () => {
  const board = await open();
  const made = await Promise.all(Array.from({ length: 30 }, () => board.make()));
  const numbers = made.map((issue) => Number(issue.key.split("-")[1])).sort((a, b) => a - b);
  assert.deepEqual(numbers, many(30));
  assert.equal(new Set(made.map((issue) => issue.rank)).size, 30);
});

test("a key is not reused after its issue was deleted", async () => {
  const board = await open();
  await board.make();
  const last = await board.make();
  assert.equal((await board.admin.delete(`${board.issues}/${last.key}`)).status, 204);
  assert.equal((await board.admin.get(`${board.issues}/${last.key}`)).status, 404);
  assert.equal((await board.admin.delete(`${board.issues}/${last.id}`)).status, 404);
  assert.equal((await board.make()).key, `${board.key}-3`);
});

test("a project can be deleted with everything in it", async () => {
  const board = await open();
  await board.make(await surroundings(board));
  assert.equal((await board.admin.delete(board.url)).status, 202);
  await deleteHiddenRows(t);
  const left = await t.db.selectFrom("issues").select("id").where("project_id", "=", board.id).execute();
  assert.deepEqual(left, []);
});

test("an issue lists the reports it was created from, which stay promoted when it is deleted", async () => {
  const board = await open();
  const ids: number[] = [];
  for (const title of ["One", "Two"])
    ids.push((await board.admin.post(`${board.url}/reports`, { title, description: "X" })).body.id);
  const fields = { report_ids: ids, title: "Both", description: "Y" };
  const { body } = await board.admin.post(`${board.url}/reports/promote`, fields);
  const issue = await board.read(body[0].promoted_issue_id);
  assert.deepEqual(issue.report_ids, ids);
  assert.equal((await board.admin.delete(`${board.issues}/${issue.id}`)).status, 204);
  for (const id of ids) {
    const report = (await board.admin.get(`${board.url}/reports/${id}`)).body;
    assert.deepEqual([report.promoted_issue_id, typeof report.promoted_at], [null, "string"]);
  }
});
