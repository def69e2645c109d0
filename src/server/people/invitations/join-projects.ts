import { sql } from "kysely";
import { recordAudits } from "../../record/audit.ts";
import type { Tx } from "../../db/connect.ts";
import { notifyProjectMembership } from "../../inform/notify/membership-notifications.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";

export type LockedInvitation = {
  id: number;
  workspace_id: number;
  email: string;
  is_admin: boolean;
  invited_by: number | null;
};

type Joined = { project_id: number; role_id: number; is_new: boolean };

/**
 * Adds the user to the projects of the invitation. If they are already an owner of a project, or have a role there with the same
 * or more permissions, they keep it.
 */
export async function joinProjects(tx: Tx, invitation: LockedInvitation, userId: number): Promise<void> {
  // The lock keeps the projects from being deleted. `xmax` is 0 for inserted rows, but not for updated ones.
  const { rows: joined } = await sql<Joined>`
    insert into project_members as m (project_id, workspace_id, user_id, role_id)
    select i.project_id, i.workspace_id, ${userId}, i.role_id
    from invitation_projects i join projects p on p.id = i.project_id
    where i.invitation_id = ${invitation.id} and p.deleted_at is null
    order by i.project_id
    for share of p
    on conflict (project_id, user_id) do update set role_id = excluded.role_id
      where not m.is_owner and not exists (
        select from roles held join roles given on given.id = excluded.role_id
        where held.id = m.role_id and held.permissions @> given.permissions
      )
    returning m.project_id, m.role_id, m.xmax = 0 as is_new`.execute(tx);
  if (joined.length === 0) return;
  // The new role may lack permissions that the previous one had.
  await endLostWatches(tx, invitation.workspace_id, [userId]);
  await recordAudits(
    tx,
    joined.map(({ project_id, role_id, is_new }) => ({
      kind: is_new ? "project_member.added" : "project_member.changed",
      project_id,
      actor_id: userId,
      subject: { type: "user", id: userId },
      details: { role_id, invitation_id: invitation.id },
    })),
  );
  for (const { project_id } of joined.filter(({ is_new }) => is_new))
    await notifyProjectMembership(tx, {
      projectId: project_id,
      userIds: [userId],
      actorId: invitation.invited_by,
    });
}
