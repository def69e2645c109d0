import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { attachmentAnswer } from "../../../shared/attachments.ts";
import type { Permission } from "../../../shared/permissions.ts";
import type { Area } from "../../../shared/token-scopes.ts";
import type { Api, Context } from "../../access/context.ts";
import type { Feature } from "../../access/features.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { Db } from "../../db/connect.ts";
import { noBody } from "../../answers/operation.ts";
import { childId } from "../../answers/validation.ts";
import { listAttachments } from "../../attachments/list-attachments.ts";
import { openAttachment } from "../../attachments/open-attachment.ts";
import { receiveFile, UPLOAD } from "../../attachments/receive-file.ts";
import { attachmentId, DOWNLOAD, sendDownload } from "../../attachments/send-download.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { commentAccess } from "../comments/comment-access.ts";
import { noSuchComment } from "../comments/read-comment.ts";
import { loadTarget, TARGETS, type TargetKind } from "../comments/target.ts";
import { addAttachment } from "./add-attachment.ts";
import { attachmentAccess } from "./attachment-access.ts";
import { deleteAttachment } from "./delete-attachment.ts";
import { ownerOf, type AttachmentParent } from "./attachment-parent.ts";

type PlaceKind = { kind: TargetKind; ofComment: boolean };

/**
 * Attachments of issues, epics and error groups, and of comments on them. Attachments of reports have other routes, because
 * project tokens may use them.
 */
const PLACES: PlaceKind[] = [
  { kind: "issue", ofComment: false },
  { kind: "epic", ofComment: false },
  { kind: "issue", ofComment: true },
  { kind: "epic", ofComment: true },
  { kind: "error_group", ofComment: false },
  { kind: "error_group", ofComment: true },
  { kind: "report", ofComment: true },
];

/** Listing, downloading and deleting attachments. */
export function attachmentRoutes(api: Api, context: Context) {
  for (const place of PLACES) routesAt(api, context, place);
}

/** Adding attachments. Needs a scope of its own, because these routes accept multipart bodies only. */
export function addAttachmentRoutes(api: Api, context: Context) {
  api.removeAllContentTypeParsers();
  acceptUploads(api);
  for (const place of PLACES) uploadRouteAt(api, context, place);
}

function routesAt(api: Api, { outside, storage }: Context, { kind, ofComment }: PlaceKind) {
  const { url, Kind, what, read, inArea, preValidation } = partsOf(api, outside, { kind, ofComment });
  const access = attachmentAccess(outside, kind);

  api.get(
    url,
    {
      config: read,
      schema: {
        operationId: `list${Kind}Attachments`,
        summary: `List the attachments of ${what}`,
        response: { 200: z.array(attachmentAnswer) },
      },
      preValidation,
    },
    (request) => listAttachments(request.db, ownerOf(placeOf(request))),
  );

  api.get(
    `${url}/:attachmentId/download`,
    {
      config: read,
      schema: {
        operationId: `download${Kind}Attachment`,
        summary: `Download an attachment of ${ofComment ? what : `${what} or of a comment on it`}`,
        ...DOWNLOAD,
      },
      preValidation,
    },
    async (request, reply) => {
      const owner = ownerOf(placeOf(request));
      return sendDownload(
        request,
        reply,
        await openAttachment(request.db, storage, { owner, attachmentId: attachmentId(request) }),
      );
    },
  );

  api.delete(
    `${url}/:attachmentId`,
    {
      config: { needs: "access", ...inArea },
      onRequest: access.mayDelete,
      schema: {
        operationId: `delete${Kind}Attachment`,
        summary: `Delete an attachment of ${what}`,
        response: { 204: noBody },
      },
      preValidation,
    },
    async (request, reply) => {
      await deleteAttachment(request.db, placeOf(request), attachmentId(request), request.caller.user_id);
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}

function uploadRouteAt(api: Api, context: Context, { kind, ofComment }: PlaceKind) {
  const { outside } = context;
  const { url, Kind, what, inArea, preValidation } = partsOf(api, outside, { kind, ofComment });
  const { mayRead } = attachmentAccess(outside, kind);

  api.post(
    url,
    {
      config: { needs: "attachments:create", ...inArea },
      onRequest: ofComment ? [mayRead, commentAccess(api, outside, kind).mayChange] : mayRead,
      schema: { operationId: `add${Kind}Attachment`, summary: `Add an attachment to ${what}`, ...UPLOAD },
      preValidation,
    },
    async (request, reply) => {
      const place = placeOf(request);
      const uploaded = { userId: request.caller.user_id, quota: context.config.projectStorage };
      const attachment = await receiveFile(context, request, reply, (file) =>
        addAttachment(request.db, place, uploaded, file),
      );
      return reply.code(201).send(attachment);
    },
  );
}

function partsOf(api: Api, outside: Db, { kind, ofComment }: PlaceKind) {
  const { path, operation, article, noun } = TARGETS[kind];
  const target = `/api/projects/:projectId/${path}`;
  const Kind = `${operation}${ofComment ? "Comment" : ""}`;
  const { needs, feature, area }: { needs: Permission; feature?: Feature; area: Area } = READING[kind];
  const inArea = feature === undefined ? { area } : { area, feature };
  const load = loadTarget(api, outside, kind);
  return {
    url: `${target}${ofComment ? "/comments/:commentId" : ""}/attachments`,
    Kind,
    what: `${ofComment ? "a comment on " : ""}${article} ${noun}`,
    read: { needs, ...inArea },
    inArea,
    preValidation: ofComment ? [load, commentAccess(api, outside, kind).requireComment] : [load],
  };
}

function placeOf(request: FastifyRequest): AttachmentParent {
  const { commentId } = request.params as { commentId?: string };
  return {
    target: request.target,
    commentId: commentId === undefined ? undefined : childId(request, "commentId", noSuchComment().message),
  };
}
