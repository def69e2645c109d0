import type { FastifyReply, FastifyRequest } from "fastify";
import { REPORT_FILES } from "../../../../shared/reports.ts";
import type { Context } from "../../../access/context.ts";
import type { IngestKey } from "../../../access/ingest-key.ts";
import { HttpError } from "../../../answers/errors.ts";
import { cleanFileName } from "../../../files/file-name.ts";
import { kindOf } from "../../../files/kinds.ts";
import { clientAddress } from "../../../http/client-address.ts";
import { storeUploads } from "../../../files/store-uploads.ts";
import { uploaderOf } from "../../../files/uploader.ts";
import { cutBytes } from "../../read/cut-bytes.ts";
import { createReport, OUTSIDE, type NewReport } from "../../../reports/create-report.ts";
import { askToPause } from "./ask-to-pause.ts";
import type { Item } from "./envelope-parser.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** Bytes that remain of a description if the project's storage of the day is full. */
const SHORT_BYTES = 2_048;

/**
 * Creates a report for each feedback; the first one gets the images. 429 over the limits of feedback. Keys are public, so
 * feedback counts against what events may add per day; beyond that, it has no images and a short text.
 */
export async function storeFeedback(
  context: Context,
  key: IngestKey,
  feedback: NewReport[],
  attachments: Item[],
  exchange: Exchange,
): Promise<void> {
  let images = attachments.filter(isImage);
  const address = clientAddress(exchange.request);
  for (const report of feedback) {
    const { allowed, retryAfter } = await context.feedbackLimits.take(address, `ing:${key.id}`);
    if (!allowed) throw tooMuchFeedback(retryAfter, exchange.reply);
    const isFull = context.usage.isStorageFull(key.projectId);
    const description = isFull ? cutBytes(report.description, SHORT_BYTES) : report.description;
    if (isFull) images = [];
    await store(context, key, { ...report, description }, images, exchange.reply);
    context.usage.add(key.projectId, "stored_bytes", bytesOf(description, images));
    images = [];
  }
}

const bytesOf = (description: string, images: Item[]) =>
  images.reduce((sum, { payload }) => sum + payload.length, Buffer.byteLength(description));

function tooMuchFeedback(seconds: number, reply: FastifyReply): HttpError {
  askToPause(reply, seconds, "feedback;user_report:key");
  const headers = { "retry-after": String(seconds) };
  return new HttpError(429, `Too much feedback. Try again in ${seconds} s.`, {}, headers);
}

async function store(
  context: Context,
  { id, projectId }: Pick<IngestKey, "id" | "projectId">,
  report: NewReport,
  images: Item[],
  reply: FastifyReply,
): Promise<void> {
  const { outside: db } = context;
  if (images.length === 0)
    return void (await createReport(db, projectId, { creator: OUTSIDE, body: report }));
  const uploader = uploaderOf({ key: `ing:${id}` }, { id: projectId }, reply.raw);
  const files = images.map(({ header, payload }, n) => ({
    field: `files.${n}`,
    filename: nameOf(header),
    bytes: payload,
  }));
  const quota = context.config.projectStorage;
  try {
    await context.uploads.write(files, (written) =>
      storeUploads(context, uploader, written, (stored) =>
        createReport(db, projectId, { creator: OUTSIDE, body: report, files: stored, quota }),
      ),
    );
  } catch (error) {
    // Do not lose feedback because an image is damaged or exceeds the quota.
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    await store(context, { id, projectId }, report, withoutRefused(images, error), reply);
  }
}

/** The images whose fields the error does not name; none if it names no image. */
function withoutRefused(images: Item[], { body }: HttpError): Item[] {
  const { errors = {} } = body as { errors?: object };
  const rest = images.filter((_, n) => !(`files.${n}` in errors));
  return rest.length < images.length ? rest : [];
}

const nameOf = (header: Item["header"]) =>
  cleanFileName(typeof header["filename"] === "string" ? header["filename"] : "file");

const isImage = ({ header, payload }: Item) =>
  payload.length > 0 &&
  payload.length <= REPORT_FILES.bytes &&
  kindOf(nameOf(header))?.content.as === "image";
