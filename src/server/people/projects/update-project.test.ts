import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMember, makeProject } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { newKey, openWorkspace } from "../../../../test/support/workspace.ts";

const t = await useTestApp();
const { id: workspaceId, as, admin, member } = await openWorkspace(t);

test("a PATCH changes only the sent fields: null clears the description, is rejected as a name, and the key stays", async () => {
  const { body: before } = await member.post("/api/projects", {
    key: newKey(),
    name: "Old",
    description: "Text",
  });
  const url = `/api/projects/${before.id}`;
  const untouched = await member.patch(url, { name: null, key: "OTHER", unknown: 1 });
  assert.equal(untouched.status, 200);
  assert.deepEqual(untouched.body, before);
  const renamed = await member.patch(url, { name: "New" });
  assert.equal(renamed.body.name, "New");
  assert.equal(renamed.body.description, "Text");
  assert.ok(renamed.body.updated_at > before.updated_at);
  const cleared = await member.patch(url, { description: null });
  assert.equal(cleared.body.description, null);
  assert.equal(cleared.body.name, "New");
  assert.deepEqual((await member.get(url)).body, cleared.body);
  const wrong = await member.patch(url, { name: "x".repeat(101), description: 5 });
  assert.equal(wrong.status, 422);
  assert.deepEqual(Object.keys(wrong.body.errors).sort(), ["description", "name"]);
  assert.deepEqual((await member.get(url)).body, cleared.body);
});

test("the repository URL pattern is set, validated with a reason, and cleared with null", async () => {
  const pattern = "https://git.example.com/shop/blob/{release}/{path}#L{line}";
  const body = { key: newKey(), name: "Linked", repository_url_pattern: pattern };
  const { body: created } = await member.post("/api/projects", body);
  assert.equal(created.repository_url_pattern, pattern);
  const url = `/api/projects/${created.id}`;
  const wrong = await member.patch(url, { repository_url_pattern: "javascript:alert('{path}')" });
  assert.deepEqual(
    [wrong.status, wrong.body.errors],
    [422, { repository_url_pattern: ["must begin with http:// or https:// and a host"] }],
  );
  assert.equal((await member.get(url)).body.repository_url_pattern, pattern);
  const cleared = await member.patch(url, { repository_url_pattern: null });
  assert.deepEqual([cleared.status, cleared.body.repository_url_pattern], [200, null]);
});

test("updating a project requires project:update, which is checked before the body is read", async () => {
  const project = await makeProject(t.db, workspaceId);
  const url = `/api/projects/${project.id}`;
  const viewer = await as(await makeMember(t.db, project.id, { role: "Viewer" }));
  const broken = { headers: { "content-type": "application/json" }, payload: "{" };
  assert.equal((await viewer.patch(url, { name: "X" })).status, 403);
  assert.equal((await viewer.send({ method: "PATCH", url, ...broken })).status, 403);
  assert.equal((await viewer.send({ method: "PATCH", url: "/api/projects/999999", ...broken })).status, 404);
  assert.equal((await admin.send({ method: "PATCH", url, ...broken })).status, 400);
  const manager = await as(await makeMember(t.db, project.id, { role: "Manager" }));
  assert.equal((await manager.patch(url, { name: "X" })).status, 200);
});
