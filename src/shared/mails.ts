import { z } from "zod";
import { count, moment } from "./answers.ts";
import { id } from "./text.ts";
import { AT, LATER } from "./example-values.ts";

export const MAIL_STATES = ["queued", "sent", "failed", "kept"] as const;

export type MailState = (typeof MAIL_STATES)[number];

export const mailAnswer = z.strictObject({
  id,
  /** Null if the recipient has no account. */
  user_id: id.nullable(),
  to: z.string(),
  subject: z.string(),
  lines: z.array(z.string()),
  /** Target of the email's button. Secret links are null for callers with a token, and for everyone once sent. */
  link: z.string().nullable(),
  preference: z.string().nullable(),
  state: z.enum(MAIL_STATES),
  attempts: count,
  last_error: z.string().nullable(),
  created_at: moment,
  sent_at: moment.nullable(),
});

export type Mail = z.infer<typeof mailAnswer>;

export const mailTestAnswer = z.strictObject({
  /** True if no mail server is configured: the email is listed but not sent. */
  kept: z.boolean(),
});

export type MailTest = z.infer<typeof mailTestAnswer>;

export const mailSetupAnswer = z.strictObject({
  /** Whether a mail server is configured. Without one, emails are listed but not sent. */
  configured: z.boolean(),
});

export type MailSetup = z.infer<typeof mailSetupAnswer>;

/** Examples for the API reference. */
export const mailExamples = {
  Mail: {
    schema: mailAnswer,
    example: {
      id: 88,
      user_id: 4,
      to: "kim@example.com",
      subject: "WEB-12 was assigned to you",
      lines: ["Ada Moss assigned WEB-12 to you."],
      link: "https://signalbox.example.com/projects/WEB/issues/WEB-12",
      preference: "notify_assignment",
      state: "sent",
      attempts: 1,
      last_error: null,
      created_at: AT,
      sent_at: LATER,
    },
  },
};
