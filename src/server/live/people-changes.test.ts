import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../test/support/client.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { receiversOf } from "./receivers.ts";

const t = await useTestApp();
let workspace: { id: number; admin: TestUser };
let project: { id: number };
let admin: Client;
let member: TestUser;
let own: Client;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  project = await makeProject(t.db, workspace.id);
  member = await makeMember(t.db, project.id);
  admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  own = t.http.withCookie(await makeCookie(t.db, member.id));
});

type Answer = { status: number; text: string; body: { id: number } };

/** Runs the action and compares the changes announced, without duplicates. */
async function announces(work: () => Promise<Answer>, expected: string[]): Promise<number> {
  await t.db.deleteFrom("changes").execute();
  const answer = await work();
  assert.ok(answer.status < 300, answer.text);
  const rows = await t.db
    .selectFrom("changes")
    .select(["kind", "target_id", "user_id"])
    .where("kind", "<>", "notification")
    .execute();
  const changes = rows.map(({ kind, target_id, user_id }) => {
    assert.equal(user_id, kind === "profile" ? target_id : null);
    return `${kind} ${target_id}`;
  });
  assert.deepEqual([...new Set(changes)].sort(), expected.toSorted());
  return answer.body?.id;
}

const ofProject = () => `project ${project.id}`;
const ofWorkspace = () => `workspace ${workspace.id}`;
const profileOf = ({ id }: { id: number }) => `profile ${id}`;

test("a project is announced when one of its tokens is created, changed and deleted, but not when it is used", async () => {
  const url = `/api/projects/${project.id}/tokens`;
  const body = { name: "CI", access: "read" };
  let secret = "";
  const id = await announces(async () => {
    const answer = await admin.post(url, body);
    secret = answer.body.token;
    return answer;
  }, [ofProject()]);
  await announces(() => admin.patch(`${url}/${id}`, { active: false }), [ofProject()]);
  await announces(() => admin.patch(`${url}/${id}`, { active: true }), [ofProject()]);
  await announces(() => t.http.as(secret).get(`/api/projects/${project.id}/reports`), []);
  await announces(() => admin.delete(`${url}/${id}`), [ofProject()]);
});

test("a profile is announced to its owner when a personal token is created and deleted, but not when it is used", async () => {
  let secret = "";
  const id = await announces(async () => {
    const answer = await own.post("/api/profile/tokens", { name: "Script", access: "read" });
    secret = answer.body.token;
    return answer;
  }, [profileOf(member)]);
  await announces(() => t.http.as(secret).get("/api/profile"), []);
  await announces(() => own.delete(`/api/profile/tokens/${id}`), [profileOf(member)]);
});

test("a new name is announced to the person and their workspaces, a preference to the person only", async () => {
  await announces(
    () => own.patch("/api/profile", { first_name: "Grace" }),
    [profileOf(member), ofWorkspace()],
  );
  await announces(() => own.patch("/api/profile", { theme: "dark" }), [profileOf(member)]);
  await announces(() => own.patch("/api/profile", { theme: "dark" }), []);
});

test("a workspace is announced when it, a role, a team, a member or an invitation changes", async () => {
  const url = `/api/workspaces/${workspace.id}`;
  await announces(() => admin.patch(url, { name: "Other" }), [ofWorkspace()]);
  const role = await announces(
    () => admin.post(`${url}/roles`, { name: "Tester", permissions: ["issues:read"] }),
    [ofWorkspace()],
  );
  await announces(() => admin.patch(`${url}/roles/${role}`, { permissions: [] }), [ofWorkspace()]);
  await announces(() => admin.delete(`${url}/roles/${role}`), [ofWorkspace()]);
  const team = await announces(() => admin.post(`${url}/teams`, { name: "Ops" }), [ofWorkspace()]);
  await announces(() => admin.post(`${url}/teams/${team}/members/${member.id}`), [ofWorkspace()]);
  // Its members may lose access to projects.
  await announces(() => admin.delete(`${url}/teams/${team}`), [profileOf(member), ofWorkspace()]);
  const email = "grace@example.com";
  const invitation = await announces(() => admin.post(`${url}/invitations`, { email }), [ofWorkspace()]);
  await announces(() => admin.delete(`${url}/invitations/${invitation}`), [ofWorkspace()]);
  const other = await makeWorkspaceMember(t.db, workspace.id);
  await announces(
    () => admin.patch(`${url}/members/${other.id}`, { active: false }),
    [ofProject(), ofWorkspace(), profileOf(other)],
  );
});

test("a workspace's changes reach its active members only, a profile's only its owner", async () => {
  const former = await makeWorkspaceMember(t.db, workspace.id);
  await t.db
    .updateTable("workspace_members")
    .set({ deactivated_at: new Date().toISOString() })
    .where("user_id", "=", former.id)
    .execute();
  const elsewhere = await makeWorkspace(t.db);
  const users = { admin: workspace.admin, member, former, stranger: elsewhere.admin };
  const inWorkspace = { kind: "workspace", project_id: null, id: workspace.id } as const;
  const ofMember = { kind: "profile", project_id: null, id: member.id, user_id: member.id } as const;
  const mayReceive = await receiversOf(
    t.db,
    [inWorkspace, ofMember],
    Object.values(users).map(({ id }) => id),
  );
  const receivers = (change: typeof inWorkspace | typeof ofMember) =>
    Object.entries(users).flatMap(([name, { id }]) =>
      mayReceive(change, { kind: "session", key: "", user_id: id, id_hash: Buffer.alloc(0) }) ? [name] : [],
    );
  assert.deepEqual(receivers(inWorkspace), ["admin", "member"]);
  assert.deepEqual(receivers(ofMember), ["member"]);
});
