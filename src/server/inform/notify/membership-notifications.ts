import { sql, type RawBuilder } from "kysely";
import { PROJECT_MEMBERSHIP, TEAM_MEMBERSHIP } from "../../../shared/notifications.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { notify } from "./notify.ts";
import { nameOf, short } from "./texts.ts";

/**
 * Tells people that they were added to a project: directly, by accepting an invitation (the actor is who invited), or
 * with a team that was given it (decisions.md 4).
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
    about: { workspace_id: project.workspace_id, project_id: project.id },
    actorId,
    to: everybody(userIds),
    among: usersWhere(project),
    notices: [
      {
        type: PROJECT_MEMBERSHIP,
        message: added(await nameOf(tx, actorId), `the project ${short(project.name)}`),
        preference: "notify_project_membership",
        button: { label: "Open the project", path: `/projects/${project.key}` },
      },
    ],
  });
}

/** Tells people that they were added to a team of their workspace. */
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
    about: { workspace_id: team.workspace_id, project_id: null, team: { id: team.id, name: team.name } },
    actorId,
    to: everybody(userIds),
    among: sql`select user_id from workspace_members
      where workspace_id = ${team.workspace_id} and deactivated_at is null`,
    notices: [
      {
        type: TEAM_MEMBERSHIP,
        message: added(await nameOf(tx, actorId), `the team ${short(team.name)}`),
        preference: "notify_team_membership",
        button: { label: "Open your notifications", path: "/notifications" },
      },
    ],
  });
}

function everybody(userIds: number[]): RawBuilder<unknown> {
  return sql`select user_id, 1 from unnest(${userIds}::bigint[]) as user_id`;
}

function added(who: string | null, to: string): string {
  return who === null ? `You were added to ${to}` : `${who} added you to ${to}`;
}
