import type { Page } from "../../../shared/answers.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

/** What happened to the group, oldest first. */
export async function listGroupActivity(
  db: Db,
  groupId: number,
  query: PageQuery,
): Promise<Page<ErrorGroupActivity>> {
  const rows = db
    .selectFrom("error_group_activity")
    .select(["id", "actor_id", "kind", "from", "to", "created_at"])
    .where("group_id", "=", groupId);
  const { data, meta } = await readPage(rows, query, "id");
  return { data: data as ErrorGroupActivity[], meta };
}
