import { sql } from "kysely";
import type { z } from "zod";
import type { Invitation, invitationBody, InvitationPreview } from "../../../shared/invitations.ts";
import { recordAudit } from "../../record/audit.ts";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound, type FieldErrors } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { invitationMail } from "./invitation-mail.ts";

const INVITATION_DAYS = 7;

/** Those nobody has accepted, expired ones among them. */
export function listInvitations(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Invitation>> {
  return readPage(invitationsOf(db, workspaceId), query, "i.id");
}

function invitationsOf(db: Db, workspaceId: number) {
  return db
    .selectFrom("invitations as i")
    .select(["i.id", "i.email", "i.is_admin"])
    .select(
      sql<Invitation["projects"]>`(
        select coalesce(json_agg(json_build_object('project_id', p.project_id, 'role_id', p.role_id) order by p.project_id), '[]')
        from invitation_projects p where p.invitation_id = i.id)`.as("projects"),
    )
    .select(["i.expires_at", "i.created_at"])
    .where("i.workspace_id", "=", workspaceId);
}

/**
 * An invitation and its link, which no later answer shows, and the mail that brings it. 422 on `projects.N.…` for a project or a role that is not
 * the workspace's.
 */
export async function createInvitation(
  db: Db,
  workspaceId: number,
  actorId: number,
  body: z.output<typeof invitationBody>,
  publicUrl: string,
): Promise<Invitation & { link: string }> {
  const token = randomSecret();
  const projects = body.projects ?? [];
  return db.transaction().execute(async (tx) => {
    await requireOwn(tx, workspaceId, projects);
    const { id } = await tx
      .insertInto("invitations")
      .values({
        workspace_id: workspaceId,
        email: body.email,
        is_admin: body.is_admin ?? false,
        token_hash: sha256(token),
        invited_by: actorId,
        expires_at: sql`now() + make_interval(days => ${INVITATION_DAYS})`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (projects.length > 0)
      await tx
        .insertInto("invitation_projects")
        .values(
          projects.map(({ project_id, role_id }) => ({
            invitation_id: id,
            workspace_id: workspaceId,
            project_id,
            role_id,
          })),
        )
        .execute();
    const made = await invitationsOf(tx, workspaceId).where("i.id", "=", id).executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "invitation.created",
      workspace_id: workspaceId,
      subject: { type: "invitation", id, name: body.email },
      details: { is_admin: made.is_admin, project_ids: projects.map((one) => one.project_id) },
    });
    const path = `/invitations/${token}`;
    const mail = { workspaceId, actorId, email: body.email, path, days: INVITATION_DAYS };
    await queueMails(tx, [await invitationMail(tx, mail)]);
    return { ...made, link: `${publicUrl}${path}` };
  });
}

/** The rows found stay until the transaction ends. */
async function requireOwn(tx: Tx, workspaceId: number, wanted: Invitation["projects"]): Promise<void> {
  if (wanted.length === 0) return;
  const projects = await ownIds(tx, "projects", workspaceId, [
    ...new Set(wanted.map((one) => one.project_id)),
  ]);
  const roles = await ownIds(tx, "roles", workspaceId, [...new Set(wanted.map((one) => one.role_id))]);
  const errors: FieldErrors = {};
  for (const [index, { project_id, role_id }] of wanted.entries()) {
    if (!projects.has(project_id))
      errors[`projects.${index}.project_id`] = ["is not a project of the workspace"];
    if (!roles.has(role_id)) errors[`projects.${index}.role_id`] = ["is not a role of the workspace"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function ownIds(tx: Tx, table: "projects" | "roles", workspaceId: number, ids: number[]) {
  const rows = await tx
    .selectFrom(table)
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .orderBy("id")
    .forKeyShare()
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function deleteInvitation(db: Db, workspaceId: number, invitationId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const invitation = await tx
      .deleteFrom("invitations")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", invitationId)
      .returning(["id", "email as name"])
      .executeTakeFirst();
    if (!invitation) throw notFound("There is no such invitation.");
    await recordAudit(tx, {
      kind: "invitation.deleted",
      workspace_id: workspaceId,
      subject: { type: "invitation", ...invitation },
    });
  });
}

/** What the link shows before it is accepted; 404 when it is unknown, used or expired. */
export async function previewInvitation(db: Db, token: string): Promise<InvitationPreview> {
  const row = await db
    .selectFrom("invitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspace_id")
    .select(
      sql<InvitationPreview["workspace"]>`json_build_object('id', w.id, 'name', w.name)`.as("workspace"),
    )
    .select(["i.email", "i.expires_at"])
    .where("i.token_hash", "=", sha256(token))
    .where("i.expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  if (!row) throw noSuchInvitation();
  return row;
}

export const noSuchInvitation = () => notFound("The invitation is unknown, used or expired.");
