import { sql } from "kysely";
import type { MyReports } from "../../../shared/subscriptions.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { readReportStates } from "../status/report-state.ts";
import { statusUrl, type LinkedReport } from "../status/report-token.ts";
import { isSealOf, openRow, readServerSecret } from "../status/server-secret.ts";
import { MY_REPORTS } from "./my-reports-page.ts";

/**
 * Lists the reports of one address in a project, newest first: those that it is subscribed to and those that it wrote, as far as it is
 * confirmed for them. Others can name any address as theirs. Reports with a revoked status link are left out. 404 if there is
 * no such page.
 */
export async function listMyReports(db: Db, publicUrl: string, link: string): Promise<MyReports> {
  const secret = await readServerSecret(db);
  const opened = openRow(secret, MY_REPORTS, link);
  if (!opened) throw noSuchPage();
  const page = await findPage(db, opened.id);
  if (!page || !isSealOf(opened, { ...page, generation: 0 })) throw noSuchPage();
  const { rows: reports } = await sql<LinkedReport & { title: string }>`
    select r.id, r.created_at, r.link_generation, r.link_revoked_at, r.source, r.title
    from reports r
    where r.project_id = ${page.project.id} and r.link_revoked_at is null and (
      r.id in (select report_id from report_subscriptions where email = ${page.email} and confirmed_at is not null)
      or lower(r.author_email) = ${page.email} and r.author_email_confirmed)
    order by r.created_at desc, r.id desc limit ${MAX_REPORTS}`.execute(db);
  const states = await readReportStates(
    db,
    reports.map(({ id }) => id),
  );
  return {
    project: { name: page.project.name },
    data: reports.flatMap((report) => {
      const progress = states.get(report.id);
      const url = statusUrl(publicUrl, secret, report);
      const { title, created_at } = report;
      return progress && url ? [{ title, created_at, state: progress.state, url }] : [];
    }),
  };
}

const MAX_REPORTS = 500;

type Page = { id: number; created_at: string; email: string; project: { id: number; name: string } };

async function findPage(db: Db, id: number): Promise<Page | undefined> {
  const { rows } = await sql<Page>`
    select m.id, m.created_at, m.email, json_build_object('id', p.id, 'name', p.name) as project
    from my_reports_pages m join projects p on p.id = m.project_id and p.deleted_at is null
    where m.id = ${id}`.execute(db);
  return rows[0];
}

const noSuchPage = () => notFound("There is no such page.");
