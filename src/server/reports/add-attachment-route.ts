import type { Api, Context } from "../access/context.ts";
import { receiveFile, UPLOAD } from "../attachments/receive-file.ts";
import { acceptUploads } from "../files/uploads.ts";
import { addAttachment } from "./add-attachment.ts";
import { ATTACHMENTS, reportId } from "./attachment-routes.ts";
import { reportAccess, requireReport } from "./report-access.ts";

/** Adding an attachment to a report. Needs a scope of its own, because it accepts multipart bodies only. */
export function addAttachmentRoute(api: Api, context: Context) {
  const { outside } = context;
  api.removeAllContentTypeParsers();
  acceptUploads(api);

  api.post(
    ATTACHMENTS,
    {
      config: {
        needs: "attachments:create",
        feature: "reports",
        projectToken: "read_write",
        area: "reports",
      },
      onRequest: reportAccess(api, outside).mayAttach,
      schema: { operationId: "addAttachment", summary: "Add an attachment to a report", ...UPLOAD },
      // A report that does not exist is reported before an invalid body is.
      preValidation: (request) => requireReport(request.db, request),
    },
    async (request, reply) => {
      const owner = {
        projectId: request.project.id,
        reportId: reportId(request),
        userId: request.caller.user_id,
        quota: context.config.projectStorage,
      };
      const attachment = await receiveFile(context, request, reply, (file) =>
        addAttachment(request.db, owner, file),
      );
      return reply.code(201).send(attachment);
    },
  );
}
