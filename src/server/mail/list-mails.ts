import { sql } from "kysely";
import type { Mail, MailState } from "../../shared/mails.ts";
import type { Db } from "../db/connect.ts";
import type { Page } from "../../shared/answers.ts";
import { readPage, type PageQuery } from "../answers/page.ts";

export type MailsQuery = PageQuery & { state?: MailState | undefined };

/**
 * Lists a workspace's emails with their state, newest first, for administrators. Without a mail server they pass on the
 * kept emails themselves. `secretLinks` includes links that give access, such as an invitation's.
 */
export function listMails(
  db: Db,
  workspaceId: number,
  query: MailsQuery,
  { publicUrl, secretLinks }: { publicUrl: string; secretLinks: boolean },
): Promise<Page<Mail>> {
  let rows = db
    .selectFrom("mails as m")
    .leftJoin("users as u", "u.id", "m.user_id")
    .select(["m.id", "m.user_id", sql<string>`coalesce(m.address, u.email)`.as("to"), "m.subject", "m.lines"])
    .select(
      sql<
        string | null
      >`case when ${secretLinks} or not m.secret_link then ${publicUrl} || m.button_path end`.as("link"),
    )
    .select(["m.preference", sql<MailState>`m.state`.as("state"), "m.attempts", "m.last_error"])
    .select(["m.created_at", "m.sent_at"])
    .where("m.workspace_id", "=", workspaceId);
  if (query.state !== undefined) rows = rows.where("m.state", "=", query.state);
  return readPage(rows, query, "m.id", { newestFirst: true });
}
