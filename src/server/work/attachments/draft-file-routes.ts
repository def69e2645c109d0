import type { FastifyRequest } from "fastify";
import type { Api, Context } from "../../access/context.ts";
import { requirePermission } from "../../access/project-access.ts";
import { childId } from "../../answers/validation.ts";
import { insertAttachments } from "../../attachments/insert-attachments.ts";
import { noSuchAttachment, openDraftFile } from "../../attachments/open-attachment.ts";
import { receiveFile, UPLOAD } from "../../attachments/receive-file.ts";
import { DOWNLOAD, sendDownload } from "../../attachments/send-download.ts";
import type { Attachment } from "../../../shared/attachments.ts";

const FILES = "/api/projects/:projectId/attachments";

/** Downloading a file of a description that is still being written. */
export function draftFileRoute(api: Api, { storage }: Context) {
  api.get(
    `${FILES}/:draftFileId/download`,
    {
      config: { needs: "attachments:create", area: "issues" },
      onRequest: mayCreateIssues,
      schema: {
        operationId: "downloadDraftFile",
        summary: "Download a file that the caller has added to an issue that is not created yet",
        ...DOWNLOAD,
      },
    },
    async (request, reply) => {
      const id = childId(request, "draftFileId", noSuchAttachment().message);
      const owner = { userId: request.caller.user_id, projectId: request.project.id };
      return sendDownload(request, reply, await openDraftFile(request.db, storage, owner, id));
    },
  );
}

/** Registered where multipart bodies are accepted. */
export function addDraftFileRoute(api: Api, context: Context) {
  api.post(
    FILES,
    {
      config: { needs: "attachments:create", area: "issues" },
      onRequest: mayCreateIssues,
      schema: {
        operationId: "addDraftFile",
        summary: "Add a file to the description of an issue that is not created yet",
        ...UPLOAD,
        description: `${UPLOAD.description} Its address is this path, \`/{id}/download\`. An issue that the caller creates in the project with the address in its \`description\` takes the file over: the file becomes an attachment of the issue, and the address in the description is replaced. Until then only the caller can download it, and after 30 days it is deleted. Also requires the permission \`issues:create\`.`,
      },
    },
    async (request, reply) => {
      const { project, caller } = request;
      const uploaded = { userId: caller.user_id, quota: context.config.projectStorage, field: "file" };
      const attachment = await receiveFile(context, request, reply, (file) =>
        request.db.transaction().execute(async (tx) => {
          const [row] = await insertAttachments(tx, { project_id: project.id }, [file], uploaded);
          return row as Attachment;
        }),
      );
      return reply.code(201).send(attachment);
    },
  );
}

async function mayCreateIssues({ access }: FastifyRequest): Promise<void> {
  requirePermission(access, "issues:create");
}
