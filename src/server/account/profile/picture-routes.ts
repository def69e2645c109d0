import { MAX_PICTURE_BYTES, profileAnswer } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { fileForm } from "../../files/file-form.ts";
import { findFileErrors, type FileRules } from "../../files/file-rules.ts";
import { invalid } from "../../answers/errors.ts";
import type { ExpectedParts } from "../../files/read-multipart.ts";
import { uploaderOf } from "../../files/uploader.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { pathId } from "../../answers/validation.ts";
import { noBody, answersWith } from "../../answers/operation.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { noSuchPicture, openPicture } from "./open-picture.ts";
import { removePicture, setPicture } from "./set-picture.ts";
import { readProfile } from "./read-profile.ts";

/** Reading and removing profile pictures. */
export function pictureRoutes(api: Api, { outside, storage }: Context) {
  api.get<{ Params: { userId: string; file: string } }>(
    "/api/users/:userId/picture/:file",
    {
      config: { needs: "caller", limit: "none" }, // A page may show a hundred of them.
      schema: {
        operationId: "readPicture",
        summary: "Read a profile picture",
        refuses: [502],
        response: { 200: answersWith("*/*") },
      },
    },
    async (request, reply) => {
      const { userId, file } = request.params;
      const path = { userId: pathId(userId, noSuchPicture().message), file };
      const picture = await openPicture(request.db, storage, path, request.caller.user_id);
      return reply
        .headers({
          "content-type": picture.mime_type,
          "content-length": picture.size,
          // The name contains a hash of the content. Shared caches must not keep it, because access is checked.
          "cache-control": "private, max-age=31536000, immutable",
          "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        })
        .send(picture.content);
    },
  );

  api.delete(
    "/api/profile/picture",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "removePicture",
        summary: "Remove the caller's profile picture",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await removePicture(request.db, request.caller.user_id);
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}

const RULES: FileRules = { field: "file", files: 1, bytes: MAX_PICTURE_BYTES, imagesOnly: true };

const EXPECTED: ExpectedParts = {
  fields: [],
  fileField: (name) => (name === "file" ? "file" : undefined),
  files: 1,
  fileBytes: MAX_PICTURE_BYTES,
};

/** Setting a picture. It needs its own scope, which accepts only multipart bodies. */
export function pictureUploadRoutes(api: Api, context: Context) {
  const { outside, storage, examiner, uploads } = context;
  api.removeAllContentTypeParsers();
  acceptUploads(api);

  api.post(
    "/api/profile/picture",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "setPicture",
        summary: "Set the caller's profile picture",
        description: "An image of at most 10 MB, which is cropped to the square in its middle.",
        reads: { "multipart/form-data": fileForm },
        response: { 200: profileAnswer },
      },
    },
    async (request, reply) => {
      const userId = request.caller.user_id;
      const uploader = uploaderOf(request.caller, undefined, reply.raw);
      await uploads.read(request.raw, uploader, EXPECTED, async (upload) => {
        const errors = findFileErrors(upload, RULES);
        const [file] = upload.files;
        if (!file) errors["file"] = ["is required"];
        if (!file || Object.keys(errors).length > 0) throw invalid(errors);
        await setPicture({ db: request.db, storage, examiner }, userId, uploader, file);
      });
      await removeDeletedFilesNow(outside, storage, request.log);
      return readProfile(request.db, userId);
    },
  );
}
