import type { IssueActivity } from "../../../shared/issues.ts";
import type { Db } from "../../db/connect.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";

/** Oldest first. */
export function listIssueActivity(db: Db, issueId: number, query: PageQuery): Promise<Page<IssueActivity>> {
  const rows = db
    .selectFrom("issue_activity")
    .select(["id", "actor_id", "kind", "from", "to", "created_at"])
    .where("issue_id", "=", issueId);
  return readPage(rows, query, "id");
}
