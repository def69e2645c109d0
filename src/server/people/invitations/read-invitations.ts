import { sql } from "kysely";
import type { Invitation, InvitationPreview } from "../../../shared/invitations.ts";
import { sha256 } from "../../access/tokens.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

/** Invitations that have not been accepted, including expired ones. */
export function listInvitations(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Invitation>> {
  return readPage(invitationsOf(db, workspaceId), query, "i.id");
}

export function invitationsOf(db: Db, workspaceId: number) {
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
 * Whether the invitation `i` can be accepted: it has not expired, and the inviter is still an active administrator of the
 * workspace. Otherwise a former administrator could come back, or give away roles that they no longer may.
 */
export const isOpenInvitation = sql<boolean>`(i.expires_at > now() and exists (
  select from workspace_members inviter where inviter.workspace_id = i.workspace_id and inviter.user_id = i.invited_by
    and inviter.is_admin and inviter.deactivated_at is null))`;

/** What the link shows before the invitation is accepted. 404 if it is unknown, used, expired or its inviter has left. */
export async function previewInvitation(db: Db, link: string): Promise<InvitationPreview> {
  const { token, proof } = partsOf(link);
  const row = await db
    .selectFrom("invitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspace_id")
    .leftJoin("users as u", "u.id", "i.invited_by")
    .select(
      sql<InvitationPreview["workspace"]>`json_build_object('id', w.id, 'name', w.name)`.as("workspace"),
    )
    .select(
      sql<InvitationPreview["invited_by"]>`case when u.id is not null
        then json_build_object('first_name', u.first_name, 'last_name', u.last_name) end`.as("invited_by"),
    )
    .select(["i.email", "i.expires_at"])
    .where("i.token_hash", "=", sha256(token))
    .where(isOpenInvitation)
    .$if(proof !== undefined, (query) => query.where("i.proof_hash", "=", sha256(proof ?? "")))
    .executeTakeFirst();
  if (!row) throw noSuchInvitation();
  return row;
}

/** The last part of an invitation's address: the token, and a dot and the proof in the link that is emailed. */
export function partsOf(link: string): { token: string; proof: string | undefined } {
  const dot = link.indexOf(".");
  return dot < 0
    ? { token: link, proof: undefined }
    : { token: link.slice(0, dot), proof: link.slice(dot + 1) };
}

export const noSuchInvitation = () => notFound("The invitation is unknown, used, withdrawn or expired.");
