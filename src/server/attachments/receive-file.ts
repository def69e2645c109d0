import type { FastifyReply, FastifyRequest } from "fastify";
import { MAX_ATTACHMENT_BYTES, type Attachment, attachmentAnswer } from "../../shared/attachments.ts";
import type { Context } from "../access/context.ts";
import { invalid } from "../answers/errors.ts";
import { fileForm } from "../files/file-form.ts";
import { findFileErrors, type FileRules } from "../files/file-rules.ts";
import type { ExpectedParts } from "../files/read-multipart.ts";
import { storeUploads, type StoredUpload } from "../files/store-uploads.ts";
import { uploaderOf } from "../files/uploader.ts";

const RULES: FileRules = { field: "file", files: 1, bytes: MAX_ATTACHMENT_BYTES, imagesOnly: false };

const EXPECTED: ExpectedParts = {
  fields: [],
  fileField: (name) => (name === "file" ? "file" : undefined),
  files: 1,
  fileBytes: MAX_ATTACHMENT_BYTES,
};

/** The parts of a route's schema that all uploads of attachments share. */
export const UPLOAD = {
  description: "One file of at most 20 MB. Its content must match the extension of its name.",
  reads: { "multipart/form-data": fileForm },
  response: { 201: attachmentAnswer },
} as const;

/** Reads the multipart body of one file and stores the file. `add` writes its row, in a transaction that checks the owner. */
export function receiveFile(
  context: Context,
  { raw, caller, project }: FastifyRequest,
  reply: FastifyReply,
  add: (file: StoredUpload) => Promise<Attachment>,
): Promise<Attachment> {
  const uploader = uploaderOf(caller, project, reply.raw);
  return context.uploads.read(raw, uploader, EXPECTED, async (upload) => {
    const errors = findFileErrors(upload, RULES);
    if (upload.files.length === 0) errors["file"] = ["is required"];
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return storeUploads(context, uploader, upload.files, ([file]) => add(file as StoredUpload));
  });
}
