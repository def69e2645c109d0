import type { FastifyReply, FastifyRequest } from "fastify";
import {
  reporterMessageAnswer,
  reporterMessageBody,
  reportStatusAnswer,
} from "../../../shared/report-status.ts";
import type { Api, Context } from "../../access/context.ts";
import { notFound } from "../../answers/errors.ts";
import { openAttachment } from "../../attachments/open-attachment.ts";
import { DOWNLOAD, sendDownload } from "../../attachments/send-download.ts";
import { createMessage } from "./create-message.ts";
import { FOR_HOLDER_ONLY } from "./outside-page.ts";
import { readPublicFiles } from "./public-files.ts";
import { readStatus } from "./read-status.ts";
import { loadStatusReport } from "./require-status-report.ts";

const status = "/api/r/:statusToken";

/** Messages per minute and link. */
const MAX_MESSAGES = 10;

type OfToken = { Params: { statusToken: string } };

export const forHolderOnly = async (_request: FastifyRequest, reply: FastifyReply) =>
  void reply.headers(FOR_HOLDER_ONLY);

/** What people with the status link of a report see and write, without an account. */
export function reportStatusRoutes(api: Api, context: Context) {
  const onRequest = forHolderOnly;
  const preValidation = loadStatusReport(api, context);

  api.get<OfToken>(
    status,
    {
      config: { needs: "nothing" },
      onRequest,
      schema: {
        operationId: "readReportStatus",
        summary: "Read what becomes of a report, with its status link",
        description:
          "The last part of the link is the credential. Each report from outside the team has one.",
        response: { 200: reportStatusAnswer },
        refuses: [403],
      },
      preValidation,
    },
    ({ db, params, outsideReport }) => readStatus(db, params.statusToken, outsideReport),
  );

  api.get<{ Params: { statusToken: string; image: string } }>(
    `${status}/images/:image`,
    {
      config: { needs: "nothing" },
      onRequest,
      schema: {
        operationId: "downloadReportStatusImage",
        summary: "Download an image of a report, with its status link",
        description:
          "The images that were sent with the report, and the files of public replies. Browsers display images; other files are downloaded.",
        ...DOWNLOAD,
        refuses: [403, ...DOWNLOAD.refuses],
      },
      preValidation,
    },
    async (request, reply) => {
      const report = request.outsideReport;
      const files = await readPublicFiles(request.db, report);
      const image = files.find(({ name }) => name === request.params.image);
      if (!image) throw notFound("There is no such image.");
      const owner = { project_id: report.project.id, report_id: report.id };
      const file = await openAttachment(request.db, context.storage, { owner, attachmentId: image.id });
      return sendDownload(request, reply, file, { displaysImages: true });
    },
  );

  api.post(
    `${status}/messages`,
    {
      config: { needs: "nothing" },
      onRequest,
      schema: {
        operationId: "createReportStatusMessage",
        summary: "Write to the team about a report, with its status link",
        body: reporterMessageBody,
        response: { 201: reporterMessageAnswer },
      },
      preValidation,
    },
    async ({ db, outsideReport: report, body }, reply) => {
      await context.limiter.require(`status message:${report.id}`, MAX_MESSAGES);
      return reply.code(201).send(await createMessage(db, report, body.content));
    },
  );
}
