import { sql } from "kysely";
import type { z } from "zod";
import type { Invitation, invitationBody } from "../../../shared/invitations.ts";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import { type FieldErrors, invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { recordAudit } from "../../record/audit.ts";
import { invitationMail } from "./invitation-mail.ts";
import { limitInvitations } from "./limit-invitations.ts";
import { invitationsOf } from "./read-invitations.ts";

const INVITATION_DAYS = 7;

/**
 * Creates an invitation and queues its email. Only this response shows its link, without the proof that the email adds. 422 on
 * `projects.N.…` for a project or role of another workspace, 429 after 20 invitations to the address within a day.
 */
export async function createInvitation(
  db: Db,
  workspaceId: number,
  { actorId, body, publicUrl }: { actorId: number; body: z.output<typeof invitationBody>; publicUrl: string },
): Promise<Invitation & { link: string }> {
  const token = randomSecret();
  const proof = randomSecret();
  const projects = body.projects ?? [];
  return db.transaction().execute(async (tx) => {
    await requireInWorkspace(tx, workspaceId, projects);
    await limitInvitations(tx, body.email);
    const { id } = await tx
      .insertInto("invitations")
      .values({
        workspace_id: workspaceId,
        email: body.email,
        is_admin: body.is_admin ?? false,
        token_hash: sha256(token),
        proof_hash: sha256(proof),
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
    const invitation = await invitationsOf(tx, workspaceId).where("i.id", "=", id).executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "invitation.created",
      workspace_id: workspaceId,
      subject: { type: "invitation", id, name: body.email },
      details: { is_admin: invitation.is_admin, project_ids: projects.map((one) => one.project_id) },
    });
    const path = `/invitations/${token}`;
    const mail = { workspaceId, actorId, email: body.email, path, proof, days: INVITATION_DAYS };
    await queueMails(tx, [await invitationMail(tx, mail)]);
    return { ...invitation, link: `${publicUrl}${path}` };
  });
}

/** Locks the projects and roles, so that they cannot be deleted until the transaction ends. */
async function requireInWorkspace(
  tx: Tx,
  workspaceId: number,
  wanted: Invitation["projects"],
): Promise<void> {
  if (wanted.length === 0) return;
  const projects = await lockIds(tx, "projects", workspaceId, [
    ...new Set(wanted.map((one) => one.project_id)),
  ]);
  const roles = await lockIds(tx, "roles", workspaceId, [...new Set(wanted.map((one) => one.role_id))]);
  const errors: FieldErrors = {};
  for (const [index, { project_id, role_id }] of wanted.entries()) {
    if (!projects.has(project_id))
      errors[`projects.${index}.project_id`] = ["is not a project of the workspace"];
    if (!roles.has(role_id)) errors[`projects.${index}.role_id`] = ["is not a role of the workspace"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function lockIds(tx: Tx, table: "projects" | "roles", workspaceId: number, ids: number[]) {
  const rows = await tx
    .selectFrom(table)
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .$if(table === "projects", (query) => query.where(sql<boolean>`deleted_at is null`))
    .orderBy("id")
    .forShare()
    .execute();
  return new Set(rows.map((row) => row.id));
}
