import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeProject, makeUser, makeWorkspace, makeWorkspaceMember } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { newKey, openWorkspace } from "../../../../test/support/workspace.ts";
import { DONE_MESSAGE, DONE_SUBJECT } from "../../../shared/feedback.ts";
import { PERMISSIONS } from "../../../shared/permissions.ts";

const t = await useTestApp();
const { id: workspaceId, person, as, admin, member } = await openWorkspace(t);

test("a user who is deactivated concurrently creates no project", async () => {
  const leaving = await makeWorkspaceMember(t.db, workspaceId);
  const client = await as(leaving);
  const deactivation = `update workspace_members set deactivated_at = now() where user_id = ${leaving.id}`;
  const [answer] = await collide(t.database, deactivation, async (waiting) => {
    const request = client.post("/api/projects", { key: newKey(), name: "Late" });
    await waiting(1);
    return [request];
  });
  assert.deepEqual(
    [answer?.status, answer?.body.errors],
    [422, { workspace_id: ["is required: you belong to no workspace"] }],
  );
});

test("any member can create a project, which gets four lanes and the member as owner and Manager", async () => {
  const made = await member.post("/api/projects", {
    key: "WEB",
    name: "Web shop",
    description: "What we sell",
  });
  assert.equal(made.status, 201);
  const { id, created_at, updated_at, permissions, ...rest } = made.body;
  assert.deepEqual(rest, {
    workspace_id: workspaceId,
    key: "WEB",
    name: "Web shop",
    description: "What we sell",
    features: { reports: true, error_tracking: true },
    lifecycle: { close_resolves: false, regression_reopens: false, ship_tells_reporters: false },
    feedback: { public_form: false, form_url: null, done_message: DONE_MESSAGE, done_subject: DONE_SUBJECT },
    spike: { events: 50, times: 10 },
    keep_vars: false,
    keep_debug_events: false,
    group_by_mapped_frames: false,
    repository_url_pattern: null,
    code_owners: null,
    forward_dsn: null,
    is_owner: true,
  });
  assert.deepEqual(permissions, [...PERMISSIONS]);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(typeof updated_at, "string");

  const lanes = await member.get(`/api/projects/${id}/lanes`);
  assert.deepEqual(
    lanes.body.data.map((lane: { name: string; kind: string }) => [lane.name, lane.kind]),
    [
      ["Backlog", "backlog"],
      ["To do", "todo"],
      ["In progress", "doing"],
      ["Done", "done"],
    ],
  );
  const roles = await member.get(`/api/workspaces/${workspaceId}/roles`);
  const members = await member.get(`/api/projects/${id}/members`);
  assert.equal(members.body.data.length, 1);
  assert.equal(members.body.data[0].user_id, person.id);
  assert.equal(members.body.data[0].is_owner, true);
  assert.equal(
    members.body.data[0].role_id,
    roles.body.data.find((role: { name: string }) => role.name === "Manager").id,
  );
});

test("workspace_id returns 422 if it is unknown, inaccessible, or missing with several workspaces", async () => {
  const other = await makeWorkspace(t.db);
  const both = await makeWorkspaceMember(t.db, workspaceId);
  await makeWorkspaceMember(t.db, other.id, { user: both });
  const nowhere = await makeUser(t.db);
  const create = async (client: Client, workspace_id?: unknown) => {
    const answer = await client.post("/api/projects", { key: newKey(), name: "X", workspace_id });
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };
  const refusal = [422, ["workspace_id"]];
  assert.deepEqual(await create(member, 999_999), refusal);
  assert.deepEqual(await create(member, other.id), refusal);
  assert.deepEqual(await create(await as(both)), refusal);
  assert.deepEqual(await create(await as(nowhere)), refusal);
  assert.deepEqual(await create(member, String(workspaceId)), refusal);
  assert.deepEqual(await create(member, Number.MAX_SAFE_INTEGER), refusal);
  assert.deepEqual(await create(member, 2 ** 53), refusal);
  assert.deepEqual(await create(member, null), [201, []]);
  assert.deepEqual(await create(await as(both), other.id), [201, []]);
});

test("a key has 2 to 10 characters of A–Z and 0–9 and begins with a letter", async () => {
  for (const key of [
    "A",
    "1AB",
    "Web",
    "WE-B",
    "WÉB",
    "ABCDEFGHIJK",
    "",
    " WEB",
    "WEB\n",
    12,
    null,
    undefined,
  ]) {
    const answer = await member.post("/api/projects", { key, name: "X" });
    assert.equal(answer.status, 422, String(key));
    assert.deepEqual(Object.keys(answer.body.errors), ["key"], String(key));
  }
  for (const key of ["AB", "Z123456789"])
    assert.equal((await member.post("/api/projects", { key, name: "X" })).status, 201, key);
});

test("a key taken anywhere in the installation returns 422, and nothing is created", async () => {
  const elsewhere = await makeWorkspace(t.db);
  const taken = await makeProject(t.db, elsewhere.id);
  const before = await t.db.selectFrom("projects").select("id").execute();
  const answer = await member.post("/api/projects", { key: taken.key, name: "X" });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { key: ["is taken"] });
  assert.deepEqual(await t.db.selectFrom("projects").select("id").execute(), before);
});

test("if ten requests race for a key, one gets it", async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => member.post("/api/projects", { key, name: "X" })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 422).length, 9);
});

test("a name is one line of at most 100 characters, a description at most 65,535", async () => {
  const create = (fields: object) => member.post("/api/projects", { key: newKey(), name: "X", ...fields });
  for (const name of ["", "  ", "a\nb", "\u0007", "x".repeat(101), "a\0b", 7, null])
    assert.deepEqual(Object.keys((await create({ name })).body.errors), ["name"], JSON.stringify(name));
  assert.deepEqual(Object.keys((await create({ description: "x".repeat(65_536) })).body.errors), [
    "description",
  ]);
  assert.deepEqual(Object.keys((await create({ description: ["x"] })).body.errors), ["description"]);
  const emoji = await create({ name: "🚂".repeat(100), description: "🚂".repeat(65_535) });
  assert.equal(emoji.status, 201);
  assert.equal(emoji.body.name, "🚂".repeat(100));
});

test("a user removed from the workspace concurrently creates no project", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const client = await as(user);
  const key = newKey();
  const lock = `select from workspace_members where user_id = ${user.id} for update`;
  const [removed, made] = await collide(t.database, lock, async (waiting) => {
    const first = admin.delete(`/api/workspaces/${workspaceId}/members/${user.id}`);
    await waiting(1);
    const second = client.post("/api/projects", { key, name: "X", workspace_id: workspaceId });
    await waiting(2);
    return [first, second];
  });
  assert.equal(removed?.status, 204);
  assert.deepEqual(made?.body.errors, { workspace_id: ["is not a workspace you belong to"] });
  assert.equal((await admin.get(`/api/projects/${key}`)).status, 404);
});
