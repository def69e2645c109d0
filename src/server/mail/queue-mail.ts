import { sql } from "kysely";
import type { Preference } from "../../shared/people.ts";
import type { Tx } from "../db/connect.ts";

/** An email to one recipient, who wants it according to their preferences. */
export type NewMail = {
  /** The workspace whose administrators see the email; null hides it, as for password resets. */
  workspace_id: number | null;
  /** The recipient, whose address is looked up when the email is sent; null: `to`. */
  user_id: number | null;
  /** A recipient without an account, for invitations. */
  to?: string;
  subject: string;
  /** Paragraphs of plain text. */
  lines: string[];
  /** The path that each line links to, or null. The first line of a paragraph is the text of the link. */
  linePaths?: (string | null)[] | null;
  /** The Markdown of the last line, for the HTML of the email. */
  excerpt?: string | null;
  /** `path` is relative to PUBLIC_URL: `/projects/WEB/issues/WEB-12#comment-5`. */
  button: { label: string; path: string };
  /** The preference that turns such emails off; null if none does, as for invitations. */
  preference: Preference | null;
  /** The link gives access to whoever has it, so it is deleted once the email is sent. */
  secret?: boolean;
  /** Appended to the link in the email itself, and shown to nobody else: using it proves that its reader gets the mail. */
  proof?: string;
  /** For emails to people outside the team. */
  subscription?: MailedSubscription;
};

/** The subscription that an email to someone outside the team belongs to. The paths are those of pages. */
export type MailedSubscription = {
  id: number;
  /** The email asks to confirm the address. Others are sent only while the address is confirmed. */
  asks_to_confirm: boolean;
  /** The same path below `/api` unsubscribes with one POST. */
  unsubscribe_path: string;
  my_reports_path: string | null;
};

/** Queues emails with one statement in the caller's transaction. They are sent after it commits. */
export async function queueMails(tx: Tx, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  // Emails to many recipients share their content, so each content is sent to PostgreSQL once.
  const contents = new Map<string, number>();
  const contentIndexes = mails.map((mail) => {
    const content = contentOf(mail);
    const index = contents.get(content) ?? contents.size;
    contents.set(content, index);
    return index;
  });
  const users = mails.map((mail) => mail.user_id);
  const addresses = mails.map((mail) => (mail.user_id === null ? (mail.to ?? null) : null));
  await sql`
    insert into mails (user_id, address, workspace_id, subject, lines, line_paths, excerpt, button_label, button_path, secret_link, link_proof,
      preference, subscription_id, asks_to_confirm, unsubscribe_path, my_reports_path)
    select r.user_id, r.address, c.workspace_id, c.subject, c.lines, c.line_paths, c.excerpt, c.button_label, c.button_path, c.secret_link,
      c.link_proof, c.preference, c.subscription_id, c.asks_to_confirm, c.unsubscribe_path, c.my_reports_path
    from unnest(${users}::bigint[], ${addresses}::text[], ${contentIndexes}::int[]) with ordinality
      as r (user_id, address, content_index, n)
    join rows from (json_to_recordset(${`[${[...contents.keys()].join(",")}]`}) as (workspace_id bigint, subject text,
        lines text[], line_paths text[], excerpt text, button_label text, button_path text, secret_link boolean, link_proof text, preference text,
        subscription_id bigint, asks_to_confirm boolean, unsubscribe_path text, my_reports_path text)) with ordinality
      as c (workspace_id, subject, lines, line_paths, excerpt, button_label, button_path, secret_link, link_proof, preference,
        subscription_id, asks_to_confirm, unsubscribe_path, my_reports_path, n)
      on c.n = r.content_index + 1
    order by r.n`.execute(tx);
}

function contentOf({
  workspace_id,
  subject,
  lines,
  linePaths = null,
  excerpt = null,
  button,
  preference,
  secret = false,
  proof,
  subscription,
}: NewMail): string {
  return JSON.stringify({
    workspace_id,
    subject,
    lines,
    line_paths: linePaths,
    excerpt,
    button_label: button.label,
    button_path: button.path,
    secret_link: secret,
    link_proof: proof,
    preference,
    subscription_id: subscription?.id,
    asks_to_confirm: subscription?.asks_to_confirm ?? false,
    unsubscribe_path: subscription?.unsubscribe_path,
    my_reports_path: subscription?.my_reports_path,
  });
}
