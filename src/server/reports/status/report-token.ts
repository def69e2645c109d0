import { sql } from "kysely";
import { API } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { isSealOf, openRow, readServerSecret, sealRow, type ServerSecret } from "./server-secret.ts";

const PURPOSE = "status link";

/** The columns of `reports` that a status link is derived from. */
export type LinkedReport = {
  id: number;
  created_at: string;
  link_generation: number;
  link_revoked_at: string | null;
  source: number;
};

/** The token of a report's status link. Null if the link is revoked, or if the author of the report has an account. */
export function statusToken(secret: ServerSecret, report: LinkedReport): string | null {
  const { id, created_at, link_generation: generation, link_revoked_at, source } = report;
  if (link_revoked_at !== null || source !== API) return null;
  return sealRow(secret, PURPOSE, { id, generation, created_at });
}

/** The address of the page on which the author of a report sees what becomes of it; null if there is none. */
export function statusUrl(publicUrl: string, secret: ServerSecret, report: LinkedReport): string | null {
  const token = statusToken(secret, report);
  return token === null ? null : `${publicUrl}/r/${token}`;
}

/** Like `statusUrl`, for a report that is known by its id. */
export async function readStatusUrl(db: Db, publicUrl: string, reportId: number): Promise<string | null> {
  const report = await db
    .selectFrom("reports")
    .select(["id", "created_at", "link_generation", "link_revoked_at", "source"])
    .where("id", "=", reportId)
    .executeTakeFirst();
  return report ? statusUrl(publicUrl, await readServerSecret(db), report) : null;
}

/** What a status link leads to. */
export type OutsideReport = {
  id: number;
  title: string;
  description: string;
  created_at: string;
  author_name: string | null;
  project: { id: number; workspace_id: number; key: string; name: string };
  is_feature_on: boolean;
};

/** The report of a status link; undefined if there is none, or if the link is revoked. */
export async function findReportByToken(db: Db, token: string): Promise<OutsideReport | undefined> {
  const opened = openRow(await readServerSecret(db), PURPOSE, token);
  if (!opened) return undefined;
  const { rows } = await sql<OutsideReport & { link_generation: number }>`
    select r.id, r.title, r.description, r.created_at, r.author_name, r.link_generation,
      json_build_object('id', p.id, 'workspace_id', p.workspace_id, 'key', p.key, 'name', p.name) as project,
      w.reports_enabled as is_feature_on
    from reports r
    join projects p on p.id = r.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.deleted_at is null
    where r.id = ${opened.id} and r.source = ${API} and r.link_revoked_at is null`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { link_generation: generation, ...report } = row;
  return isSealOf(opened, { ...report, generation }) ? report : undefined;
}
