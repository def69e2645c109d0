import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { attachmentAnswer } from "../../../shared/attachments.ts";
import type { Api, Context } from "../../access/context.ts";
import { childId } from "../../answers/validation.ts";
import { listAttachments } from "../../attachments/list-attachments.ts";
import { openAttachment } from "../../attachments/open-attachment.ts";
import { attachmentId, DOWNLOAD, sendDownload } from "../../attachments/send-download.ts";
import { reportAccess, requireReport } from "./report-access.ts";
import { noSuchReport } from "./read-report.ts";

export const ATTACHMENTS = "/api/projects/:projectId/reports/:reportId/attachments";

export const reportId = (request: FastifyRequest) => childId(request, "reportId", noSuchReport().message);

/** Listing and downloading the attachments of a report. */
export function reportAttachmentRoutes(api: Api, { database: { db }, storage }: Context) {
  const config = { needs: "access", feature: "reports", projectToken: "read" } as const;
  const onRequest = reportAccess(api, db).mayReadAttachments;
  const ownerOf = (request: FastifyRequest) => ({
    project_id: request.project.id,
    report_id: reportId(request),
  });

  api.get(
    ATTACHMENTS,
    {
      config,
      onRequest,
      schema: {
        operationId: "listAttachments",
        summary: "List the attachments of a report",
        response: { 200: z.array(attachmentAnswer) },
      },
    },
    async (request) => {
      await requireReport(db, request);
      return listAttachments(db, ownerOf(request));
    },
  );

  api.get(
    `${ATTACHMENTS}/:attachmentId/download`,
    {
      config,
      onRequest,
      schema: { operationId: "downloadAttachment", summary: "Download an attachment", ...DOWNLOAD },
    },
    async (request, reply) => {
      // Project tokens may not read comments.
      const ofComments = request.caller.kind !== "project";
      const owner = ownerOf(request);
      return sendDownload(
        reply,
        await openAttachment(db, storage, owner, attachmentId(request), { ofComments }),
      );
    },
  );
}
