import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../../test/support/board.ts";
import { importHere } from "../../../../../test/support/import.ts";
import { GROUP, ISSUE, REPORT } from "../../../../../test/support/imported-items.ts";
import { makeWorkspace } from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { ImportedErrorGroup, ImportedIssue, ImportedReport } from "./item.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  const run = (from: (ImportedIssue | ImportedReport | ImportedErrorGroup)[], more = {}) =>
    importHere(t, { project: board, authorId: board.adminId, kind: "github", from, ...more });
  const listed = async () => (await board.admin.get(`${board.issues}?sort=created_at`)).body.data;
  return { ...board, run, listed };
};

const NOTHING = { issues: 0, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 0 };

test("a repeated import creates nothing, changes nothing, and adds new comments", async () => {
  const board = await open();
  const comment = (id: string) => ({ ref: { id }, author: null, content: `Comment ${id}`, created_at: null });
  await board.run([{ ...ISSUE, comments: [comment("a")] }, REPORT, GROUP]);
  const before = await board.listed();
  const changed = { ...ISSUE, title: "Another title", comments: [comment("a"), comment("b")] };
  const { counts } = await board.run([changed, REPORT, GROUP]);
  assert.deepEqual(counts, { ...NOTHING, comments: 1, already_there: 3 });
  const [issue] = await board.listed();
  assert.deepEqual(issue, { ...before[0], comments_count: 2 });
});

test("a comment that was deleted here does not come back", async () => {
  const board = await open();
  const item = {
    ...ISSUE,
    comments: [{ ref: { id: "a" }, author: null, content: "Gone", created_at: null }],
  };
  await board.run([item]);
  const [{ id }] = await board.listed();
  const comments = `${board.issues}/${id}/comments`;
  const [comment] = (await board.admin.get(comments)).body.data;
  assert.equal((await board.admin.delete(`${comments}/${comment.id}`)).status, 204);
  assert.deepEqual((await board.run([item])).counts, { ...NOTHING, already_there: 1 });
});

test("an issue that was deleted here is imported again", async () => {
  const board = await open();
  await board.run([ISSUE]);
  const [{ id }] = await board.listed();
  assert.equal((await board.admin.delete(`${board.issues}/${id}`)).status, 204);
  assert.deepEqual((await board.run([ISSUE])).counts, { ...NOTHING, issues: 1 });
});

test("the same object twice in one import is created once", async () => {
  const board = await open();
  const many = Array.from({ length: 150 }, (_, n) => ({ ...ISSUE, ref: { id: String(n % 120), url: null } }));
  const expected = { ...NOTHING, issues: 120, already_there: 30 };
  assert.deepEqual((await board.run(many, { isDryRun: true })).counts, expected);
  assert.deepEqual((await board.run(many)).counts, expected);
});

test("error groups with the same key become one with the comments of all, and repeating the import finds nothing new", async () => {
  const board = await open();
  const group = (id: string): ImportedErrorGroup => ({
    ...GROUP,
    ref: { id, url: null },
    comments: [{ ref: { id: `of ${id}` }, author: null, content: `Comment of ${id}`, created_at: null }],
  });
  // The third is in a second batch.
  const others = Array.from({ length: 100 }, (_, n) => ({ ...ISSUE, ref: { id: String(n), url: null } }));
  const items = [group("a"), group("b"), ...others, group("c")];
  const expected = { ...NOTHING, issues: 100, error_groups: 1, comments: 3, already_there: 2 };
  assert.deepEqual((await board.run(items, { isDryRun: true })).counts, expected);
  assert.deepEqual((await board.run(items)).counts, expected);
  assert.deepEqual((await board.run(items)).counts, { ...NOTHING, already_there: 103 });
  const [{ id }] = (await board.admin.get(`${board.url}/error-groups`)).body.data;
  const { data } = (await board.admin.get(`${board.url}/error-groups/${id}/comments`)).body;
  assert.deepEqual(
    data.map(({ content }: { content: string }) => content),
    ["Comment of a", "Comment of b", "Comment of c"],
  );
});

test("a source with too many objects is refused", async () => {
  const board = await open();
  const items = Array.from({ length: 3 }, (_, n) => ({ ...ISSUE, ref: { id: String(n), url: null } }));
  assert.equal((await board.run(items, { maxObjects: 3, isDryRun: true })).counts.issues, 3);
  await assert.rejects(board.run(items, { maxObjects: 2 }), /^Error: An import has at most 2 objects\./);
  assert.deepEqual(await board.listed(), []);
});

test("a dry run counts the same as the run and writes nothing", async () => {
  const board = await open();
  const comments = [
    { ref: { id: "a" }, author: null, content: "Hi", created_at: null },
    { ref: { id: "b" }, author: null, content: "  ", created_at: null },
  ];
  await board.run([ISSUE]);
  const items = [
    ...Array.from({ length: 120 }, (_, n) => ({
      ...ISSUE,
      ref: { id: String(n + 1), url: null },
      comments,
      labels: [`Label ${n}`],
    })),
    { ...ISSUE, ref: { id: "blank", url: null }, title: " " },
    GROUP,
    { ...GROUP, ref: { id: "group 100", url: null } },
    REPORT,
  ];
  const dry = await board.run(items, { isDryRun: true });
  assert.deepEqual(dry.counts, {
    issues: 119,
    reports: 1,
    error_groups: 1,
    comments: 120,
    already_there: 2,
    left_out: 1,
  });
  assert.equal((await board.listed()).length, 1);
  assert.deepEqual((await board.admin.get(`${board.url}/labels`)).body.data, []);
  const real = await board.run(items);
  assert.deepEqual(real, dry);
});

test("two imports of the same objects at once create each object once", async () => {
  const board = await open();
  const items = Array.from({ length: 250 }, (_, n) => ({ ...ISSUE, ref: { id: String(n), url: null } }));
  const runs = await Promise.all([board.run(items), board.run(items)]);
  assert.equal(runs[0].counts.issues + runs[1].counts.issues, 250);
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int from issues where project_id = ${board.id}`.execute(t.db);
  assert.deepEqual(rows, [{ count: 250 }]);
});
