import { create as contentDisposition } from "content-disposition";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { attachmentAnswer, projectStorageAnswer } from "../../../shared/reports.ts";
import type { Api, Context } from "../../access/context.ts";
import { childId } from "../../answers/validation.ts";
import { answersWith } from "../../answers/operation.ts";
import { reportAccess, requireReport } from "./report-access.ts";
import { listAttachments } from "./list-attachments.ts";
import { noSuchAttachment, openAttachment } from "./open-attachment.ts";
import { readStorage } from "./project-storage.ts";
import { noSuchReport } from "./read-report.ts";

export const ATTACHMENTS = "/api/projects/:projectId/reports/:reportId/attachments";

export const reportId = (request: FastifyRequest) => childId(request, "reportId", noSuchReport().message);

/** Listing and downloading the attachments of a report. */
export function attachmentRoutes(api: Api, { database: { db }, storage, config: settings }: Context) {
  const config = { needs: "access", feature: "reports", projectToken: "read" } as const;
  const onRequest = reportAccess(api, db).mayReadAttachments;

  api.get(
    "/api/projects/:projectId/storage",
    {
      config: { needs: "access" },
      schema: {
        operationId: "readStorage",
        summary: "Read how much the attachments of a project take up",
        response: { 200: projectStorageAnswer },
      },
    },
    (request) => readStorage(db, request.project.id, settings.projectStorage),
  );

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
      return listAttachments(db, request.project.id, reportId(request));
    },
  );

  api.get(
    `${ATTACHMENTS}/:attachmentId/download`,
    {
      config,
      onRequest,
      schema: {
        operationId: "downloadAttachment",
        summary: "Download an attachment",
        sends: ["Content-Disposition"],
        refuses: [502],
        response: { 200: answersWith("*/*") },
      },
    },
    async (request, reply) => {
      const file = await openAttachment(db, storage, {
        projectId: request.project.id,
        reportId: reportId(request),
        attachmentId: childId(request, "attachmentId", noSuchAttachment().message),
      });
      return reply
        .headers({
          "content-type": file.mime_type,
          "content-length": file.size,
          "content-disposition": contentDisposition(file.filename),
          // If a browser displays the file anyway, it must not run scripts in it.
          "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        })
        .send(file.content);
    },
  );
}
