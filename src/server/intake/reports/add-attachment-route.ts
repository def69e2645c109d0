import { ATTACHMENT_BYTES, attachmentAnswer } from "../../../shared/reports.ts";
import type { Api, Context } from "../../access/context.ts";
import { invalid } from "../../answers/errors.ts";
import { fileForm } from "../../files/file-form.ts";
import { findFileErrors, type FileRules } from "../../files/file-rules.ts";
import type { ExpectedParts } from "../../files/read-multipart.ts";
import { storeUploads, type StoredUpload } from "../../files/store-uploads.ts";
import { uploaderOf } from "../../files/uploader.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { addAttachment } from "./add-attachment.ts";
import { ATTACHMENTS, reportId } from "./attachment-routes.ts";
import { reportAccess, requireReport } from "./report-access.ts";

const RULES: FileRules = { field: "file", files: 1, bytes: ATTACHMENT_BYTES, imagesOnly: false };

const EXPECTED: ExpectedParts = {
  fields: [],
  fileField: (name) => (name === "file" ? "file" : undefined),
  files: 1,
  fileBytes: ATTACHMENT_BYTES,
};

/** Adding an attachment to a report. Needs a scope of its own, because it accepts multipart bodies only. */
export function addAttachmentRoute(api: Api, context: Context) {
  const { db } = context.database;
  api.removeAllContentTypeParsers();
  acceptUploads(api);

  api.post(
    ATTACHMENTS,
    {
      config: { needs: "attachments:create", feature: "reports", projectToken: "read_write" },
      onRequest: reportAccess(api, db).mayAttach,
      schema: {
        operationId: "addAttachment",
        summary: "Add an attachment to a report",
        description: "One file of at most 20 MB. Its content must match the extension of its name.",
        reads: { "multipart/form-data": fileForm },
        response: { 201: attachmentAnswer },
      },
    },
    async (request, reply) => {
      const uploader = uploaderOf(request.caller, request.project, reply.raw);
      const attachment = await context.uploads.read(request.raw, EXPECTED, async (upload) => {
        const owner = {
          projectId: request.project.id,
          reportId: reportId(request),
          userId: request.caller.user_id,
          quota: context.config.projectStorage,
        };
        await requireReport(db, request);
        const errors = findFileErrors(upload, RULES);
        if (upload.files.length === 0) errors["file"] = ["is required"];
        if (Object.keys(errors).length > 0) throw invalid(errors);
        return storeUploads(context, uploader, upload.files, ([file]) =>
          addAttachment(db, owner, file as StoredUpload),
        );
      });
      return reply.code(201).send(attachment);
    },
  );
}
