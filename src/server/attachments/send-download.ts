import { create as contentDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answersWith } from "../answers/operation.ts";
import { childId } from "../answers/validation.ts";
import { noSuchAttachment, type Download } from "./open-attachment.ts";

/** The parts of a route's schema that all downloads of attachments share. */
export const DOWNLOAD = {
  sends: ["Content-Disposition"],
  refuses: [502],
  response: { 200: answersWith("*/*") },
} as const;

export const attachmentId = (request: FastifyRequest) =>
  childId(request, "attachmentId", noSuchAttachment().message);

/**
 * The file of an attachment never changes, so browsers may cache it, but only for the same session. At most a week, because after
 * a backup is restored, the ids of newer attachments are used again.
 */
const CACHING = { "cache-control": "private, max-age=604800, immutable", vary: "cookie, authorization" };

export function sendDownload(reply: FastifyReply, file: Download) {
  return reply
    .headers({
      ...CACHING,
      "content-type": file.mime_type,
      "content-length": file.size,
      "content-disposition": contentDisposition(file.filename),
      // If a browser displays the file anyway, it must not run scripts in it.
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    .send(file.content);
}
