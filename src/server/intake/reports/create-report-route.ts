import { REPORT_FILES, reportAnswer, reportBody } from "../../../shared/reports.ts";
import type { Api, Context } from "../../access/context.ts";
import { reportForm } from "./report-form.ts";
import { fileErrors, keepFiles, type FileRules } from "../../files/store-files.ts";
import { acceptUploads, isUpload, type Expected } from "../../files/uploads.ts";
import { validated } from "../../answers/validation.ts";
import { createReport } from "./create-report.ts";

const RULES: FileRules = {
  field: "files",
  files: REPORT_FILES.most,
  bytes: REPORT_FILES.bytes,
  imagesOnly: true,
};

/** `files[0]`, `files[1]` …: errors name the file by the number the client gave it. */
const EXPECTED: Expected = {
  fields: Object.keys(reportBody.shape),
  fileField: (name, place) => {
    const number = /^files(?:\[(\d{0,3})\])?$/.exec(name);
    return number ? `files.${number[1] || place}` : undefined;
  },
  files: REPORT_FILES.most,
  fileBytes: REPORT_FILES.bytes,
};

const numberOf = (field: string) => Number(field.slice("files.".length));

/** Creating a report, as JSON or with files as multipart (service.md 4.1): within a scope of its own. */
export function reportCreateRoutes(api: Api, context: Context) {
  const { db } = context.database;
  acceptUploads(api);

  api.post(
    "/api/projects/:projectId/reports",
    {
      config: { needs: "reports:create", feature: "reports", projectToken: "read_write" },
      schema: {
        operationId: "createReport",
        summary: "Create a report",
        description:
          "As JSON, or with images as multipart: `files[0]`, `files[1]` …, five at most, of 3 MB each.",
        reads: { "application/json": reportBody, "multipart/form-data": reportForm },
        response: { 201: reportAnswer },
      },
    },
    async (request, reply) => {
      const { project, caller } = request;
      if (!isUpload(request)) {
        const body = validated(reportBody, request.body);
        return reply.code(201).send(await createReport(db, project.id, caller, body));
      }
      const created = await context.uploads.read(request.raw, EXPECTED, async (upload) => {
        const body = validated(reportBody, upload.fields, fileErrors(upload, RULES));
        const inOrder = upload.files.toSorted((a, b) => numberOf(a.field) - numberOf(b.field));
        return keepFiles(context, inOrder, (files) => createReport(db, project.id, caller, body, files));
      });
      return reply.code(201).send(created);
    },
  );
}
