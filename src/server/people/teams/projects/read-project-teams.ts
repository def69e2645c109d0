import { sql } from "kysely";
import type { ProjectTeam } from "../../../../shared/teams.ts";
import type { Page } from "../../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../../answers/page.ts";
import type { Db, Tx } from "../../../db/connect.ts";

/** By team id. */
export function listProjectTeams(db: Db, projectId: number, query: PageQuery): Promise<Page<ProjectTeam>> {
  return readPage(projectTeamsOf(db, projectId), query, "pt.team_id");
}

function projectTeamsOf(db: Db, projectId: number) {
  return db
    .selectFrom("project_teams as pt")
    .innerJoin("teams as t", "t.id", "pt.team_id")
    .select(["pt.team_id", "t.name", "pt.role_id"])
    .select(sql<number>`(select count(*) from team_members m where m.team_id = t.id)`.as("members_count"))
    .select("pt.created_at")
    .where("pt.project_id", "=", projectId);
}

export function readProjectTeam(tx: Tx, projectId: number, teamId: number): Promise<ProjectTeam | undefined> {
  return projectTeamsOf(tx, projectId).where("pt.team_id", "=", teamId).executeTakeFirst();
}
