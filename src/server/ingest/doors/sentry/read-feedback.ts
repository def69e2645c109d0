import { hash } from "node:crypto";
import {
  FEEDBACK_TAGS,
  reporterAddress,
  withoutQuery,
  type ReportOrigin,
} from "../../../../shared/feedback.ts";
import { cutCodePoints } from "../../../../shared/text.ts";
import { at, cut, isRecord, record, text, type JsonRecord } from "../../read/coerce.ts";
import { readEventId } from "../../read/event-additions.ts";
import { addressesInName, addressesInRelease } from "../../remove-personal-data/personal-values.ts";
import type { RemoveValues } from "../../remove-personal-data/rules.ts";
import type { NewReport } from "../../../reports/create-report.ts";
import { browserIn } from "../../../reports/outside/read-feedback.ts";
import { header } from "../../read/sentry/event/runtime.ts";
import { userHash } from "../../read/sentry/event/user.ts";

const DESCRIPTION = 65_535;

/**
 * Converts a `feedback` item to a report. Repairs and cuts its text, never rejects it. Undefined if it has no text.
 * `envelopeId` is the id of its envelope.
 */
export function readFeedback(
  value: unknown,
  envelopeId: unknown,
  { secret, userAgent }: { secret: Uint8Array; userAgent: string | undefined },
): NewReport | undefined {
  if (!isRecord(value)) return undefined;
  const sent = at(value, "contexts", "feedback");
  const url = at(sent, "url") ?? at(value, "request", "url");
  const about = readEventId(at(sent, "associated_event_id")) ?? undefined;
  return toReport({
    message: at(sent, "message") ?? value.message,
    name: at(sent, "name"),
    email: at(sent, "contact_email"),
    eventId: readEventId(value.event_id) ?? readEventId(envelopeId),
    error_event_id: about,
    user_hash: about === undefined ? (userHash(value, secret) ?? undefined) : undefined,
    page: pageOf(url),
    origin: feedbackOrigin(value, url, userAgent),
  });
}

/** Converts a `user_report` item, the older form of feedback about an event, to a report. */
export function readUserReport(
  value: unknown,
  envelopeId: unknown,
  userAgent: string | undefined,
): NewReport | undefined {
  const eventId = readEventId(at(value, "event_id")) ?? readEventId(envelopeId);
  return toReport({
    message: at(value, "comments"),
    name: at(value, "name"),
    email: at(value, "email"),
    eventId,
    error_event_id: eventId ?? undefined,
    page: null,
    origin: { ...NOWHERE, browser: browserIn(userAgent) },
  });
}

type Sent = {
  message: unknown;
  name: unknown;
  email: unknown;
  eventId: string | null;
  error_event_id: string | undefined;
  user_hash?: string | undefined;
  page: string | null;
  origin: ReportOrigin;
};

const NOWHERE: ReportOrigin = {
  page: null,
  browser: null,
  viewport: null,
  language: null,
  release: null,
  environment: null,
  tags: {},
};

function toReport({
  message,
  name,
  email,
  eventId,
  error_event_id,
  user_hash,
  page,
  origin,
}: Sent): NewReport | undefined {
  const words = text(message, DESCRIPTION)?.trim() ?? "";
  const title = words.split("\n").map(line).find(Boolean);
  if (!title) return undefined;
  const { release, environment } = origin;
  const more = { Page: page, Release: release, Environment: environment };
  const lines = Object.entries(more).flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []));
  const address = line(email);
  return {
    title,
    description: withLines(words, lines.join("\n")),
    author_name: line(name) ?? address,
    author_email: reporterAddress.safeParse(address).data,
    origin,
    error_event_id,
    user_hash,
    ...(eventId !== null && { feedback_key: hash("sha256", `${eventId}\n${words}`, "buffer") }),
  };
}

/** Appends the lines to the text, and cuts the text rather than the lines. */
function withLines(words: string, lines: string): string {
  if (lines === "") return words;
  return `${cutCodePoints(words, DESCRIPTION - lines.length - 2)}\n\n${lines}`;
}

/** Where the feedback was written. */
function feedbackOrigin(value: JsonRecord, url: unknown, userAgent: string | undefined): ReportOrigin {
  return {
    ...NOWHERE,
    page: typeof url === "string" ? line(withoutQuery(url.trim())) : null,
    browser: browserIn(header(value, "user-agent") ?? userAgent),
    language: line(at(value, "contexts", "culture", "locale")),
    release: line(withoutAddresses(value.release, addressesInRelease)),
    environment: line(withoutAddresses(value.environment, addressesInName)),
    tags: tagsOf(value.tags),
  };
}

/** SDKs send an object; older ones also lists of pairs, and values that are not texts. */
function tagsOf(sent: unknown): Record<string, string> {
  const pairs = Array.isArray(sent) ? sent.filter(Array.isArray) : Object.entries(record(sent));
  const { most, characters } = FEEDBACK_TAGS;
  const tags = pairs.slice(0, most).flatMap(([key, value]: unknown[]) => {
    const isText = ["string", "number", "boolean"].includes(typeof value);
    if (typeof key !== "string" || !isText) return [];
    return [
      [cut(key, characters), cut(String(withoutAddresses(String(value), addressesInName)), characters)],
    ];
  });
  return Object.fromEntries(tags) as Record<string, string>;
}

// Includes the blanks around them. The lookbehind keeps the regular expression linear: without it, every blank of a run would
// be tried as the first one.
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /(?:(?<! ) +)?[\u0000-\u001f\u007f-\u009f\u2028\u2029]+ */g;

/** A single line of at most 255 code points. Null if it would be empty. */
function line(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return cut(value.replaceAll(CONTROL, " ").trim(), 255).trim() || null;
}

const withoutAddresses = (value: unknown, remove: RemoveValues): unknown =>
  typeof value === "string" ? remove(cut(value, 1_000), (rule) => `[removed: ${rule}]`) : undefined;

/** Users, queries and fragments may contain personal data. Apps that are not web pages send other addresses. */
function pageOf(url: unknown): string | null {
  return typeof url === "string" ? line(withoutQuery(url.trim()) ?? url.replace(/[?#].*$/s, "")) : null;
}
