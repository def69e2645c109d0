import type { z } from "zod";
import { FIRST_LANES } from "../../../shared/lanes.ts";
import type { projectBody } from "../../../shared/projects.ts";
import { invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { watchReportsAsOwners } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";

/**
 * Creates a project with its first lanes, an ingest key and the user as its owner; returns its id. 422 on `workspace_id`
 * if the user is not a member of that workspace, or belongs to several and names none; 422 on `key` if another project of the
 * installation has it.
 */
export async function createProject(
  db: Db,
  actorId: number,
  body: z.output<typeof projectBody>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const workspace_id = await lockMembership(tx, actorId, body.workspace_id);
    const project = await tx
      .insertInto("projects")
      .values({
        workspace_id,
        key: body.key,
        name: body.name,
        description: body.description ?? null,
        ...sentColumns({
          ...body.lifecycle,
          spike_events: body.spike?.events,
          spike_times: body.spike?.times,
          keep_vars: body.keep_vars,
          keep_debug_events: body.keep_debug_events,
          repository_url_pattern: body.repository_url_pattern,
        }),
      })
      .onConflict((conflict) => conflict.column("key").where("deleted_at", "is", null).doNothing())
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
    await tx
      .insertInto("ingest_keys")
      .values({ project_id: project.id, name: "Default", created_by: actorId })
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

/** The named workspace, or the user's only one. Locks the active membership until the transaction ends. */
async function lockMembership(tx: Tx, userId: number, named: number | undefined): Promise<number> {
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
