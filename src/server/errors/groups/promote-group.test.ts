import assert from "node:assert/strict";
import { test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { issuesOf, promote } from "../../../../test/support/promote-group.ts";
import { openProject } from "../../../../test/support/project.ts";
import { addArtifact } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://track.example.org" });
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

test("promoting returns the full group and links it in both directions with a Bug in the first lane", async () => {
  const project = await open();
  const before = await project.first({ exception_class: "TypeError", message: "x is not a function" });
  const answer = await promote(project, before.id);
  assert.equal(answer.status, 200);
  const [issue] = await issuesOf(project);
  const { updated_at, ...rest } = answer.body;
  assert.ok(updated_at > before.updated_at);
  assert.deepEqual(
    { ...rest, updated_at: before.updated_at },
    { ...before, linked_issue_id: issue?.id, linked_at: issue?.created_at.replace("Z", "+00:00") },
  );
  assert.deepEqual(await project.only(), answer.body);
  const lanes = (await project.admin.get(`/api/projects/${project.id}/lanes`)).body.data;
  assert.equal(issue?.error_group_id, before.id);
  assert.deepEqual([issue.type, issue.priority, issue.lane_id], [1, 1, lanes[0].id]);
  assert.equal(issue.created_by, workspace.admin.id);
  assert.equal(issue.title, "TypeError: x is not a function");
});

test("promoting a linked group returns 422 with a message and creates no second issue", async () => {
  const project = await open();
  const { id } = await project.first();
  assert.equal((await promote(project, id)).status, 200);
  const again = await promote(project, id);
  assert.equal(again.status, 422);
  assert.deepEqual(again.body, { message: "The error group is already linked to an issue." });
  assert.equal((await issuesOf(project)).length, 1);
});

test("if two promotions race, one wins, and the other does not even consume an issue number", async () => {
  const project = await open();
  const { id } = await project.first();
  const lock = `select from error_groups where id = ${id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const first = promote(project, id);
    await waiting(1);
    const second = promote(project, id);
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 422],
  );
  const issues = await issuesOf(project);
  assert.deepEqual(
    issues.map((issue) => issue.error_group_id),
    [id],
  );
  const next = await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Next" });
  assert.match(next.body.key, /-2$/);
});

test("events that arrive during a promotion are counted and keep the link", async () => {
  const project = await open();
  const { id } = await project.first();
  const [answer] = await Promise.all([
    promote(project, id),
    ...Array.from({ length: 20 }, () => project.send()),
  ]);
  assert.equal(answer.status, 200);
  const group = await project.only();
  assert.equal(group.occurrence_count, 21);
  assert.notEqual(group.linked_issue_id, null);
});

test("after its issue is deleted, the link is null and the group can be promoted again", async () => {
  const project = await open();
  const { id } = await project.first();
  const first = (await promote(project, id)).body;
  const url = `/api/projects/${project.id}/issues/${first.linked_issue_id}`;
  assert.equal((await project.admin.delete(url)).status, 204);
  assert.equal((await project.only()).linked_issue_id, null);
  const again = await promote(project, id);
  assert.equal(again.status, 200);
  assert.notEqual(again.body.linked_issue_id, first.linked_issue_id);
});

test("when the group is deleted, the issue stays without its link", async () => {
  const project = await open();
  const { id } = await project.first();
  await promote(project, id);
  await t.db.deleteFrom("error_groups").where("id", "=", id).execute();
  const [issue] = await issuesOf(project);
  assert.equal(issue?.error_group_id, null);
});

test("promoting does not change the status of a group", async () => {
  for (const verb of ["resolve", "ignore"]) {
    const project = await open();
    const { id } = await project.first();
    const settled = (await project.admin.post(`${project.groups}/${id}/${verb}`)).body;
    const answer = (await promote(project, id)).body;
    assert.equal(answer.status, settled.status);
    assert.equal(answer.resolved_at, settled.resolved_at);
  }
});

test("the issue of an error in minified code describes the original code", async () => {
  const project = await open();
  const source = `${"\n".repeat(9)}export function total() {}\n`;
  const map = { version: 3, sources: ["src/cart.ts"], sourcesContent: [source], names: [], mappings: "AASA" };
  await addArtifact(t, project.id, { name: "~/app.js.map", content: map, release: "1.4.2" });
  const stack_trace = "TypeError: no\n    at total (https://shop.test/app.js:1:5)";
  const { id } = await project.first({ release: "1.4.2", stack_trace });
  assert.equal((await promote(project, id)).status, 200);
  const [issue] = await issuesOf(project);
  assert.match(String(issue?.description), /at total \(src\/cart\.ts:10:1\)/);
  assert.doesNotMatch(String(issue?.description), /app\.js/);
});
