import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { deleteHiddenRows } from "../../../../test/support/delete-hidden-rows.ts";
import { fillProject, onlyDeletion, rowsOf } from "../../../../test/support/deletions.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeCookie, makeMember, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { deleteHiddenRows as runJob } from "./delete-batches.ts";

const t = await useTestApp();

const inBrowser = async (user: { id: number }) => t.http.withCookie(await makeCookie(t.db, user.id));
/** Those that are deleted with the project for good. */
const WAITING_FOR_MAIL = new Set([
  "new_error_groups",
  "new_reports",
  "error_digests",
  "error_digest_entries",
  "emailed_alerts",
]);
const keptRowsOf = async (projectId: number) =>
  Object.entries(await rowsOf(t.db, projectId)).filter(([table]) => !WAITING_FOR_MAIL.has(table));

const restore = (id: number) => `/api/deletions/${id}/restore`;

/** What gives access, as the settings of the project list it. */
async function accessOf(client: Awaited<ReturnType<typeof inBrowser>>, url: string) {
  const lists = ["members", "people", "teams", "tokens", "ingest-keys"];
  return Promise.all(lists.map(async (list) => (await client.get(`${url}/${list}`)).body.data));
}

test("a deleted project can be restored with everything in it and everyone's access as it was", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board, member, token, issue } = await fillProject(t, workspace);
  const browser = await inBrowser(workspace.admin);
  const [rows, access] = [await keptRowsOf(board.id), await accessOf(browser, board.url)];
  const { body: deletion } = await browser.delete(board.url);
  await runJob(t.database.pool, new AbortController().signal);
  assert.equal((await browser.get(board.url)).status, 404);

  const restored = await browser.post(restore(deletion.id));
  assert.deepEqual([restored.status, restored.body], [200, deletion]);
  assert.deepEqual(await keptRowsOf(board.id), rows);
  assert.deepEqual(await accessOf(browser, board.url), access);
  assert.equal((await (await inBrowser(member)).get(`${board.issues}/${issue.key}`)).status, 200);
  assert.equal((await t.http.as(token).post(`${board.url}/error-events`, anEvent())).status, 202);
  assert.deepEqual((await browser.get("/api/deletions")).body.data, []);
  assert.equal((await browser.post(restore(deletion.id))).status, 404);
  const audit = await browser.get(`/api/workspaces/${workspace.id}/audit-events?kind=project.restored`);
  assert.equal(audit.body.data[0].subject.id, board.id);
});

test("a deleted workspace can be restored, without the projects that were deleted before", async () => {
  const workspace = await makeWorkspace(t.db);
  await makeWorkspace(t.db);
  const { board, member } = await fillProject(t, workspace);
  const other = await openBoard(t, workspace);
  const browser = await inBrowser(workspace.admin);
  const url = `/api/workspaces/${workspace.id}`;
  const read = async () =>
    Promise.all(
      ["members", "teams", "roles", "invitations"].map(
        async (list) => (await browser.get(`${url}/${list}`)).body,
      ),
    );
  await browser.post(`${url}/invitations`, { email: "new@example.com" });
  await browser.delete(other.url);
  const [before, access] = [await read(), await accessOf(browser, board.url)];
  const { body: deletion } = await browser.delete(url);
  assert.deepEqual((await browser.get("/api/projects")).body.data, []);

  assert.equal((await board.admin.post(restore(deletion.id))).status, 403, "by a token");
  assert.equal((await browser.post(restore(deletion.id))).status, 200);
  assert.deepEqual([await read(), await accessOf(browser, board.url)], [before, access]);
  assert.equal((await (await inBrowser(member)).get(board.url)).status, 200);
  assert.equal((await browser.get(other.url)).status, 404);
  assert.equal((await onlyDeletion(browser)).target_id, other.id);
});

test("after 24 hours nothing can be restored", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const { body: deletion } = await board.admin.delete(board.url);
  const hours = (Date.parse(deletion.restorable_until) - Date.parse(deletion.created_at)) / 3_600_000;
  assert.ok(Math.abs(hours - 24) < 0.01, String(hours));
  await deleteHiddenRows(t);
  const late = await board.admin.post(restore(deletion.id));
  assert.deepEqual([late.status, late.body.message], [422, "It is too late: its data is being deleted."]);
  assert.equal((await onlyDeletion(board.admin)).restorable_until, null);
});

test("only administrators of the workspace and the person who deleted a project can restore it", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const owner = await makeMember(t.db, board.id, { is_owner: true });
  const manager = await makeMember(t.db, board.id, { role: "Manager" });
  const { body: deletion } = await (await inBrowser(owner)).delete(board.url);
  for (const user of [manager, await makeUser(t.db), (await makeWorkspace(t.db)).admin])
    assert.equal((await (await inBrowser(user)).post(restore(deletion.id))).status, 404);
  const remove = `/api/workspaces/${workspace.id}/members/${owner.id}`;
  assert.equal((await board.admin.delete(remove)).status, 204);
  assert.equal((await (await inBrowser(owner)).post(restore(deletion.id))).status, 404, "no longer a member");
  assert.equal((await board.admin.post(restore(deletion.id))).status, 200);
  assert.equal(
    (await (await inBrowser(owner)).get(board.url)).status,
    403,
    "the former member has no access",
  );
});

test("a project whose key is used by another one, or whose workspace is deleted, cannot be restored", async () => {
  const workspace = await makeWorkspace(t.db);
  await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const browser = await inBrowser(workspace.admin);
  const { body: deletion } = await browser.delete(board.url);
  const again = await browser.post("/api/projects", { key: board.key, name: "Again" });
  const taken = await browser.post(restore(deletion.id));
  assert.deepEqual(
    [taken.status, taken.body.message],
    [422, "Another project uses its key now. Delete that project first."],
  );
  await browser.delete(`/api/projects/${again.body.id}`);
  const { body: ofWorkspace } = await browser.delete(`/api/workspaces/${workspace.id}`);
  assert.equal((await browser.post(restore(deletion.id))).status, 404, "nobody administers the workspace");
  assert.equal((await browser.post(restore(ofWorkspace.id))).status, 200);
  assert.equal((await browser.post(restore(deletion.id))).status, 200);
});

test("one of two simultaneous restores succeeds", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const { body: deletion } = await board.admin.delete(board.url);
  const lock = `select from deletions where id = ${deletion.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [1, 2].map(() => board.admin.post(restore(deletion.id)));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
});
