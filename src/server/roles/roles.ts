import type { Role } from "../../shared/workspaces.ts";
import type { Db } from "../db/connect.ts";
import { afterId, page, type Page, type PageQuery } from "../http/page.ts";

export async function listRoles(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Role>> {
  const rows = await db
    .selectFrom("roles")
    .select(["id", "name", "permissions", "built_in"])
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", afterId(query))
    .orderBy("id")
    .limit(query.limit + 1)
    .execute();
  return page(rows, query, (row) => row.id);
}
