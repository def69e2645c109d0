import { sql } from "kysely";
import { cookieName, openSession } from "../../src/server/access/sessions.ts";
import { makeToken, sha256 } from "../../src/server/access/tokens.ts";
import type { Db } from "../../src/server/db/connect.ts";
import type { Scope } from "../../src/shared/token-scopes.ts";
import { FIRST_LANES } from "../../src/shared/lanes.ts";
import { createWorkspace } from "../../src/server/people/workspaces/create-workspace.ts";

/** Builders that insert objects with plausible defaults into the database. */

let count = 0;
const next = () => ++count;

export type TestUser = { id: number; username: string; email: string };

export async function makeUser(
  db: Db,
  overrides: Partial<{ username: string; email: string }> = {},
): Promise<TestUser> {
  const name = `user${process.pid}x${next()}`;
  return db
    .insertInto("users")
    .values({
      username: name,
      email: `${name}@example.com`,
      first_name: "Ada",
      last_name: "Moss",
      ...overrides,
    })
    .returning(["id", "username", "email"])
    .executeTakeFirstOrThrow();
}

/** A workspace with its built-in roles and an administrator, by default a new user. */
export async function makeWorkspace(
  db: Db,
  options: { admin?: TestUser; features?: { reports?: boolean; error_tracking?: boolean } } = {},
): Promise<{ id: number; admin: TestUser }> {
  const admin = options.admin ?? (await makeUser(db));
  const id = await db
    .transaction()
    .execute((tx) =>
      createWorkspace(tx, admin.id, { name: `Workspace ${next()}`, features: options.features ?? {} }),
    );
  return { id, admin };
}

/** A project with its initial lanes and no members. */
export async function makeProject(db: Db, workspaceId: number): Promise<{ id: number; key: string }> {
  const key = `P${next()}`;
  const project = await db
    .insertInto("projects")
    .values({ workspace_id: workspaceId, key, name: `Project ${key}` })
    .returning(["id", "key"])
    .executeTakeFirstOrThrow();
  await db
    .insertInto("lanes")
    .values(FIRST_LANES.map((lane, position) => ({ ...lane, project_id: project.id, position })))
    .execute();
  return project;
}

export type RoleName = "Manager" | "Member" | "Reporter" | "Viewer";

/** Adds a user (by default a new one) to the workspace. */
export async function makeWorkspaceMember(
  db: Db,
  workspaceId: number,
  options: { user?: TestUser; is_admin?: boolean } = {},
): Promise<TestUser> {
  const user = options.user ?? (await makeUser(db));
  await db
    .insertInto("workspace_members")
    .values({ workspace_id: workspaceId, user_id: user.id, is_admin: options.is_admin ?? false })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return user;
}

/** The id of a built-in role of the workspace, or of a new role with the permissions. */
export async function makeRole(
  db: Db,
  workspaceId: number,
  role: RoleName | { permissions: string[] },
): Promise<number> {
  const { id } =
    typeof role === "string"
      ? await db
          .selectFrom("roles")
          .select("id")
          .where("workspace_id", "=", workspaceId)
          .where("name", "=", role)
          .executeTakeFirstOrThrow()
      : await db
          .insertInto("roles")
          .values({ workspace_id: workspaceId, name: `Role ${next()}`, permissions: role.permissions })
          .returning("id")
          .executeTakeFirstOrThrow();
  return id;
}

/** Adds a user (by default a new one) to the project with a role, and to its workspace. */
export async function makeMember(
  db: Db,
  projectId: number,
  options: { user?: TestUser; role?: RoleName | { permissions: string[] }; is_owner?: boolean } = {},
): Promise<TestUser> {
  const { workspace_id } = await db
    .selectFrom("projects")
    .select("workspace_id")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  const user = await makeWorkspaceMember(db, workspace_id, options.user ? { user: options.user } : {});
  await db
    .insertInto("project_members")
    .values({
      project_id: projectId,
      workspace_id,
      user_id: user.id,
      role_id: await makeRole(db, workspace_id, options.role ?? "Member"),
      is_owner: options.is_owner ?? false,
    })
    .execute();
  return user;
}

/** A team of the workspace with these members, which has access to the projects with the role. */
export async function makeTeam(
  db: Db,
  workspaceId: number,
  options: {
    members?: { id: number }[];
    projects?: { id: number }[];
    role?: RoleName | { permissions: string[] };
  } = {},
): Promise<{ id: number; name: string }> {
  const { members = [], projects = [], role = "Member" } = options;
  const team = await db
    .insertInto("teams")
    .values({ workspace_id: workspaceId, name: `Team ${next()}` })
    .returning(["id", "name"])
    .executeTakeFirstOrThrow();
  const row = { team_id: team.id, workspace_id: workspaceId };
  if (members.length > 0)
    await db
      .insertInto("team_members")
      .values(members.map((user) => ({ ...row, user_id: user.id })))
      .execute();
  const role_id = await makeRole(db, workspaceId, role);
  if (projects.length > 0)
    await db
      .insertInto("project_teams")
      .values(projects.map((project) => ({ ...row, project_id: project.id, role_id })))
      .execute();
  return team;
}

/** A personal token of the user, by default with write access. */
export async function makePersonalToken(
  db: Db,
  userId: number,
  options: { write?: boolean; scopes?: Scope[]; project_ids?: number[] } = {},
): Promise<string> {
  const { token, token_hash, last_four } = makeToken("pat");
  const { scopes, project_ids } = options;
  const write = scopes?.some((scope) => scope.endsWith(":write")) ?? options.write ?? true;
  // The previous version's database does not have these columns.
  const limits = scopes && { scopes, project_ids };
  await db
    .insertInto("personal_tokens")
    .values({ user_id: userId, name: "test", write, ...limits, token_hash, last_four })
    .execute();
  return token;
}

/** A project token created by the user, by default with Read & write access. */
export async function makeProjectToken(
  db: Db,
  projectId: number,
  createdBy: number,
  options: { access?: "read" | "read_write"; active?: boolean; expired?: boolean } = {},
): Promise<string> {
  const { token, token_hash, last_four } = makeToken("prj");
  await db
    .insertInto("project_tokens")
    .values({
      project_id: projectId,
      created_by: createdBy,
      name: "test",
      token_hash,
      last_four,
      access: options.access ?? "read_write",
      active: options.active ?? true,
      expires_at: options.expired ? sql`now() - interval '1 second'` : null,
    })
    .execute();
  return token;
}

/** An ingest key of the project, by default active and for every origin. */
export async function makeIngestKey(
  db: Db,
  projectId: number,
  options: { active?: boolean; allowed_origins?: string[]; created_by?: number } = {},
): Promise<string> {
  const { key } = await db
    .insertInto("ingest_keys")
    .values({ project_id: projectId, name: "test", ...options })
    .returning("key")
    .executeTakeFirstOrThrow();
  return key;
}

/** The session cookie of a user who has just signed in. */
export async function makeCookie(db: Db, userId: number): Promise<string> {
  const secret = await db.transaction().execute((tx) => openSession(tx, userId, { userAgent: "test" }));
  return `${cookieName("http://localhost:3000")}=${secret}`;
}

/** A session that the identity provider has just confirmed, as an account without a password needs for changes. */
export async function makeFreshCookie(db: Db, userId: number): Promise<string> {
  const cookie = await makeCookie(db, userId);
  await db
    .updateTable("sessions")
    .set({ provider_authenticated_at: sql`clock_timestamp()` })
    .where("id_hash", "=", sha256(cookie.slice(cookie.indexOf("=") + 1)))
    .execute();
  return cookie;
}
