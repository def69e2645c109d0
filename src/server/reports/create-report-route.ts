import { reportAnswer, reportBody } from "../../shared/reports.ts";
import type { Api, Context } from "../access/context.ts";
import { reportForm } from "./report-form.ts";
import { uploaderOf } from "../files/uploader.ts";
import { acceptUploads, isUpload } from "../files/uploads.ts";
import { validated } from "../answers/validation.ts";
import { createReport, creatorOf } from "./create-report.ts";
import { receiveReportUpload } from "./report-uploads.ts";

/** Creating a report, as JSON or as multipart with files. Needs a scope of its own, which accepts both. */
export function createReportRoute(api: Api, context: Context) {
  acceptUploads(api);

  api.post(
    "/api/projects/:projectId/reports",
    {
      config: { needs: "reports:create", feature: "reports", projectToken: "read_write", area: "reports" },
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
      const created = await receiveReportUpload(context, request.raw, {
        fields: Object.keys(reportBody.shape),
        uploader: uploaderOf(caller, project, reply.raw),
        read: (fields, fileErrors) => validated(reportBody, fields, fileErrors),
        create: (body, files) =>
          createReport(request.db, project.id, {
            creator: creatorOf(caller),
            body,
            files,
            quota: context.config.projectStorage,
          }),
      });
      return reply.code(201).send(created);
    },
  );
}
