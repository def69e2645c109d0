import assert from "node:assert/strict";
import { sql } from "kysely";
import {
  makeCookie,
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeTeam,
  makeUser,
  makeWorkspaceMember,
  type RoleName,
  type TestUser,
} from "../support/make.ts";
import type { TestApp } from "../support/test-app.ts";
import { ROLES, THROW_AWAY, type Principal } from "./principals.ts";
import type { Fixture } from "./fixture.ts";

type Held = Partial<Pick<Principal, "rights" | "workspaces">>;

/** Creates all principals whose requests are checked. */
export async function createPrincipals(t: TestApp, fixture: Fixture): Promise<Principal[]> {
  const a = Number(fixture.A["projectId"]);
  const b = Number(fixture.B["projectId"]);
  const one = { workspaces: { one: "member" } } as const;
  const withRole = (role: RoleName): Held => ({ ...one, rights: { A: ROLES[role] } });
  const member = (role: RoleName, is_owner = false) => makeMember(t.db, a, { role, is_owner });
  const [owner, manager, plain, reporter, viewer] = await Promise.all([
    member("Viewer", true),
    member("Manager"),
    member("Member"),
    member("Reporter"),
    member("Viewer"),
  ]);
  const teamViewer = await makeWorkspaceMember(t.db, fixture.one.id);
  await makeTeam(t.db, fixture.one.id, { members: [teamViewer], projects: [{ id: a }], role: "Viewer" });
  const colleague = await makeWorkspaceMember(t.db, fixture.one.id);
  const [deactivated, former] = await Promise.all([member("Manager"), member("Manager")]);
  const lost = await makeProjectToken(t.db, a, former.id);
  await leave(t, fixture, deactivated, former);

  const all: Held = { workspaces: { one: "administrator" }, rights: { A: "all", B: "all" } };
  const foreign: Held = { workspaces: { two: "administrator" }, rights: { C: "all" } };
  const ofManager = withRole("Manager");
  const token = (user: TestUser, options?: Parameters<typeof makeProjectToken>[3], project = a) =>
    makeProjectToken(t.db, project, user.id, options);
  return [
    nobody(t),
    await session(t, "an administrator", fixture.one.admin, all),
    await session(t, "the administrator of the other workspace", fixture.two.admin, foreign),
    await session(t, "the project's owner", owner, { ...one, rights: { A: "all" } }),
    await session(t, "a Manager", manager, ofManager),
    await session(t, "a Member", plain, withRole("Member")),
    await session(t, "a Reporter", reporter, withRole("Reporter")),
    await session(t, "a Viewer", viewer, withRole("Viewer")),
    await session(t, "a Viewer by a team", teamViewer, withRole("Viewer")),
    await session(t, "a member of the workspace alone", colleague, one),
    await session(t, "a former Manager", former, one),
    await session(t, "a deactivated Manager", deactivated),
    await session(t, THROW_AWAY, fixture.throwAway),
    await refusedSession(t, manager),
    personal(t, "a Manager's token", await makePersonalToken(t.db, manager.id), ofManager),
    personal(t, "a Manager's reading token", await reading(t, manager), ofManager, false),
    personal(t, "an administrator's token", await makePersonalToken(t.db, fixture.one.admin.id), all),
    refused(t, "a revoked personal token", await revokedPersonal(t, manager)),
    refused(t, "a made-up token", `sbx_pat_${"a".repeat(36)}`),
    project(t, "a Read token", await token(manager, { access: "read" }), ofManager, { write: false }),
    project(t, "a Read & write token", await token(manager), ofManager),
    project(t, "a Reporter's Read & write token", await token(reporter), withRole("Reporter")),
    project(t, "an inactive token", await token(manager, { active: false }), ofManager, { active: false }),
    project(t, "a token whose creator lost access", lost, one),
    project(t, "a token of project B", await token(fixture.one.admin, {}, b), all, { project: "B" }),
    refused(t, "an expired project token", await token(manager, { expired: true })),
    { ...byToken(t, "an ingest key", await makeIngestKey(t.db, a)), kind: "ingest" },
    refused(t, "a revoked project token", await revokedToken(t, a, manager)),
  ];
}

const base = { write: true, project: "A", active: true, rights: {}, workspaces: {} } as const;

const nobody = (t: TestApp): Principal => ({
  ...base,
  name: "nobody",
  client: t.http,
  headers: {},
  credential: "none",
  kind: "nobody",
});

async function session(t: TestApp, name: string, user: TestUser, held: Held = {}): Promise<Principal> {
  const cookie = await makeCookie(t.db, user.id);
  const client = t.http.withCookie(cookie);
  return { ...base, ...held, name, client, headers: { cookie }, credential: "cookie", kind: "session" };
}

const byToken = (t: TestApp, name: string, secret: string) => ({
  ...base,
  name,
  client: t.http.as(secret),
  headers: { authorization: `Bearer ${secret}` },
  credential: "token" as const,
});

const personal = (t: TestApp, name: string, secret: string, held: Held, write = true): Principal => ({
  ...byToken(t, name, secret),
  ...held,
  kind: "personal",
  write,
});

const project = (
  t: TestApp,
  name: string,
  secret: string,
  held: Held,
  more: Partial<Pick<Principal, "write" | "active" | "project">> = {},
): Principal => ({ ...byToken(t, name, secret), ...held, ...more, kind: "project" });

const refused = (t: TestApp, name: string, secret: string): Principal => ({
  ...byToken(t, name, secret),
  kind: "refused",
});

const reading = (t: TestApp, user: TestUser) => makePersonalToken(t.db, user.id, { write: false });

/** Deactivates one user and removes the other from the project. Both were notified about an issue before. */
async function leave(t: TestApp, fixture: Fixture, deactivated: TestUser, former: TestUser) {
  const admin = fixture.clients.A;
  const project = `/api/projects/${fixture.A["projectId"]}`;
  for (const { id } of [deactivated, former]) {
    const assigned = await admin.patch(`${project}/issues/${fixture.A["issueId"]}`, { assignee_id: id });
    assert.equal(assigned.status, 200, assigned.text);
  }
  const removed = await admin.delete(`${project}/members/${former.id}`);
  assert.equal(removed.status, 204, removed.text);
  const deactivation = await admin.patch(`/api/workspaces/${fixture.one.id}/members/${deactivated.id}`, {
    active: false,
  });
  assert.equal(deactivation.status, 200, deactivation.text);
}

async function refusedSession(t: TestApp, user: TestUser): Promise<Principal> {
  const { id } = await makeUser(t.db);
  const who = await session(t, "an expired session", { ...user, id });
  await t.db
    .updateTable("sessions")
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where("user_id", "=", id)
    .execute();
  return { ...who, kind: "refused" };
}

async function revokedPersonal(t: TestApp, user: TestUser): Promise<string> {
  const secret = await makePersonalToken(t.db, user.id);
  const last = t.db.selectFrom("personal_tokens").select((of) => of.fn.max("id").as("id"));
  await t.db.deleteFrom("personal_tokens").where("id", "=", last).execute();
  return secret;
}

async function revokedToken(t: TestApp, projectId: number, user: TestUser): Promise<string> {
  const secret = await makeProjectToken(t.db, projectId, user.id);
  const last = t.db.selectFrom("project_tokens").select((of) => of.fn.max("id").as("id"));
  await t.db.deleteFrom("project_tokens").where("id", "=", last).execute();
  return secret;
}
