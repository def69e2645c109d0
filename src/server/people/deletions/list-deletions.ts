import { sql } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import type { Deletion } from "../../../shared/deletions.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

export const deletionColumns = [
  "id",
  sql<Deletion["kind"]>`kind`.as("kind"),
  "target_id",
  "name",
  "project_key",
  "requested_by",
  "rows_total",
  "rows_deleted",
  "created_at",
  sql<
    string | null
  >`case when rows_total is null and restorable_until > clock_timestamp() then restorable_until end`.as(
    "restorable_until",
  ),
  "finished_at",
] as const;

/** The deletions that the user requested, and those in workspaces that they administer, newest first. */
export function listDeletions(db: Db, userId: number, query: PageQuery): Promise<Page<Deletion>> {
  const rows = db
    .selectFrom("deletions")
    .select(deletionColumns)
    .where((where) =>
      where.or([
        where("requested_by", "=", userId),
        where(
          "workspace_id",
          "in",
          where
            .selectFrom("workspace_members")
            .select("workspace_id")
            .where("user_id", "=", userId)
            .where("is_admin", "=", true)
            .where("deactivated_at", "is", null),
        ),
      ]),
    );
  return readPage(rows, query, "id", { newestFirst: true });
}
