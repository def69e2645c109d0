/** The contract of the list of mails (platform.md). */

export const MAIL_STATES = ["queued", "sent", "failed", "kept"] as const;

export type MailState = (typeof MAIL_STATES)[number];

export type Mail = {
  id: number;
  /** null: somebody without an account. */
  user_id: number | null;
  to: string;
  subject: string;
  lines: string[];
  /** Where its button leads; null once a link that is a secret was sent, and to tokens. */
  link: string | null;
  preference: string | null;
  state: MailState;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
};
