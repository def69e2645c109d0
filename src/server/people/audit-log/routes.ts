import { Readable } from "node:stream";
import { z } from "zod";
import { pageOf } from "../../../shared/answers.ts";
import { auditEventAnswer, auditFilters } from "../../../shared/audit.ts";
import type { Api } from "../../access/context.ts";
import { listFormat, pageQuery } from "../../answers/page.ts";
import { listAuditEvents } from "./list-audit-events.ts";
import { auditEventsAsCsv } from "./write-csv.ts";
import { recordAudit } from "../../record/audit.ts";

const auditQuery = pageQuery.extend({ ...auditFilters, ...listFormat.shape });

export function auditRoutes(api: Api) {
  api.get(
    "/api/workspaces/:workspaceId/audit-events",
    {
      config: { needs: "administrator" },
      schema: {
        operationId: "listAuditEvents",
        summary: "List a workspace's audit log, newest first",
        response: {
          200: {
            content: {
              "application/json": { schema: pageOf(auditEventAnswer) },
              "text/csv": { schema: z.unknown() },
            },
          },
        },
        querystring: auditQuery,
      },
    },
    async (request, reply) => {
      const { workspace, query } = request;
      if (query.format === "json") return listAuditEvents(request.db, workspace.id, query);
      await recordAudit(request.db, {
        kind: "export.made",
        workspace_id: workspace.id,
        details: { of: "audit-events" },
      });
      return reply
        .headers({
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="audit-log.csv"',
        })
        .send(Readable.from(auditEventsAsCsv(request.db, workspace.id, query)));
    },
  );
}
