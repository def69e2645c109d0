import type { FastifyRequest } from "fastify";
import type { FeedbackBody, ReportOrigin } from "../../../shared/feedback.ts";
import { cutCodePoints } from "../../../shared/text.ts";
import { browserOf } from "../../http/browser-of.ts";
import type { NewReport } from "../create-report.ts";

/** The report that the feedback becomes. `isConfirmed`: the address is known to be the author's. */
export function reportFrom(
  body: FeedbackBody,
  { headers }: Pick<FastifyRequest, "headers">,
  isConfirmed: boolean,
): NewReport {
  return {
    title: body.title ?? titleOf(body.description),
    description: body.description,
    author_name: body.author_name,
    author_email: body.author_email,
    author_email_confirmed: isConfirmed,
    error_event_id: body.error_event_id,
    kind: body.kind,
    origin: originOf(body, headers["user-agent"]),
  };
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]+/;

/** The first line that is not blank, cut to the length of a title. */
function titleOf(description: string): string {
  const lines = description.split(LINE_BREAK).map((line) => line.replaceAll(CONTROL, " ").trim());
  return cutCodePoints(lines.find(Boolean) ?? "Feedback", 255).trim();
}

/** Never null, even if nothing is known: it tells feedback from a report that a project token sent. */
function originOf(body: FeedbackBody, userAgent: string | undefined): ReportOrigin {
  const { page = null, viewport = null, language = null, release = null, environment = null } = body;
  const { tags = {} } = body;
  return { page, browser: browserIn(userAgent), viewport, language, release, environment, tags };
}

/** The name and version of the browser, such as `Firefox 146.0`. */
export function browserIn(userAgent: string | undefined): string | null {
  const { name, version } = browserOf(userAgent ?? "");
  return name && [name, version].filter(Boolean).join(" ");
}
