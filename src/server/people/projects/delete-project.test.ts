import assert from "node:assert/strict";
import { test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeMember,
  makeProject,
  makeProjectToken,
  makeRole,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { newKey, openWorkspace } from "../../../../test/support/workspace.ts";

const t = await useTestApp();
const { id: workspaceId, as, admin, member } = await openWorkspace(t);

test("only owners and administrators can delete a project, with everything in it", async () => {
  const project = await makeProject(t.db, workspaceId);
  const url = `/api/projects/${project.id}`;
  const manager = await makeMember(t.db, project.id, { role: "Manager" });
  const owner = await makeMember(t.db, project.id, { role: "Viewer", is_owner: true });
  const token = await makeProjectToken(t.db, project.id, manager.id);
  assert.equal((await (await as(manager)).delete(url)).status, 403);
  assert.equal((await admin.get(url)).status, 200);
  assert.equal((await (await as(owner)).delete(url)).status, 202);
  assert.equal((await admin.get(url)).status, 404);
  assert.equal((await admin.delete(url)).status, 404);
  assert.equal((await t.http.as(token).get(`${url}/error-groups`)).status, 401);

  const other = await makeProject(t.db, workspaceId);
  assert.equal((await admin.delete(`/api/projects/${other.id}`)).status, 202);
});

test("adding to a project while it is deleted returns 404", async () => {
  const { body: project } = await member.post("/api/projects", { key: newKey(), name: "X" });
  const url = `/api/projects/${project.id}`;
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  const lock = `select from projects where id = ${project.id} for update`;
  const [deleted, ...added] = await collide(t.database, lock, async (waiting) => {
    const first = member.delete(url);
    await waiting(1);
    const rest = [
      member.post(`${url}/lanes`, { name: "More", kind: "done" }),
      member.post(`${url}/tokens`, { name: "ci", access: "read" }),
      member.post(`${url}/members`, { user_id: user.id, role_id }),
    ];
    await waiting(4);
    return [first, ...rest];
  });
  assert.equal(deleted?.status, 202);
  assert.deepEqual(
    added.map((answer) => answer.status),
    [404, 404, 404],
  );
});
