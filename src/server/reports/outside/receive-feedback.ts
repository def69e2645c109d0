import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { FeedbackAnswer, FeedbackBody } from "../../../shared/feedback.ts";
import type { Context } from "../../access/context.ts";
import { validated } from "../../answers/validation.ts";
import type { Tx } from "../../db/connect.ts";
import { uploaderOf } from "../../files/uploader.ts";
import { isUpload } from "../../files/uploads.ts";
import { receiveReportUpload } from "../report-uploads.ts";
import { isAddressConfirmed } from "./confirm-address.ts";
import { createOutsideReport } from "./create-outside-report.ts";
import { reportFrom } from "./read-feedback.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** Answers a request without storing anything. Thrown, because it may happen while the body is read. */
export class Pretended extends Error {
  readonly answer: FeedbackAnswer;

  constructor(answer: FeedbackAnswer) {
    super("pretended");
    this.answer = answer;
  }
}

type Receiving<Body extends FeedbackBody> = {
  project: { id: number };
  /** In limits: `ing:` and the id of the ingest key, or `form:` and the id of the project. */
  sender: string;
  /** Schemas of the body as JSON and of the text fields of multipart. */
  json: z.ZodObject & z.ZodType<Body>;
  fields: z.ZodObject & z.ZodType<Body>;
  /** Checks what was sent before it is validated. */
  check?: (sent: unknown) => Promise<void>;
  /** Runs first in the transaction that creates the report. */
  before?: (tx: Tx, body: Body) => Promise<void>;
};

/** Reads a report from outside, as JSON or as multipart with images, and creates it. */
export async function receiveFeedback<Body extends FeedbackBody>(
  context: Context,
  { request, reply }: Exchange,
  { project, sender, json, fields, check, before }: Receiving<Body>,
): Promise<FeedbackAnswer> {
  const { db } = request;
  const toReport = async (body: Body) => ({
    report: reportFrom(body, request, await isAddressConfirmed(db, project.id, body)),
    projectId: project.id,
    ...(before && { before: (tx: Tx) => before(tx, body) }),
  });
  try {
    if (!isUpload(request)) {
      await check?.(request.body);
      const created = await toReport(validated(json, request.body));
      return await createOutsideReport(context, db, { ...created, files: [] });
    }
    return await receiveReportUpload(context, request.raw, {
      fields: Object.keys(fields.shape),
      uploader: uploaderOf({ key: sender }, project, reply.raw),
      read: async (sent, fileErrors) => {
        await check?.(sent);
        return toReport(validated(fields, sent, fileErrors));
      },
      keepsFiles: () => !context.usage.isStorageFull(project.id),
      create: (created, files) => createOutsideReport(context, db, { ...created, files }),
    });
  } catch (error) {
    if (error instanceof Pretended) return error.answer;
    throw error;
  }
}
