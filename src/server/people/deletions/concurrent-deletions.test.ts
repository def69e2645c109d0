import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeCookie, makeRole, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { rowsOf } from "../../../../test/support/deletions.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("a second request to delete the same project at the same time returns 404", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const lock = `select from projects where id = ${board.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [board.admin.delete(board.url), board.admin.delete(board.url)];
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 404]);
});

test("an invitation that is accepted while its project is deleted does not lead into the project", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const user = await makeUser(t.db);
  const invited = await board.admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: user.email,
    projects: [{ project_id: board.id, role_id: await makeRole(t.db, workspace.id, "Viewer") }],
  });
  const browser = t.http.withCookie(await makeCookie(t.db, user.id));
  const lock = `select from projects where id = ${board.id} for update`;
  const path = new URL(invited.body.link).pathname;
  const [deleted, accepted] = await collide(t.database, lock, async (waiting) => {
    const first = board.admin.delete(board.url);
    await waiting(1);
    const second = browser.post(`/api${path}`);
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual([deleted?.status, accepted?.status], [202, 200]);
  assert.deepEqual((await rowsOf(t.db, board.id))["project_members"], undefined);
});

test("the only workspace cannot be deleted, even if two requests delete the last two", async () => {
  await sql`update workspaces set deleted_at = now()`.execute(t.db);
  const one = await makeWorkspace(t.db);
  const admin = t.http.withCookie(await makeCookie(t.db, one.admin.id));
  const refused = await admin.delete(`/api/workspaces/${one.id}`);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [422, "This is the only workspace. Create another one before you delete it."],
  );
  const two = await makeWorkspace(t.db, { admin: one.admin });
  const answers = await collide(t.database, "select from workspaces for update", async (waiting) => {
    const requests = [one, two].map(({ id }) => admin.delete(`/api/workspaces/${id}`));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 422]);
  assert.equal((await admin.get("/api/workspaces")).body.data.length, 1);
});
