import { z } from "zod";
import { pageOf } from "../../../../../shared/answers.ts";
import {
  importAnswer,
  importChanges,
  importForm,
  importKind,
  listedImportAnswer,
  MAX_IMPORT_BYTES,
} from "../../../../../shared/imports.ts";
import type { Api, Context } from "../../../../access/context.ts";
import { invalid } from "../../../../answers/errors.ts";
import { pageQuery } from "../../../../answers/page.ts";
import { childId, validated } from "../../../../answers/validation.ts";
import type { ExpectedParts } from "../../../../files/read-multipart.ts";
import { uploaderOf } from "../../../../files/uploader.ts";
import { acceptUploads } from "../../../../files/uploads.ts";
import { changeImport, startImport } from "./change-import.ts";
import { createImport } from "./create-import.ts";
import { listImports, noSuchImport, readImport } from "./read-imports.ts";

const config = { needs: "project:update" } as const;
const imports = "/api/projects/:projectId/imports";
const refOf = (request: Parameters<typeof childId>[0]) => ({
  projectId: request.project.id,
  importId: childId(request, "importId", noSuchImport().message),
});

export function importRoutes(api: Api) {
  api.get(
    imports,
    {
      config,
      schema: {
        operationId: "listImports",
        summary: "List a project's imports, newest first",
        querystring: pageQuery,
        response: { 200: pageOf(listedImportAnswer) },
      },
    },
    (request) => listImports(request.db, request.project.id, request.query),
  );

  api.get(
    `${imports}/:importId`,
    {
      config,
      schema: {
        operationId: "getImport",
        summary: "Get an import with its progress and what is left out",
        response: { 200: importAnswer },
      },
    },
    (request) => readImport(request.db, request.project.id, refOf(request).importId),
  );

  api.patch(
    `${imports}/:importId`,
    {
      config,
      schema: {
        operationId: "updateImport",
        summary: "Map the columns and people of an import, and check it again",
        description:
          "`map` says which column of a CSV file is which field, `people` which member of the project is which person, and `from` which project of the file is imported. Only before the start.",
        body: importChanges,
        response: { 200: importAnswer },
      },
      preValidation: async (request) => {
        await readImport(request.db, request.project.id, refOf(request).importId);
      },
    },
    (request) => changeImport(request.db, refOf(request), request.body),
  );

  api.post(
    `${imports}/:importId/start`,
    {
      config,
      schema: {
        operationId: "startImport",
        summary: "Start an import that has been checked",
        response: { 200: importAnswer },
      },
    },
    (request) => startImport(request.db, refOf(request)),
  );
}

/** What the boundaries and headers of the parts may add. */
const MULTIPART_BYTES = 1_048_576;

const EXPECTED: ExpectedParts = {
  fields: ["kind"],
  fileField: (name) => (name === "file" ? "file" : undefined),
  files: 1,
  fileBytes: MAX_IMPORT_BYTES,
  bodyBytes: MAX_IMPORT_BYTES + MULTIPART_BYTES,
};

/** Needs a scope of its own, because it reads its bodies itself. */
export function createImportRoute(api: Api, { storage, uploads }: Context) {
  api.removeAllContentTypeParsers();
  acceptUploads(api);
  api.post(
    imports,
    {
      config,
      schema: {
        operationId: "createImport",
        summary: "Upload a file to import",
        description:
          "At most 512 MiB. The file is checked with a dry run first; see `state`. It is deleted after a day.",
        reads: { "multipart/form-data": importForm },
        refuses: [413],
        response: { 201: importAnswer },
      },
    },
    async (request, reply) => {
      const created = await uploads.read(
        request.raw,
        uploaderOf(request.caller, request.project, reply.raw),
        EXPECTED,
        async ({ fields, files: [file], tooMany }) => {
          const { kind } = validated(z.object({ kind: importKind }), fields);
          if (file === undefined) throw invalid({ file: ["is required"] });
          if (tooMany) throw invalid({ file: ["must be one file"] });
          if (file.tooLarge) throw invalid({ file: ["must be at most 512 MiB"] });
          const { project, caller, db } = request;
          return createImport(db, storage, { projectId: project.id, kind, file, userId: caller.user_id });
        },
      );
      return reply.code(201).send(created);
    },
  );
}
