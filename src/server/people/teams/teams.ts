import { sql } from "kysely";
import type { z } from "zod";
import type { Team, teamBody, teamChanges, TeamDetail } from "../../../shared/teams.ts";
import { accessibleProjects } from "../../access/access-queries.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { requireFreeName } from "../../db/free-name.ts";
import { changed } from "../../db/sent.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";

/** By id. */
export function listTeams(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Team>> {
  return readPage(teamsOf(db, workspaceId), query, "t.id");
}

/** 404 when it is not a team of this workspace. */
export async function readTeam(db: Db, workspaceId: number, teamId: number): Promise<Team> {
  const row = await teamsOf(db, workspaceId).where("t.id", "=", teamId).executeTakeFirst();
  if (!row) throw noSuchTeam();
  return row;
}

function teamsOf(db: Db, workspaceId: number) {
  return db
    .selectFrom("teams as t")
    .select(["t.id", "t.name"])
    .select(sql<number>`(select count(*) from team_members m where m.team_id = t.id)`.as("members_count"))
    .select("t.created_at")
    .where("t.workspace_id", "=", workspaceId);
}

/** The team with its members and with those of its projects that the user can access. 404 as above. */
export async function readTeamDetail(
  db: Db,
  workspaceId: number,
  teamId: number,
  userId: number,
): Promise<TeamDetail> {
  const row = await teamsOf(db, workspaceId)
    .where("t.id", "=", teamId)
    .select([
      sql<TeamDetail["members"]>`(
        select coalesce(json_agg(json_build_object('user_id', u.id, 'username', u.username,
          'first_name', u.first_name, 'last_name', u.last_name, 'profile_picture', u.profile_picture,
          'active', w.deactivated_at is null) order by u.id), '[]')
        from team_members m
        join users u on u.id = m.user_id
        join workspace_members w on w.workspace_id = m.workspace_id and w.user_id = m.user_id
        where m.team_id = t.id)`.as("members"),
      sql<TeamDetail["projects"]>`(
        select coalesce(json_agg(json_build_object('project_id', p.id, 'key', p.key, 'name', p.name,
          'role_id', pt.role_id) order by p.id), '[]')
        from project_teams pt join projects p on p.id = pt.project_id
        where pt.team_id = t.id and p.id in (${accessibleProjects(userId)}))`.as("projects"),
    ])
    .executeTakeFirst();
  if (!row) throw noSuchTeam();
  return row;
}

/** 422 on `name` when a team of the workspace has it, in whatever case. */
export async function createTeam(
  db: Db,
  workspaceId: number,
  body: z.output<typeof teamBody>,
): Promise<Team> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireFreeName(tx, { table: "teams", workspace_id: workspaceId }, body.name);
    const { id } = await tx
      .insertInto("teams")
      .values({ workspace_id: workspaceId, name: body.name })
      .returning("id")
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "team.created",
      workspace_id: workspaceId,
      subject: { type: "team", id, name: body.name },
    });
    return readTeam(tx, workspaceId, id);
  });
}

/** Changes the sent fields. 404, and 422 on `name` as above. */
export async function updateTeam(
  db: Db,
  workspaceId: number,
  teamId: number,
  body: z.output<typeof teamChanges>,
): Promise<Team> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readTeam(tx, workspaceId, teamId);
    const changes = changed(before, { name: body.name });
    if (changes?.name === undefined) return before;
    await requireFreeName(tx, { table: "teams", workspace_id: workspaceId }, changes.name, teamId);
    await tx.updateTable("teams").set(changes).where("id", "=", teamId).execute();
    await recordAudit(tx, {
      kind: "team.changed",
      workspace_id: workspaceId,
      subject: { type: "team", id: teamId, name: changes.name },
      details: { name_before: before.name },
    });
    return readTeam(tx, workspaceId, teamId);
  });
}

/** Deletes a team, and with it the access it gave. 404 when it is not the workspace's. */
export async function deleteTeam(db: Db, workspaceId: number, teamId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { name } = await readTeam(tx, workspaceId, teamId);
    const userIds = await teamUsers(tx, teamId);
    await tx.deleteFrom("teams").where("id", "=", teamId).execute();
    await endLostWatches(tx, workspaceId, userIds);
    await recordAudit(tx, {
      kind: "team.deleted",
      workspace_id: workspaceId,
      subject: { type: "team", id: teamId, name },
    });
  });
}

/** The ids of the team's members. */
export async function teamUsers(tx: Tx, teamId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("team_members")
    .select("user_id")
    .where("team_id", "=", teamId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

const noSuchTeam = () => notFound("There is no such team.");
