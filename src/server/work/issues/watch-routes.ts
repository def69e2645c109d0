import type { FastifyRequest } from "fastify";
import { issueWatchAnswer, reportWatchAnswer } from "../../../shared/notifications.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { findIssue } from "./read-issue.ts";
import {
  isWatching,
  listReportWatchers,
  toggleIssueWatch,
  toggleReportWatch,
} from "../../inform/watches/toggle-watch.ts";

/** Watching an issue, and the reports of a project (service.md 2.5, 4.3). */
export function watchRoutes(api: Api, { database: { db } }: Context) {
  const issueWatch = "/api/projects/:projectId/issues/:issueId/watch";
  const reportWatch = "/api/projects/:projectId/reports/watch";
  const readIssues = READING.issue;
  const { needs, feature } = READING.report;
  const readReports = { needs, feature };
  const issueOf = ({ project, params }: FastifyRequest) =>
    findIssue(db, project, (params as { issueId: string }).issueId);

  api.get(
    issueWatch,
    {
      config: readIssues,
      schema: {
        operationId: "readIssueWatch",
        summary: "Ask whether the caller watches an issue",
        response: { 200: issueWatchAnswer },
      },
    },
    async (request) => ({
      watching: await isWatching(db, await issueOf(request), request.caller.user_id),
    }),
  );

  api.post(
    issueWatch,
    {
      config: readIssues,
      schema: {
        operationId: "toggleIssueWatch",
        summary: "Watch an issue, or watch it no more",
        response: { 200: issueWatchAnswer },
      },
    },
    async (request) => ({
      watching: await toggleIssueWatch(db, request.project, await issueOf(request), request.caller.user_id),
    }),
  );

  api.get(
    reportWatch,
    {
      config: readReports,
      schema: {
        operationId: "listReportWatchers",
        summary: "List who watches a project's reports",
        response: { 200: reportWatchAnswer },
      },
    },
    async (request) => ({
      report_watcher_ids: await listReportWatchers(db, request.project.id),
    }),
  );

  api.post(
    reportWatch,
    {
      config: readReports,
      schema: {
        operationId: "toggleReportWatch",
        summary: "Watch a project's reports, or watch them no more",
        response: { 200: reportWatchAnswer },
      },
    },
    async (request) => ({
      report_watcher_ids: await toggleReportWatch(db, request.project, request.caller.user_id),
    }),
  );
}
