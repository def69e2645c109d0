import type { Identity } from "../../../shared/sign-in.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

export function listIdentities(db: Db, userId: number, query: PageQuery): Promise<Page<Identity>> {
  const rows = db
    .selectFrom("identities")
    .select(["id", "issuer", "email", "created_at", "last_used_at"])
    .where("user_id", "=", userId);
  return readPage(rows, query, "id");
}
