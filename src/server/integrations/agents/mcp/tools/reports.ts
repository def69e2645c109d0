import { z } from "zod";
import type { Report, reportListQuery } from "../../../../../shared/reports.ts";
import { reportMarkdown } from "../../markdown/report.ts";
import { cursor, filters, id, limit, project, text } from "../calls/arguments.ts";
import { getWithHeaders, send, type Call } from "../calls/call.ts";
import { findProject, findReport, type Project } from "../calls/find-objects.ts";
import { linkTo } from "../calls/links.ts";
import { writePage } from "../calls/page.ts";
import { readingTool, writingTool } from "../calls/tool.ts";
import { ToolError } from "../calls/tool-error.ts";
import { writeShortList, type Entry } from "../calls/write-list.ts";

type Filter = Exclude<keyof typeof reportListQuery.shape, "cursor" | "limit">;

const FILTERS: Record<Filter, string> = {
  view: "active (waiting in the queue), promoted or dismissed.",
  ids: "Only the reports with these ids, separated by commas.",
  query: "Words of the title or description.",
  source: "0: a person of the team, 1: from outside.",
  kind: "What the author calls it: bug, idea or question.",
  author: "A user's id, me, or a part of the author's name or address.",
  sort: "rank (the order of the queue, default), voices or created_at.",
  direction: "asc or desc.",
};

export const listReports = readingTool({
  name: "list_reports",
  title: "List reports",
  description:
    "Lists a project's reports from users in the order of the queue. View active has those that wait for a decision.",
  input: { project, ...filters(FILTERS), cursor, limit },
  run: async (call, { project: ref, cursor, limit, ...query }) => {
    const inProject = await findProject(call, ref);
    const { text, items, next } = await writePage(call, {
      nouns: "reports",
      limit,
      cursor,
      most: 200,
      read: async (page) => {
        const path = `/api/projects/${inProject.id}/reports`;
        const { body, headers } = await getWithHeaders(call, path, { ...query, ...page });
        return { data: body as Report[], next: nextCursorIn(headers["link"]) };
      },
      entriesOf: (reports) => reports.map((report) => entryOf(call, inProject, report)),
    });
    const listed = items.map((report) => referenceTo(call, inProject, report));
    return { text, structured: { project_id: inProject.id, reports: listed, next_cursor: next } };
  },
});

export const getReport = readingTool({
  name: "get_report",
  title: "Read a report",
  description: "Reads a report from a user with where it was written, its errors and its comments.",
  input: { report_id: id("The id of the report, from list_reports or search.") },
  run: async (call, { report_id }) => {
    const { project: inProject, item } = await findReport(call, report_id);
    return describeReport(call, inProject, item);
  },
});

export const promoteReports = writingTool({
  name: "promote_reports",
  title: "Promote reports to an issue",
  description:
    "Creates one issue from one or more reports of a project. Their authors hear of it when it is done.",
  input: {
    project,
    report_ids: z
      .array(z.int(), {
        error: ({ input }) => (input === undefined ? "is required" : "must be a list of ids"),
      })
      .describe("The ids of the reports."),
    title: text("The title of the issue, one line."),
    description: text("The description of the issue, Markdown."),
  },
  effect: { destructive: false, idempotent: false },
  run: async (call, { project: ref, ...body }) => {
    const inProject = await findProject(call, ref);
    const path = `/api/projects/${inProject.id}/reports/promote`;
    const reports = await send<Report[]>(call, "POST", path, body);
    const issueId = reports[0]?.promoted_issue_id;
    if (!issueId) throw new ToolError("The reports were not promoted.");
    const { number } = await call.db
      .selectFrom("issues")
      .select("number")
      .where("id", "=", issueId)
      .executeTakeFirstOrThrow();
    const key = `${inProject.key}-${number}`;
    const url = linkTo(call, inProject.key, `issues/${key}`);
    const entries = reports.map((report) => entryOf(call, inProject, report));
    return {
      text: `Created ${key}: <${url}>\n\n${writeShortList(entries, "reports", call.budget)}`,
      structured: { issue_id: issueId, key, url, project_id: inProject.id, report_ids: body.report_ids },
      project_id: inProject.id,
      subject: { type: "issue", id: issueId, name: key },
    };
  },
});

export const dismissReport = writingTool({
  name: "dismiss_report",
  title: "Dismiss a report",
  description: "Dismisses a report. It leaves the queue and can be restored.",
  input: {
    report_id: id("The id of the report."),
    category: text("Why: not-planned, duplicate, already-shipped or invalid."),
    note: text("A note to the team and the author.").optional(),
  },
  effect: { destructive: true, idempotent: false },
  run: async (call, { report_id, category, note }) => {
    const { project: inProject, path } = await findReport(call, report_id);
    const report = await send<Report>(call, "POST", `${path}/dismiss`, { category, note });
    const subject = { type: "report" as const, id: report.id, name: null };
    return { ...(await describeReport(call, inProject, report)), project_id: inProject.id, subject };
  },
});

export async function describeReport(call: Call, inProject: Project, report: Report) {
  const reference = referenceTo(call, inProject, report);
  const { url } = reference;
  return {
    text: await reportMarkdown(call.db, report, { url, budget: call.budget, withComments: true }),
    structured: {
      ...reference,
      project_id: inProject.id,
      issue_id: report.promoted_issue_id,
      error_group_ids: report.error_group_ids,
    },
  };
}

function entryOf(call: Call, inProject: Project, report: Report): Entry {
  const { url, state } = referenceTo(call, inProject, report);
  const { kind, voices, created_at, title } = report;
  const voiceCount = `${voices} ${voices === 1 ? "voice" : "voices"}`;
  const facts = [state, ...(kind === null ? [] : [kind]), voiceCount, created_at.slice(0, 10)];
  return { heading: `- Report ${report.id} (${facts.join(", ")}) <${url}>`, outside: title };
}

const referenceTo = (call: Call, { key }: Project, { id, promoted_at, dismissed_at }: Report) => ({
  id,
  state: promoted_at !== null ? "promoted" : dismissed_at !== null ? "dismissed" : "waiting",
  url: linkTo(call, key, `reports/${id}`),
});

/** The cursor in a `Link` header, which has the URL of the next page. */
function nextCursorIn(link: unknown): string | null {
  const url = /<([^>]+)>;\s*rel="?next"?/.exec(typeof link === "string" ? link : "")?.[1];
  return url === undefined ? null : new URL(url, "http://localhost").searchParams.get("cursor");
}
