import { sql } from "kysely";
import type { Team, TeamDetail } from "../../../shared/teams.ts";
import { accessibleProjects } from "../../access/access-queries.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db, Tx } from "../../db/connect.ts";

/** By id. */
export function listTeams(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Team>> {
  return readPage(teamsOf(db, workspaceId), query, "t.id");
}

/** 404 if it is not a team of this workspace. */
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

/** The team with its members, and its projects that the user can access. 404 if it is not a team of this workspace. */
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

export async function readTeamUserIds(tx: Tx, teamId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("team_members")
    .select("user_id")
    .where("team_id", "=", teamId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

const noSuchTeam = () => notFound("There is no such team.");
