import { REPORT_FILES, reportAnswer, reportBody } from "../../shared/reports.ts";
import type { Api, Context } from "../access/context.ts";
import { reportForm } from "./report-form.ts";
import { findFileErrors, type FileRules } from "../files/file-rules.ts";
import type { ExpectedParts } from "../files/read-multipart.ts";
import { storeUploads } from "../files/store-uploads.ts";
import { uploaderOf } from "../files/uploader.ts";
import { acceptUploads, isUpload } from "../files/uploads.ts";
import { validated } from "../answers/validation.ts";
import { createReport, creatorOf } from "./create-report.ts";

const RULES: FileRules = {
  field: "files",
  files: REPORT_FILES.most,
  bytes: REPORT_FILES.bytes,
  imagesOnly: true,
};

/** Files are sent as `files[0]`, `files[1]` …; error fields use the same numbers: `files.0`. */
const EXPECTED: ExpectedParts = {
  fields: Object.keys(reportBody.shape),
  fileField: (name, index) => {
    const number = /^files(?:\[(\d{0,3})\])?$/.exec(name);
    return number ? `files.${number[1] || index}` : undefined;
  },
  files: REPORT_FILES.most,
  fileBytes: REPORT_FILES.bytes,
};

const numberOf = (field: string) => Number(field.slice("files.".length));

/** Creating a report, as JSON or as multipart with files. Needs a scope of its own, which accepts both. */
export function createReportRoute(api: Api, context: Context) {
  acceptUploads(api);

  api.post(
    "/api/projects/:projectId/reports",
    {
      config: { needs: "reports:create", feature: "reports", projectToken: "read_write" },
      schema: {
        operationId: "createReport",
        summary: "Create a report",
        description:
          "Send JSON, or multipart to include images: `files[0]`, `files[1]` …, at most five of at most 3 MB each.",
        reads: { "application/json": reportBody, "multipart/form-data": reportForm },
        response: { 201: reportAnswer },
      },
    },
    async (request, reply) => {
      const { project, caller } = request;
      if (!isUpload(request)) {
        const body = validated(reportBody, request.body);
        return reply
          .code(201)
          .send(await createReport(request.db, project.id, { creator: creatorOf(caller), body }));
      }
      const uploader = uploaderOf(caller, project, reply.raw);
      const created = await context.uploads.read(request.raw, EXPECTED, async (upload) => {
        const body = validated(reportBody, upload.fields, findFileErrors(upload, RULES));
        const inOrder = upload.files.toSorted((a, b) => numberOf(a.field) - numberOf(b.field));
        return storeUploads(context, uploader, inOrder, (files) =>
          createReport(request.db, project.id, {
            creator: creatorOf(caller),
            body,
            files,
            quota: context.config.projectStorage,
          }),
        );
      });
      return reply.code(201).send(created);
    },
  );
}
