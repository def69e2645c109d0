import { create as contentDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answersWith, noBody } from "../answers/operation.ts";
import { childId } from "../answers/validation.ts";
import { CONVERTED_TYPE } from "../files/kinds.ts";
import { isKnown } from "../http/revalidate-answers.ts";
import { noSuchAttachment, type Download } from "./open-attachment.ts";

/** The parts of a route's schema that all downloads of attachments share. */
export const DOWNLOAD = {
  sends: ["Content-Disposition", "ETag"],
  refuses: [502],
  response: { 200: answersWith("*/*"), 304: noBody },
} as const;

export const attachmentId = (request: FastifyRequest) =>
  childId(request, "attachmentId", noSuchAttachment().message);

/**
 * Browsers keep the file but ask before each use, because its readers may lose access. The tag is the hash of the file: after a backup
 * is restored, the ids of newer attachments are used again for other files. With `displaysImages`, a link to an image opens it.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Download,
  { displaysImages = false } = {},
) {
  void reply.headers({
    etag: file.etag,
    "cache-control": "private, no-cache",
    vary: "cookie, authorization",
  });
  if (isKnown(request.headers["if-none-match"], file.etag)) return reply.code(304).send();
  const content = await file.read();
  return reply
    .headers({
      "content-type": file.mime_type,
      "content-length": file.size,
      "content-disposition": contentDisposition(file.filename, {
        type: displaysImages && file.mime_type === CONVERTED_TYPE ? "inline" : "attachment",
      }),
      // If a browser displays the file anyway, it must not run scripts in it.
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    .send(content);
}
