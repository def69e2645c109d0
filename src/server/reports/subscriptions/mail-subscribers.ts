import { DONE_MESSAGE, DONE_SUBJECT } from "../../../shared/feedback.ts";
import { cutCodePoints } from "../../../shared/text.ts";
import type { Tx } from "../../db/connect.ts";
import { quoteTitle, shorten } from "../../inform/notify/message-parts.ts";
import { publishAddresses, readPublicFiles } from "../status/public-files.ts";
import { queueNews } from "./queue-news.ts";
import { readSubscribers, readSubscribersOf, type Recipient } from "./recipients.ts";

/** A comment on a report that people outside may read. */
type PublicReply = { reportId: number; content: string; authorId: number };

/** Emails a public reply to the confirmed subscribers of the report. Call it once, when the comment is created. */
export async function mailPublicReply(tx: Tx, { reportId, content, authorId }: PublicReply): Promise<void> {
  const recipients = await readSubscribersOf(tx, reportId);
  const [first] = recipients;
  if (!first) return;
  const files = await readPublicFiles(tx, first);
  const { first_name } = await tx
    .selectFrom("users")
    .select("first_name")
    .where("id", "=", authorId)
    .executeTakeFirstOrThrow();
  const { plainText } = await import("../../../shared/markdown/plain-text.ts");
  await queueNews(tx, recipients, (recipient, statusToken) => {
    const shown = publishAddresses(content, { report: recipient, statusToken, files });
    return {
      subject: `${shorten(first_name)} replied: ${quoteTitle(recipient.title)}`,
      lines: [
        `${shorten(first_name)} from ${shorten(recipient.project.name)} wrote about ${nounOf(recipient)}:`,
        plainText(shown),
      ],
      excerpt: shown,
      button: "Read and reply",
    };
  });
}

/** Emails the subscribers of a report, and those of its duplicates, that it is not planned. */
export async function mailNotPlanned(tx: Tx, reportId: number, reason: string | null): Promise<void> {
  await queueNews(tx, await readSubscribers(tx, [reportId]), (recipient) => ({
    subject: `Not planned: ${quoteTitle(recipient.title)}`,
    lines: [
      `${shorten(recipient.project.name)} has looked at ${nounOf(recipient)} ${quoteTitle(recipient.title)}.`,
      ...(reason === null ? [] : [reason]),
      "Thank you for taking the time to tell us. If you have more to add, reply on the report's page.",
    ],
    button: "Open the report",
  }));
}

export type DoneReport = {
  id: number;
  /** The first release with the change; null in a project without releases. */
  release: string | null;
};

/** The project's own texts; null: the default ones. */
type DoneTexts = { done_subject: string | null; done_message: string | null };

/** Emails the subscribers of reports of one project, and those of their duplicates, that the reports are done. */
export async function mailDone(
  tx: Tx,
  reports: DoneReport[],
  { done_subject, done_message }: DoneTexts,
): Promise<void> {
  const releases = new Map(reports.map(({ id, release }) => [id, release]));
  await queueNews(tx, await readSubscribers(tx, [...releases.keys()]), (recipient) => {
    const values = {
      title: recipient.title,
      release: releases.get(recipient.original_id) ?? LATEST_VERSION,
      project: recipient.project.name,
    };
    return {
      subject: cutCodePoints(fillIn(done_subject ?? DONE_SUBJECT, values), MAX_SUBJECT_LENGTH),
      lines: [fillIn(done_message ?? DONE_MESSAGE, values)],
      button: "Open the report",
    };
  });
}

const MAX_SUBJECT_LENGTH = 255;

/** What `{release}` stands for in a project without releases. */
const LATEST_VERSION = "the latest version";

/** In one pass, so that braces within the values stay as they are. */
const fillIn = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{(title|release|project)\}/g, (match, name: string) => values[name] ?? match);

const nounOf = ({ is_author }: Recipient) => (is_author ? "your report" : "the report");
