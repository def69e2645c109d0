import { sql } from "kysely";
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
  sql<PersonalToken["client"]>`case when oauth_client_id is not null
    then json_build_object('id', oauth_client_id, 'redirect_host', oauth_redirect_host) end`.as("client"),
  "expires_at",
  "last_used_at",
  "created_at",
] as const;

/** Also what the user has granted to apps. A grant disappears when it expires, because its app can no longer renew it. */
export function listPersonalTokens(db: Db, userId: number, query: PageQuery): Promise<Page<PersonalToken>> {
  const rows = db
    .selectFrom("personal_tokens")
    .select(SHOWN)
    .where("user_id", "=", userId)
    .where(sql<boolean>`(oauth_client_id is null or expires_at > now())`);
  return readPage(rows.$castTo<PersonalToken>(), query, "id");
}
