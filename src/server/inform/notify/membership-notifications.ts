import { sql, type RawBuilder } from "kysely";
import { PROJECT_MEMBERSHIP, TEAM_MEMBERSHIP } from "../../../shared/notifications.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { notify } from "./notify.ts";
import { nameOf, shorten } from "./message-parts.ts";

/**
 * Notifies users who were added to a project: directly, with a team, or by accepting an invitation. For an invitation the
 * actor is the inviter.
 */
export async function notifyProjectMembership(
  tx: Tx,
  event: { projectId: number; userIds: number[]; actorId: number | null },
): Promise<void> {
  const { projectId, userIds, actorId } = event;
  if (userIds.length === 0) return;
  const project = await tx
    .selectFrom("projects")
    .select(["id", "workspace_id", "key", "name"])
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  await notify(tx, {
    subject: { workspace_id: project.workspace_id, project_id: project.id },
    actorId,
    recipients: everyone(userIds),
    allowed: usersWhere(project),
    notices: [
      {
        type: PROJECT_MEMBERSHIP,
        message: addedMessage(await nameOf(tx, actorId), `the project ${shorten(project.name)}`),
        preference: "notify_project_membership",
        button: { label: "Open the project", path: `/projects/${project.key}` },
      },
    ],
  });
}

export async function notifyTeamMembership(
  tx: Tx,
  event: {
    team: { id: number; name: string; workspace_id: number };
    userIds: number[];
    actorId: number | null;
  },
): Promise<void> {
  const { team, userIds, actorId } = event;
  if (userIds.length === 0) return;
  await notify(tx, {
    subject: { workspace_id: team.workspace_id, project_id: null, team: { id: team.id, name: team.name } },
    actorId,
    recipients: everyone(userIds),
    allowed: sql`select user_id from workspace_members
      where workspace_id = ${team.workspace_id} and deactivated_at is null`,
    notices: [
      {
        type: TEAM_MEMBERSHIP,
        message: addedMessage(await nameOf(tx, actorId), `the team ${shorten(team.name)}`),
        preference: "notify_team_membership",
        button: { label: "Open your notifications", path: "/notifications" },
      },
    ],
  });
}

function everyone(userIds: number[]): RawBuilder<unknown> {
  return sql`select user_id, 1 from unnest(${userIds}::bigint[]) as user_id`;
}

function addedMessage(actor: string | null, to: string): string {
  return actor === null ? `You were added to ${to}` : `${actor} added you to ${to}`;
}
