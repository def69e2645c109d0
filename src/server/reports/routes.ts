import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  dismissBody,
  linkReportsBody,
  promoteBody,
  reorderBody,
  reportAnswer,
  reportListQuery,
  unpromoteBody,
} from "../../shared/reports.ts";
import { pageOf } from "../../shared/answers.ts";
import { reportActivityAnswer } from "../../shared/report-activity.ts";
import { requireFeature } from "../access/admission.ts";
import type { Api, Context } from "../access/context.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../access/send-csv.ts";
import { READING } from "../access/readable-kinds.ts";
import { listFormat, MAX_PAGE, pageQuery } from "../answers/page.ts";
import { childId } from "../answers/validation.ts";
import { nextLink } from "../answers/next-link.ts";
import { noBody } from "../answers/operation.ts";
import { removeDeletedFilesNow } from "../files/storage/remove-deleted-files.ts";
import { reportAccess, requireReport } from "./report-access.ts";
import { holds, requirePermission } from "../access/project-access.ts";
import { restoreReport } from "./restore-report.ts";
import { dismissReport } from "./dismiss-report.ts";
import { promoteReports } from "./promote-reports.ts";
import { addReportsToIssue } from "./add-reports-to-issue.ts";
import { unpromoteReport } from "./unpromote-report.ts";
import { listReportActivity } from "./list-report-activity.ts";
import { reorderReports } from "./reorder-report.ts";
import { deleteReport } from "./delete-report.ts";
import { listReports } from "./list-reports.ts";
import { noSuchReport, readReport } from "./read-report.ts";

const feature = "reports" as const;
const reports = "/api/projects/:projectId/reports";
const report = `${reports}/:reportId`;
const read = READING.report;
const update = { needs: "reports:update", feature, area: "reports" } as const;
const reportId = (request: FastifyRequest) => childId(request, "reportId", noSuchReport().message);

/** Reports, except for creating them: that route accepts files and needs a scope of its own. */
export function reportRoutes(api: Api, context: Context) {
  readingRoutes(api, context);
  promotionRoutes(api);
  orderRoutes(api);
  dismissalRoutes(api);
  removalRoutes(api, context);
}

function readingRoutes(api: Api, { uploads }: Context) {
  api.get(
    reports,
    {
      config: read,
      schema: {
        operationId: "listReports",
        summary: "List a project's reports",
        description:
          "All reports in queue order, unless the query says otherwise. With `limit`, the header `Link` has the URL of the next page.",
        sends: ["Link"],
        querystring: reportListQuery.extend(listFormat.shape),
        response: { 200: listOrCsv(z.array(reportAnswer)) },
      },
    },
    async (request, reply) => {
      const { db, project, caller, query } = request;
      if (query.format === "csv")
        return sendCsv(request, reply, uploads, {
          name: "reports",
          fields: fieldsOf(reportAnswer),
          readPage: async (tx, cursor) => {
            const page = { ...query, limit: MAX_PAGE, cursor };
            const { reports, next = null } = await listReports(tx, project.id, caller.user_id, page);
            return { data: reports, meta: { next_cursor: next } };
          },
        });
      const { reports, next } = await listReports(db, project.id, caller.user_id, query);
      if (next !== undefined) reply.header("link", nextLink(request.url, next));
      return reports;
    },
  );

  api.get(
    report,
    {
      config: read,
      schema: { operationId: "readReport", summary: "Read a report", response: { 200: reportAnswer } },
    },
    (request) => readReport(request.db, request.project.id, reportId(request)),
  );

  api.get(
    `${report}/activity`,
    {
      config: { needs: read.needs, feature, area: read.area },
      schema: {
        operationId: "listReportActivity",
        summary: "List what happened to a report, oldest first",
        querystring: pageQuery,
        response: { 200: pageOf(reportActivityAnswer) },
      },
      preValidation: (request) => requireReport(request.db, request),
    },
    (request) => listReportActivity(request.db, request.project.id, reportId(request), request.query),
  );
}

function promotionRoutes(api: Api) {
  api.post(
    `${reports}/promote`,
    {
      config: update,
      schema: {
        operationId: "promoteReports",
        summary: "Promote reports to one new issue",
        description:
          "`error_group_ids` also links errors to the issue, such as those of the reports. This requires the permissions `error-groups:update` and `issues:read`, and the feature Error Tracking.",
        body: promoteBody,
        response: { 200: z.array(reportAnswer) },
      },
    },
    async (request) => {
      if (request.body.error_group_ids?.length) {
        requireFeature(request, "error_tracking");
        requirePermission(request.access, "error-groups:update");
        requirePermission(request.access, "issues:read");
      }
      return promoteReports(request.db, request.project, request.caller.user_id, request.body);
    },
  );

  api.post(
    `${reports}/link`,
    {
      config: update,
      onRequest: async ({ access }) => requirePermission(access, READING.issue.needs),
      schema: {
        operationId: "addReportsToIssue",
        summary: "Promote reports to an existing issue",
        description:
          "`issue` is the id or key of an issue of the project. Also requires the permission `issues:read`.",
        body: linkReportsBody,
        response: { 200: z.array(reportAnswer) },
      },
    },
    (request) => addReportsToIssue(request.db, request.project, request.caller.user_id, request.body),
  );
}

function orderRoutes(api: Api) {
  api.post(
    `${reports}/reorder`,
    {
      config: update,
      schema: {
        operationId: "reorderReports",
        summary: "Move a report within the queue",
        body: reorderBody,
        response: { 200: z.array(reportAnswer) },
      },
    },
    (request) => reorderReports(request.db, request.project.id, request.body),
  );
}

function dismissalRoutes(api: Api) {
  api.post(
    `${report}/dismiss`,
    {
      config: { ...update, limit: "dismiss" },
      schema: {
        operationId: "dismissReport",
        summary: "Dismiss a report",
        body: dismissBody,
        response: { 200: reportAnswer },
      },
      // A report that does not exist is reported before an invalid body is.
      preValidation: (request) => requireReport(request.db, request),
    },
    (request) =>
      dismissReport(request.db, request.project.id, reportId(request), {
        ...request.body,
        mayReadIssues: holds(request.access, "issues:read"),
        actorId: request.caller.user_id,
      }),
  );

  api.post(
    `${report}/restore`,
    {
      config: update,
      schema: {
        operationId: "restoreReport",
        summary: "Return a dismissed report to its place in the queue",
        response: { 200: reportAnswer },
      },
    },
    (request) => restoreReport(request.db, request.project.id, reportId(request), request.caller.user_id),
  );
}

function removalRoutes(api: Api, { outside, storage }: Context) {
  const access = reportAccess(api, outside);

  api.post(
    `${report}/unpromote`,
    {
      config: update,
      schema: {
        operationId: "unpromoteReport",
        summary: "Return a promoted report to its place in the queue",
        description:
          "`delete_issue` also deletes the issue and unlinks its errors. This requires that the promotion created the issue, and that nothing has happened to it since: no comment, no change, and no further report or error.",
        body: unpromoteBody,
        response: { 200: reportAnswer },
      },
      preValidation: (request) => requireReport(request.db, request),
    },
    (request) =>
      unpromoteReport(request.db, request.project.id, {
        reportId: reportId(request),
        actorId: request.caller.user_id,
        ...request.body,
      }),
  );

  api.delete(
    report,
    {
      config: { needs: "access", feature, area: read.area },
      onRequest: access.mayDelete,
      schema: {
        operationId: "deleteReport",
        summary: "Delete a report and its attachments",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteReport(request.db, request.project.id, reportId(request));
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}
