import type { Page } from "../../../../shared/answers.ts";
import type { IngestKey } from "../../../../shared/ingest-keys.ts";
import { notFound } from "../../../answers/errors.ts";
import { type PageQuery, readPage } from "../../../answers/page.ts";
import type { Db } from "../../../db/connect.ts";

export const COLUMNS = [
  "id",
  "project_id",
  "name",
  "key",
  "active",
  "allowed_origins",
  "last_used_at",
  "created_by",
  "created_at",
] as const;

type Row = Omit<IngestKey, "dsn"> & { project_id: number };

export async function listIngestKeys(
  db: Db,
  publicUrl: string,
  projectId: number,
  query: PageQuery,
): Promise<Page<IngestKey>> {
  const rows = db
    .selectFrom("ingest_keys")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .$castTo<Row>();
  const { data, meta } = await readPage(rows, query, "id");
  return { data: data.map((row) => withDsn(publicUrl, row)), meta };
}

/** 404 if it is not a key of this project. */
export async function readIngestKey(db: Db, projectId: number, keyId: number): Promise<Row> {
  const row = await db
    .selectFrom("ingest_keys")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .where("id", "=", keyId)
    .executeTakeFirst();
  if (!row) throw noSuchKey();
  return row;
}

/** The row as the API returns it. Sentry SDKs derive the address that they send to from the DSN. */
export function withDsn(publicUrl: string, { project_id, ...row }: Row): IngestKey {
  const { protocol, host } = new URL(publicUrl);
  const { id, name, key, ...rest } = row;
  return { id, name, key, dsn: `${protocol}//${key}@${host}/${project_id}`, ...rest };
}

export const noSuchKey = () => notFound("There is no such ingest key.");
