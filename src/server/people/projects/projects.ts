import { sql } from "kysely";
import type { z } from "zod";
import { FIRST_LANES } from "../../../shared/lanes.ts";
import { PERMISSIONS } from "../../../shared/permissions.ts";
import type { Project, projectBody, projectChanges } from "../../../shared/projects.ts";
import { accessibleProjects, grantsOf } from "../../access/access-queries.ts";
import { featuresOfW } from "../../access/features.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { changed } from "../../db/sent.ts";
import { invalid } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { noSuchProject } from "./lock-project.ts";
import { watchReportsAsOwners } from "../../inform/watches/watches.ts";

/** The projects the user can access, over all workspaces: an administrator sees every one of theirs. */
export function listProjects(db: Db, userId: number, query: PageQuery): Promise<Page<Project>> {
  return readPage(projectsOf(db, userId), query, "p.id");
}

/** The project as this user sees it; 404 when there is none they can access. */
export async function readProject(db: Db, projectId: number, userId: number): Promise<Project> {
  const row = await projectsOf(db, userId).where("p.id", "=", projectId).executeTakeFirst();
  if (!row) throw noSuchProject();
  return row;
}

function projectsOf(db: Db, userId: number) {
  const all = sql`${[...PERMISSIONS]}::text[]`;
  return db
    .selectFrom("projects as p")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .leftJoin("project_members as pm", (on) =>
      on.onRef("pm.project_id", "=", "p.id").on("pm.user_id", "=", userId),
    )
    .where(sql<boolean>`p.id in (${accessibleProjects(userId)})`)
    .select(["p.id", "p.workspace_id", "p.key", "p.name", "p.description"])
    .select([
      featuresOfW.as("features"),
      sql<boolean>`coalesce(pm.is_owner, false)`.as("is_owner"),
      sql<string[]>`(
        select array(select one from unnest(${all}) as one where g.is_all or one = any(g.permissions))
        from (${grantsOf(userId)}) g)`.as("permissions"),
    ])
    .select(["p.created_at", "p.updated_at"]);
}

/**
 * A project with its first lanes; whoever creates it becomes its owner. 422 on `workspace_id` when the user is not
 * a member there, or belongs to several and names none; 422 on `key` when any project of the installation has it.
 * Returns its id.
 */
export async function createProject(
  db: Db,
  actorId: number,
  body: z.output<typeof projectBody>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const workspace_id = await workspaceFor(tx, actorId, body.workspace_id);
    const project = await tx
      .insertInto("projects")
      .values({ workspace_id, key: body.key, name: body.name, description: body.description ?? null })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!project) throw invalid({ key: ["is taken"] });
    await tx
      .insertInto("project_members")
      .values((query) => ({
        project_id: project.id,
        workspace_id,
        user_id: actorId,
        is_owner: true,
        role_id: query
          .selectFrom("roles")
          .select("id")
          .where("workspace_id", "=", workspace_id)
          .where("built_in", "=", true)
          .where("name", "=", "Manager"),
      }))
      .execute();
    await watchReportsAsOwners(tx, project.id);
    await tx
      .insertInto("lanes")
      .values(
        FIRST_LANES.map(({ name, kind }, position) => ({ project_id: project.id, name, kind, position })),
      )
      .execute();
    await recordAudit(tx, {
      kind: "project.created",
      project_id: project.id,
      actor_id: actorId,
      subject: { type: "project", id: project.id, name: body.name },
    });
    return project.id;
  });
}

/** The named workspace, or the only one. The membership stays as it is, and active, until the transaction ends. */
async function workspaceFor(tx: Tx, userId: number, named: number | undefined): Promise<number> {
  const rows = await tx
    .selectFrom("workspace_members")
    .select("workspace_id")
    .where("user_id", "=", userId)
    .where("deactivated_at", "is", null)
    .$if(named !== undefined, (query) => query.where("workspace_id", "=", named as number))
    .limit(2)
    .forShare()
    .execute();
  const [row, other] = rows;
  if (row && !other) return row.workspace_id;
  const unnamed = row
    ? "is required: you belong to several workspaces"
    : "is required: you belong to no workspace";
  throw invalid({ workspace_id: [named === undefined ? unnamed : "is not a workspace you belong to"] });
}

export async function updateProject(
  db: Db,
  projectId: number,
  body: z.output<typeof projectChanges>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom("projects")
      .select(["name", "description"])
      .where("id", "=", projectId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw noSuchProject();
    const changes = changed(before, { name: body.name, description: body.description });
    if (!changes) return;
    await tx
      .updateTable("projects")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", projectId)
      .execute();
    await recordAudit(tx, {
      kind: "project.changed",
      project_id: projectId,
      subject: { type: "project", id: projectId, name: changes.name ?? before.name },
      details: { fields: Object.keys(changes) },
    });
  });
}

/** Deletes the project and everything in it. A large one takes longer than a request's statement may. */
export async function deleteProject(db: Db, projectId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '2min'`.execute(tx);
    const project = await tx
      .deleteFrom("projects")
      .where("id", "=", projectId)
      .returning(["workspace_id", "key", "name"])
      .executeTakeFirst();
    if (!project) throw noSuchProject();
    const { workspace_id, key, name } = project;
    await recordAudit(tx, {
      kind: "project.deleted",
      workspace_id,
      subject: { type: "project", id: projectId, name },
      details: { project_id: projectId, project_key: key },
    });
  });
}
