import {
  feedbackAnswer,
  feedbackBody,
  feedbackFields,
  identitySecretAnswer,
} from "../../../shared/feedback.ts";
import type { Api, Context } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { childId } from "../../answers/validation.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { feedbackForm } from "./feedback-form.ts";
import { noSuchReport } from "../read-report.ts";
import { eraseAuthor } from "./erase-author.ts";
import { receiveFeedback } from "./receive-feedback.ts";
import { replaceIdentitySecret } from "./replace-identity-secret.ts";

/** Settings of reports from outside, and erasing who wrote one. */
export function outsideReportRoutes(api: Api) {
  api.post(
    "/api/projects/:projectId/feedback/identity-secret",
    {
      config: { needs: "project:update" },
      schema: {
        operationId: "replaceIdentitySecret",
        summary: "Create a new identity secret",
        description:
          "With it, your app signs the addresses of its users, so that they count as confirmed. It is shown once, and the previous secret is no longer accepted.",
        response: { 200: identitySecretAnswer },
      },
    },
    (request) => replaceIdentitySecret(request.db, request.project.id),
  );

  api.delete(
    "/api/projects/:projectId/reports/:reportId/author",
    {
      config: { needs: "reports:update", feature: "reports", area: "reports" },
      schema: {
        operationId: "eraseReportAuthor",
        summary: "Erase the author's name and address",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const reportId = childId(request, "reportId", noSuchReport().message);
      await eraseAuthor(request.db, request.project.id, reportId);
      return reply.code(204).send();
    },
  );
}

/** Reports from web pages and apps that have an ingest key. Needs a scope of its own, which accepts JSON and multipart. */
export function feedbackRoutes(api: Api, context: Context) {
  acceptUploads(api);

  api.post(
    "/api/projects/:projectId/feedback",
    {
      config: {
        needs: "reports:create",
        feature: "reports",
        ingestKey: "only",
        tokenOnly: true,
        crossOrigin: "feedback",
        limit: "feedback",
      },
      schema: {
        operationId: "sendFeedback",
        summary: "Send a report from outside",
        description:
          "Send JSON, or multipart to include images: `files[0]`, `files[1]` …, at most five of at most 3 MB each, and `tags` as JSON. Web pages can call this route from every origin, or from those that their ingest key allows.",
        reads: { "application/json": feedbackBody, "multipart/form-data": feedbackForm },
        response: { 201: feedbackAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(
        await receiveFeedback(
          context,
          { request, reply },
          {
            project: request.project,
            sender: `ing:${request.keyUse?.keyId}`,
            json: feedbackBody,
            fields: feedbackFields,
          },
        ),
      ),
  );
}
