import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { issuesOfLane } from "../lanes/issues-of-lane.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { MAX_RANK_LENGTH, renumber } from "../ranks/ranked-list.ts";

/** Renumbers the issues of every lane that contains a long rank. Returns the number of these lanes. */
export async function renumberLongLanes(db: Db): Promise<number> {
  const { rows: lanes } = await sql<{ project_id: number; lane_id: number }>`
    select distinct i.project_id, i.lane_id
    from issues i join projects p on p.id = i.project_id and p.deleted_at is null
    where length(i.rank) > ${sql.lit(MAX_RANK_LENGTH)}`.execute(db);
  for (const lane of lanes)
    await db.transaction().execute(async (tx) => {
      await lockProject(tx, lane.project_id);
      await renumber(tx, issuesOfLane(lane.lane_id));
    });
  return lanes.length;
}
