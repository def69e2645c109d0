import { z } from "zod";
import { moment } from "./answers.ts";
import { AT, LATER, reportText } from "./example-values.ts";
import { filledText, id } from "./text.ts";

/** Schemas for status links: what the author of a report without an account sees and writes. */

/** As the author sees it. Several lanes and categories of dismissals have the same state. */
export const REPORT_STATES = ["received", "planned", "in_progress", "done", "not_planned"] as const;

export type ReportState = (typeof REPORT_STATES)[number];

export const reporterMessageBody = z.object({ content: filledText(10_000) });

export const reporterMessageAnswer = z.strictObject({
  id,
  from: z.enum(["reporter", "team"]),
  /** The first name of a member of the team, or the name that the reporter gave; null if there is none. */
  name: z.string().nullable(),
  /** Markdown. */
  content: z.string(),
  created_at: moment,
});

export type ReporterMessage = z.infer<typeof reporterMessageAnswer>;

export const reportStatusAnswer = z.strictObject({
  title: z.string(),
  description: z.string(),
  created_at: moment,
  project: z.strictObject({ name: z.string() }),
  state: z.enum(REPORT_STATES),
  /** The release with the change, once it is done. */
  release: z.string().nullable(),
  /** Why it is not planned. */
  reason: z.string().nullable(),
  /** The images that were sent with the report. */
  images: z.array(z.strictObject({ url: z.string() })),
  /** Oldest first. */
  messages: z.array(reporterMessageAnswer),
});

export type ReportStatus = z.infer<typeof reportStatusAnswer>;

/** Null if the link is revoked, or if the report was written by somebody with an account. */
export const statusLinkAnswer = z.strictObject({ url: z.string().nullable() });

const TOKEN = "Zk3vR0w2bLr8mJx1cQ9tUA";

const message: ReporterMessage = {
  id: 208,
  from: "team",
  name: "Ada",
  content: "Thank you, we can reproduce this now.",
  created_at: LATER,
};

/** Examples for the API reference. */
export const reportStatusExamples = {
  ReportStatus: {
    schema: reportStatusAnswer,
    example: {
      title: reportText.title,
      description: reportText.description,
      created_at: AT,
      project: { name: "Web shop" },
      state: "in_progress" as const,
      release: null,
      reason: null,
      images: [{ url: `/api/r/${TOKEN}/images/1` }],
      messages: [message],
    },
  },
  ReporterMessage: {
    schema: reporterMessageAnswer,
    example: { ...message, from: "reporter" as const, name: "Kim" },
  },
  ReporterMessageBody: {
    schema: reporterMessageBody,
    example: { content: "It also happens with two coupons." },
  },
  StatusLink: {
    schema: statusLinkAnswer,
    example: { url: `https://signalbox.example.com/r/${TOKEN}` },
  },
};
export type StatusLink = z.infer<typeof statusLinkAnswer>;
