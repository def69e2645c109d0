import type { Page } from "../../../shared/answers.ts";
import type { PersonalToken } from "../../../shared/personal-tokens.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

export const SHOWN = [
  "id",
  "name",
  "last_four",
  "write",
  "scopes",
  "project_ids",
  "expires_at",
  "last_used_at",
  "created_at",
] as const;

export function listPersonalTokens(db: Db, userId: number, query: PageQuery): Promise<Page<PersonalToken>> {
  const rows = db.selectFrom("personal_tokens").select(SHOWN).where("user_id", "=", userId);
  return readPage(rows.$castTo<PersonalToken>(), query, "id");
}
