import type { ProjectToken } from "../../../../shared/project-tokens.ts";
import { notFound } from "../../../answers/errors.ts";
import type { Page } from "../../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../../answers/page.ts";
import type { Db } from "../../../db/connect.ts";

export const SHOWN = [
  "id",
  "name",
  "access",
  "active",
  "last_four",
  "created_by",
  "expires_at",
  "last_used_at",
  "created_at",
] as const;

export function listProjectTokens(db: Db, projectId: number, query: PageQuery): Promise<Page<ProjectToken>> {
  const rows = db
    .selectFrom("project_tokens")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .$castTo<ProjectToken>();
  return readPage(rows, query, "id");
}

/** 404 if it is not a token of this project. */
export async function readProjectToken(db: Db, projectId: number, tokenId: number): Promise<ProjectToken> {
  const row = await db
    .selectFrom("project_tokens")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "=", tokenId)
    .executeTakeFirst();
  if (!row) throw noSuchToken();
  return row as ProjectToken;
}

export const noSuchToken = () => notFound("There is no such token.");
