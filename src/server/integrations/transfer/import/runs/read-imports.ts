import { sql } from "kysely";
import type { Page } from "../../../../../shared/answers.ts";
import type { Import, ListedImport } from "../../../../../shared/imports.ts";
import { notFound } from "../../../../answers/errors.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../../../answers/page.ts";
import type { Db } from "../../../../db/connect.ts";

const listed = sql`
  id, project_id, kind, filename, size, state, columns, map, people, from_project as "from", counts, error, created_by,
  created_at, started_at, finished_at`;

/** 404 if the project has no such import. */
export async function readImport(db: Db, projectId: number, importId: number): Promise<Import> {
  const { rows } = await sql<Import>`
    select ${listed}, unmatched, left_out, notes from imports
    where project_id = ${projectId} and id = ${importId}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuchImport();
  return row;
}

/** Newest first. */
export async function listImports(db: Db, projectId: number, query: PageQuery): Promise<Page<ListedImport>> {
  const after = query.cursor === undefined ? sql`true` : sql`id < ${afterId(query)}`;
  const { rows } = await sql<ListedImport>`
    select ${listed} from imports where project_id = ${projectId} and ${after}
    order by id desc limit ${query.limit + 1}`.execute(db);
  return pageOf(rows, query, (last) => idCursor(last.id));
}

export const noSuchImport = () => notFound("There is no such import.");
