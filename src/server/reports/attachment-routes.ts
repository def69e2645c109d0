import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { attachmentAnswer } from "../../shared/attachments.ts";
import { filterOf } from "../../shared/filters.ts";
import type { Api, Context } from "../access/context.ts";
import { holds } from "../access/project-access.ts";
import { READING } from "../access/readable-kinds.ts";
import { childId } from "../answers/validation.ts";
import { listAttachments } from "../attachments/list-attachments.ts";
import { openAttachment, readThumbnail } from "../attachments/open-attachment.ts";
import { attachmentId, DOWNLOAD, sendDownload } from "../attachments/send-download.ts";
import { reportAccess, requireReport } from "./report-access.ts";
import { noSuchReport } from "./read-report.ts";

export const ATTACHMENTS = "/api/projects/:projectId/reports/:reportId/attachments";

export const reportId = (request: FastifyRequest) => childId(request, "reportId", noSuchReport().message);

/** Listing and downloading the attachments of a report. */
export function reportAttachmentRoutes(api: Api, { outside, storage }: Context) {
  const config = { needs: "access", feature: "reports", projectToken: "read", area: "reports" } as const;
  const onRequest = reportAccess(api, outside).mayReadAttachments;
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
      await requireReport(request.db, request);
      return listAttachments(request.db, ownerOf(request));
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
        description:
          "`size=thumbnail` returns a square of 120 by 120 pixels from the middle of an image, and the file itself if it has none.",
        querystring: z.object({
          size: filterOf("must be thumbnail", (text) => (text === "thumbnail" ? text : undefined)),
        }),
        ...DOWNLOAD,
      },
    },
    async (request, reply) => {
      // Neither project tokens nor creators of a report who may not read reports may read the comments on it.
      const ofComments = request.caller.kind !== "project" && holds(request.access, READING.report.needs);
      const owner = ownerOf(request);
      const id = attachmentId(request);
      const thumbnail = request.query.size
        ? await readThumbnail(request.db, owner, id, { ofComments })
        : undefined;
      return sendDownload(
        request,
        reply,
        thumbnail ?? (await openAttachment(request.db, storage, { owner, attachmentId: id, ofComments })),
      );
    },
  );
}
