import { sql } from "kysely";
import type { z } from "zod";
import { BUILT_IN_ROLES } from "../../../shared/permissions.ts";
import { FEATURES, type Workspace, type workspaceChanges } from "../../../shared/workspaces.ts";
import { featuresOfW } from "../../access/features.ts";
import { recordAudit, recordAudits } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sent } from "../../db/sent.ts";
import { lockWorkspace, noSuchWorkspace } from "./lock-workspace.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";

/** The workspaces the user is an active member of. */
export function listWorkspaces(db: Db, userId: number, query: PageQuery): Promise<Page<Workspace>> {
  return readPage(workspacesOf(db, userId), query, "w.id");
}

/** The workspace as this active member sees it; 404 for anybody else. */
export async function readWorkspace(db: Db, workspaceId: number, userId: number): Promise<Workspace> {
  const row = await workspacesOf(db, userId).where("w.id", "=", workspaceId).executeTakeFirst();
  if (!row) throw noSuchWorkspace();
  return row;
}

function workspacesOf(db: Db, userId: number) {
  return db
    .selectFrom("workspaces as w")
    .innerJoin("workspace_members as m", "m.workspace_id", "w.id")
    .where("m.user_id", "=", userId)
    .where("m.deactivated_at", "is", null)
    .select(["w.id", "w.name"])
    .select(featuresOfW.as("features"))
    .select(["m.is_admin", "w.created_at", "w.updated_at"]);
}

/** Whether the user administers any workspace: who does may make more of them (platform.md). */
export async function isAdministratorSomewhere(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("workspace_members")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type NewWorkspace = {
  name: string;
  features?: { reports?: boolean | undefined; error_tracking?: boolean | undefined } | undefined;
};

/** A workspace with the built-in roles; its creator becomes the administrator. Returns its id. */
export async function createWorkspace(tx: Tx, actorId: number, workspace: NewWorkspace): Promise<number> {
  const { id } = await tx
    .insertInto("workspaces")
    .values({
      name: workspace.name,
      reports_enabled: workspace.features?.reports ?? true,
      error_tracking_enabled: workspace.features?.error_tracking ?? true,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("workspace_members")
    .values({ workspace_id: id, user_id: actorId, is_admin: true })
    .execute();
  await tx
    .insertInto("roles")
    .values(
      BUILT_IN_ROLES.map((role) => ({
        workspace_id: id,
        name: role.name,
        permissions: [...role.permissions],
        built_in: true,
      })),
    )
    .execute();
  await recordAudit(tx, {
    kind: "workspace.created",
    workspace_id: id,
    actor_id: actorId,
    subject: { type: "workspace", id, name: workspace.name },
  });
  return id;
}

/** Changes the sent fields; a feature that was not sent stays as it is. */
export async function updateWorkspace(
  db: Db,
  workspaceId: number,
  body: z.output<typeof workspaceChanges>,
): Promise<void> {
  const changes = sent({
    name: body.name,
    reports_enabled: body.features?.reports,
    error_tracking_enabled: body.features?.error_tracking,
  });
  if (!changes) return;
  await db.transaction().execute(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    const { name, ...after } = await tx
      .updateTable("workspaces")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", workspaceId)
      .returning(["name", "reports_enabled", "error_tracking_enabled"])
      .executeTakeFirstOrThrow();
    const place = {
      workspace_id: workspaceId,
      subject: { type: "workspace", id: workspaceId, name },
    } as const;
    if (name !== before.name)
      await recordAudit(tx, {
        ...place,
        kind: "workspace.changed",
        details: { name, name_before: before.name },
      });
    const switched = FEATURES.filter(
      (feature) => after[`${feature}_enabled`] !== before[`${feature}_enabled`],
    );
    await recordAudits(
      tx,
      switched.map((feature) => ({
        ...place,
        kind: "feature.switched",
        details: { feature, enabled: after[`${feature}_enabled`] },
      })),
    );
  });
}
