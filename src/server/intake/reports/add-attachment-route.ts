import { ATTACHMENT_BYTES, attachmentAnswer } from "../../../shared/reports.ts";
import type { Api, Context } from "../../access/context.ts";
import { invalid } from "../../answers/errors.ts";
import { acceptUploads, type Expected } from "../../files/uploads.ts";
import { reportAccess } from "./report-access.ts";
import { addAttachment, requireReport } from "./add-attachment.ts";
import { fileForm } from "../../files/file-form.ts";
import { fileErrors, keepFiles, type FileRules } from "../../files/store-files.ts";
import { ATTACHMENTS, reportId } from "./attachment-routes.ts";

const RULES: FileRules = { field: "file", files: 1, bytes: ATTACHMENT_BYTES, imagesOnly: false };

const EXPECTED: Expected = {
  fields: [],
  fileField: (name) => (name === "file" ? "file" : undefined),
  files: 1,
  fileBytes: ATTACHMENT_BYTES,
};

/** Adding an attachment to a report (service.md 4.1): within a scope of its own, which takes nothing but multipart. */
export function attachmentUploadRoutes(api: Api, context: Context) {
  const { db } = context.database;
  api.removeAllContentTypeParsers();
  acceptUploads(api);

  api.post(
    ATTACHMENTS,
    {
      config: { needs: "attachments:create", feature: "reports", projectToken: "read_write" },
      onRequest: reportAccess(db).mayAttach,
      schema: {
        operationId: "addAttachment",
        summary: "Add an attachment to a report",
        description: "One file of 20 MB at most; its type is told by its content and its name.",
        reads: { "multipart/form-data": fileForm },
        response: { 201: attachmentAnswer },
      },
    },
    async (request, reply) => {
      // Answered once the upload's folder is gone.
      const attachment = await context.uploads.read(request.raw, EXPECTED, async (upload) => {
        const place = {
          projectId: request.project.id,
          reportId: reportId(request),
          userId: request.caller.user_id,
        };
        await requireReport(db, place.projectId, place.reportId);
        const errors = fileErrors(upload, RULES);
        if (upload.files.length === 0) errors["file"] = ["is required"];
        if (Object.keys(errors).length > 0) throw invalid(errors);
        return keepFiles(context, upload.files, ([file]) =>
          addAttachment(db, place, file as NonNullable<typeof file>),
        );
      });
      return reply.code(201).send(attachment);
    },
  );
}
