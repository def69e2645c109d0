import { z } from "zod";
import { pageOf } from "../../../shared/answers.ts";
import { releaseName } from "../../../shared/error-groups.ts";
import { artifactAnswer, artifactForm, uploadedArtifactsAnswer } from "../../../shared/source-maps.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { noBody } from "../../answers/operation.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId, validated } from "../../answers/validation.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { uploaderOf } from "../../files/uploader.ts";
import { acceptUploads, isUpload } from "../../files/uploads.ts";
import { indexArtifacts } from "../grouping/index-artifacts.ts";
import type { SourceMapReader } from "../mapping/map-reader.ts";
import { deleteArtifact, noSuchArtifact } from "./delete-artifact.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { receiveArchive, receiveForm } from "./receive-upload.ts";
import { storeArtifacts } from "./store-artifacts.ts";

const artifacts = "/api/projects/:projectId/releases/:version/artifacts";

const CHANGING = {
  needs: "error-groups:update",
  feature: "error_tracking",
  projectToken: "read_write",
  area: "errors",
} as const;

/** The source maps of a release. */
export function artifactRoutes(api: Api, { outside, storage }: Context) {
  api.get(
    artifacts,
    {
      config: READING.release,
      schema: {
        operationId: "listArtifacts",
        summary: "List the source maps and minified files of a release, newest first",
        querystring: pageQuery,
        response: { 200: pageOf(artifactAnswer) },
      },
    },
    (request) => listArtifacts(request.db, releaseIn(request), request.query),
  );

  api.delete(
    `${artifacts}/:artifactId`,
    {
      config: CHANGING,
      schema: {
        operationId: "deleteArtifact",
        summary: "Delete a source map or minified file of a release",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteArtifact(
        request.db,
        releaseIn(request),
        childId(request, "artifactId", noSuchArtifact().message),
      );
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}

/** Uploading source maps. Needs a scope of its own, because it reads its bodies itself. */
export function uploadArtifactsRoute(api: Api, context: Context, sourceMaps: SourceMapReader) {
  const { outside, storage, uploads, config } = context;
  api.removeAllContentTypeParsers();
  acceptUploads(api);
  api.addContentTypeParser("application/zip", (_request, _payload, done) => done(null, undefined));

  api.post(
    artifacts,
    {
      config: CHANGING,
      schema: {
        operationId: "uploadArtifacts",
        summary: "Upload source maps and minified files of a release",
        description:
          "Send multipart with `files[0]`, `files[1]` …, whose file names are the names of the artifacts (`~/assets/app.js.map`), or a zip archive. At most 10,000 files of 100 MiB each, and 512 MiB in all. Creates the release if the project does not have it; a file with the same name is replaced.",
        reads: { "multipart/form-data": artifactForm, "application/zip": z.file() },
        refuses: [413],
        response: { 201: uploadedArtifactsAnswer },
      },
    },
    async (request, reply) => {
      const { projectId, version } = releaseIn(request);
      validated(z.object({ version: releaseName }), { version });
      const receive = isUpload(request) ? receiveForm : receiveArchive;
      const uploader = uploaderOf(request.caller, request.project, reply.raw);
      const data = await receive(uploads, request.raw, uploader, (files) =>
        storeArtifacts(request.db, storage, {
          projectId,
          version,
          artifacts: files,
          quota: config.projectStorage,
        }),
      );
      await removeDeletedFilesNow(outside, storage, request.log);
      await indexArtifacts(
        { db: outside, sourceMaps },
        projectId,
        data.map(({ id }) => id),
      );
      return reply.code(201).send({ data });
    },
  );
}

const releaseIn = ({ project, params }: { project: { id: number }; params: unknown }) => ({
  projectId: project.id,
  version: (params as { version: string }).version,
});
