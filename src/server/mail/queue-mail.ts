import { sql } from "kysely";
import type { Preference } from "../../shared/people.ts";
import type { Tx } from "../db/connect.ts";

/** A mail to one person. Whether they want it was decided before; the address is looked up when it is sent. */
export type NewMail = {
  /** Whose administrators see what became of it; null: nobody does, a link to a new password is not for them. */
  workspace_id: number | null;
  /** Who gets it; null: `to`. */
  user_id: number | null;
  /** An address without an account, for invitations. */
  to?: string;
  subject: string;
  /** Paragraphs of plain text. */
  lines: string[];
  /** `path` lies below PUBLIC_URL: `/projects/WEB/issues/WEB-12#comment-5`. */
  button: { label: string; path: string };
  /** The switch that turns such mails off; null for invitations and the like. */
  preference: Preference | null;
  /** Whoever has the link may do something by it: it is kept only until the mail is sent. */
  secret?: boolean;
};

/**
 * Queues mails in the caller's transaction, all by one statement: they are sent when it commits, and never were when it
 * is rolled back.
 */
export async function queueMails(tx: Tx, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  // What a thousand watchers read alike goes over the wire once.
  const contents = new Map<string, number>();
  const places = mails.map((mail) => {
    const content = contentOf(mail);
    const place = contents.get(content) ?? contents.size;
    contents.set(content, place);
    return place;
  });
  const users = mails.map((mail) => mail.user_id);
  const addresses = mails.map((mail) => (mail.user_id === null ? (mail.to ?? null) : null));
  await sql`
    insert into mails (user_id, address, workspace_id, subject, lines, button_label, button_path, secret_link, preference)
    select r.user_id, r.address, c.workspace_id, c.subject, c.lines, c.button_label, c.button_path, c.secret_link,
      c.preference
    from unnest(${users}::bigint[], ${addresses}::text[], ${places}::int[]) with ordinality
      as r (user_id, address, place, n)
    join rows from (json_to_recordset(${`[${[...contents.keys()].join(",")}]`}) as (workspace_id bigint, subject text,
        lines text[], button_label text, button_path text, secret_link boolean, preference text)) with ordinality
      as c (workspace_id, subject, lines, button_label, button_path, secret_link, preference, n)
      on c.n = r.place + 1
    order by r.n`.execute(tx);
}

function contentOf({ workspace_id, subject, lines, button, preference, secret = false }: NewMail): string {
  return JSON.stringify({
    workspace_id,
    subject,
    lines,
    button_label: button.label,
    button_path: button.path,
    secret_link: secret,
    preference,
  });
}
