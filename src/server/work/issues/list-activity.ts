import type { IssueActivity } from "../../../shared/issues.ts";
import type { Db } from "../../db/connect.ts";
import { afterId, page, type Page, type PageQuery } from "../../answers/page.ts";

/** Who changed what of the issue when, oldest first (platform.md). */
export async function listIssueActivity(
  db: Db,
  issueId: number,
  query: PageQuery,
): Promise<Page<IssueActivity>> {
  const rows = await db
    .selectFrom("issue_activity")
    .select(["id", "actor_id", "kind", "from", "to", "created_at"])
    .where("issue_id", "=", issueId)
    .where("id", ">", afterId(query))
    .orderBy("id")
    .limit(query.limit + 1)
    .execute();
  return page(rows, query, (row) => row.id);
}
