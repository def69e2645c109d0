import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/** A file that is open to everyone who has the status link. */
export type PublicFile = {
  id: number;
  /** The last part of its address: `2` for the second image that was sent with the report, `208-1` for the first file of a reply. */
  name: string;
  /** The reply that it belongs to; null if it was sent with the report. */
  comment_id: number | null;
};

type OfReport = { id: number; project: { id: number } };

/** The images that were sent with the report, then the files of public replies, oldest first. */
export async function readPublicFiles(db: Db, { id, project }: OfReport): Promise<PublicFile[]> {
  const { rows } = await sql<PublicFile>`
    select a.id, a.comment_id,
      coalesce(a.comment_id || '-', '') || row_number() over (partition by a.comment_id order by a.id) as name
    from attachments a left join comments c on c.id = a.comment_id
    where a.project_id = ${project.id} and a.report_id = ${id}
      and (c.is_public or a.comment_id is null and a.sent_with_report and a.mime_type like 'image/%')
    order by a.comment_id nulls first, a.id`.execute(db);
  return rows;
}

export const publicAddress = (statusToken: string, { name }: PublicFile): string =>
  `/api/r/${statusToken}/images/${name}`;

/**
 * Replaces the addresses of the files in a public reply, which require an account, by those behind the status link. Addresses of
 * other files do not change.
 */
export function publishAddresses(
  content: string,
  { report, statusToken, files }: { report: OfReport; statusToken: string; files: PublicFile[] },
): string {
  const attachments = `/api/projects/${report.project.id}/reports/${report.id}/attachments`;
  const addresses = new RegExp(String.raw`${attachments}/([1-9]\d{0,14})/download`, "g");
  return content.replaceAll(addresses, (address: string, id: string) => {
    const file = files.find((each) => each.id === Number(id));
    return file ? publicAddress(statusToken, file) : address;
  });
}
