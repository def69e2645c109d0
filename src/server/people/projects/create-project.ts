import { requireDailyAllowance } from "../../record/require-daily-allowance.ts";
import type { z } from "zod";
import { FIRST_LANES } from "../../../shared/lanes.ts";
import type { projectBody } from "../../../shared/projects.ts";
import { invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { watchReportsAsOwners } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";

type ProjectBody = z.output<typeof projectBody>;

/**
 * Creates a project with its first lanes, an ingest key and the user as its owner; returns its id. 422 on `workspace_id`
 * if the user is not a member of that workspace, or belongs to several and names none; 422 on `key` if another project of the
 * installation has it, and 422 if the user created too many projects today.
 */
export async function createProject(db: Db, actorId: number, body: ProjectBody): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const workspaceId = await lockMembership(tx, actorId, body.workspace_id);
    await requireDailyAllowance(tx, actorId, "project.created", "project");
    const projectId = await insertProject(tx, workspaceId, body);
    await addOwner(tx, { workspaceId, projectId, userId: actorId });
    await addFirstLanes(tx, projectId);
    await tx
      .insertInto("ingest_keys")
      .values({ project_id: projectId, name: "Default", created_by: actorId })
      .execute();
    await recordAudit(tx, {
      kind: "project.created",
      project_id: projectId,
      actor_id: actorId,
      subject: { type: "project", id: projectId, name: body.name },
    });
    return projectId;
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

async function insertProject(tx: Tx, workspaceId: number, body: ProjectBody): Promise<number> {
  const project = await tx
    .insertInto("projects")
    .values({
      workspace_id: workspaceId,
      key: body.key,
      name: body.name,
      description: body.description ?? null,
      ...sentColumns({
        ...body.lifecycle,
        spike_events: body.spike?.events,
        spike_times: body.spike?.times,
        keep_vars: body.keep_vars,
        keep_debug_events: body.keep_debug_events,
        group_by_mapped_frames: body.group_by_mapped_frames,
        repository_url_pattern: body.repository_url_pattern,
        code_owners: body.code_owners,
      }),
    })
    .onConflict((conflict) => conflict.column("key").where("deleted_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!project) throw invalid({ key: ["is taken"] });
  return project.id;
}

/** Owners have the built-in role of managers, and watch the project's reports. */
async function addOwner(tx: Tx, owner: { workspaceId: number; projectId: number; userId: number }) {
  const { workspaceId, projectId, userId } = owner;
  await tx
    .insertInto("project_members")
    .values((query) => ({
      project_id: projectId,
      workspace_id: workspaceId,
      user_id: userId,
      is_owner: true,
      role_id: query
        .selectFrom("roles")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("built_in", "=", true)
        .where("name", "=", "Manager"),
    }))
    .execute();
  await watchReportsAsOwners(tx, projectId);
}

async function addFirstLanes(tx: Tx, projectId: number): Promise<void> {
  const lanes = FIRST_LANES.map(({ name, kind }, position) => ({
    project_id: projectId,
    name,
    kind,
    position,
  }));
  await tx.insertInto("lanes").values(lanes).execute();
}
