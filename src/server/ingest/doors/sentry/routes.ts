import type { FastifyReply, FastifyRequest } from "fastify";
import { wasSlow } from "../../../access/admit-again.ts";
import type { Api, Context } from "../../../access/context.ts";
import type { IngestKey } from "../../../access/ingest-key.ts";
import { badRequest, HttpError } from "../../../answers/errors.ts";
import { clientAddress } from "../../../http/client-address.ts";
import { requireLightEncoding } from "../../../http/read-body.ts";
import { countRefusals } from "../../../errors/usage/count-refusals.ts";
import { admitSender } from "./admit-sender.ts";
import { answerSentryError } from "./answer-sentry-error.ts";
import type { NewReport } from "../../../reports/create-report.ts";
import type { Envelope } from "./envelope-parser.ts";
import type { SentryCheckIns } from "../../../monitors/sentry-check-in.ts";
import { readEnvelope, readSingle } from "./read-envelope.ts";
import { readFeedback, readUserReport } from "./read-feedback.ts";
import { parseJson } from "../../read/sentry/read-sentry-bytes.ts";
import { securityEvents } from "../../read/sentry/security-report.ts";
import { countSessions } from "./count-sessions.ts";
import { keyInDsn, sentKey, sentProject } from "./sent-key.ts";
import { recordCheckIns } from "./check-in-items.ts";
import { cronRoutes } from "./cron-routes.ts";
import { storeFeedback } from "./store-feedback.ts";
import { copyBody, type BodyCopy } from "../../relay/body-copy.ts";
import { forward, isForwarded } from "../../relay/forward.ts";
import type { SentryRoute } from "../../relay/forwarded-request.ts";
import { storeSentryEvents, type EventIntake } from "./store-sentry-events.ts";

type SentryIntake = EventIntake & { checkIns: SentryCheckIns };
type Exchange = { request: FastifyRequest; reply: FastifyReply; context: Context; intake: SentryIntake };
type Answer = { id?: string };

const config = {
  needs: "ingest-key",
  limit: "ingest",
  tokenOnly: true,
  crossOrigin: "always",
  readsBody: true,
} as const;

/**
 * The protocol of Sentry SDKs. Needs a scope of its own, because its errors and bodies differ from those of the API: any
 * content type is accepted, and errors are `{"detail": …}`.
 */
export function sentryRoutes(api: Api, context: Context, intake: SentryIntake) {
  api.setErrorHandler(answerSentryError);
  countRefusals(api, intake.usage);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  api.addHook("onRequest", (request, _reply, done) => {
    // SDKs send any type or none, and a malformed one must not matter.
    delete request.raw.headers["content-type"];
    done();
  });
  const receive = (path: string, answer: (exchange: Exchange) => Promise<Answer>) => {
    for (const slash of ["", "/"])
      api.post(`/api/${path}${slash}`, { config }, (request, reply) =>
        answer({ request, reply, context, intake }),
      );
  };
  receive(":projectId/envelope", receiveEnvelope);
  receive(":projectId/store", receiveEvent);
  receive(":projectId/security", receiveSecurityReports);
  // The names in this path are those of Sentry's organization and project, so only the key or the DSN counts.
  receive("0/projects/:workspaceId/:projectId/user-feedback", receiveUserReport);
  cronRoutes(api, context, intake);
}

async function receiveEnvelope(exchange: Exchange): Promise<Answer> {
  const { request, context, intake } = exchange;
  const { envelope, key, copy } = await readAdmittedEnvelope(exchange);
  intake.usage.add(key.projectId, "discarded", envelope.skipped);
  countSessions(intake, key, envelope);
  // Feedback has limits of its own, so it is accepted even if the events are too many.
  const events = await unlessTooMany(storeEvents(envelope, key, exchange));
  const feedback = key.reports ? feedbackIn(envelope, key, request.headers["user-agent"]) : [];
  const sentFeedback = envelope.feedback.length + envelope.userReports.length;
  intake.usage.add(key.projectId, "discarded", sentFeedback - feedback.length);
  if (feedback.length > 0) await storeFeedback(context, key, feedback, envelope.attachments, exchange);
  await recordCheckIns(intake, key, envelope.checkIns, clientAddress(request));
  if (events instanceof HttpError) throw events;
  forwardLater(exchange, key, { route: "envelope", copy, header: envelope.header });
  return events;
}

/** Admits the sender before the body is read, unless its key is in the header of the envelope. */
async function readAdmittedEnvelope(exchange: Exchange) {
  const { request, reply, context } = exchange;
  const early = sentKey(request) === undefined ? undefined : await admit(exchange, projectOf(request));
  if (!early) {
    // Its body has to be decompressed before its key is known.
    requireLightEncoding(request.raw);
    context.slots.take(request, reply, `ip:${clientAddress(request)}`);
  }
  const admittedAt = performance.now();
  const admitBy = ({ dsn }: Envelope["header"]) =>
    admitSender(context, exchange, sentKey(request) ?? keyInDsn(dsn), projectOf(request));
  const copy = copyIfForwarded(exchange, early);
  const { envelope, key } = await readEnvelope(request.raw, async (header) => {
    const admitted = early ?? (await admitBy(header));
    if (!isForwarded(admitted, request.raw)) copy?.stop();
    return admitted;
  });
  return { envelope, copy, key: wasSlow(admittedAt) ? await admitBy(envelope.header) : key };
}

/** Admits a sender whose key is in the query or in a header, and counts the request as in flight. */
async function admit(exchange: Exchange, projectId?: string): Promise<IngestKey> {
  const { request, reply, context } = exchange;
  const key = await admitSender(context, exchange, sentKey(request), projectId);
  context.slots.take(request, reply, `ing:${key.id}`);
  return key;
}

/** Admits a sender, and reads its body, which is a single event or report. */
async function readAdmitted(exchange: Exchange, projectId?: string) {
  const { request, context } = exchange;
  let key = await admit(exchange, projectId);
  const admittedAt = performance.now();
  const copy = copyIfForwarded(exchange, key);
  const body = await readSingle(request.raw);
  // The key may have been disabled while the body was being sent.
  if (wasSlow(admittedAt)) key = await admitSender(context, exchange, sentKey(request), projectId);
  return { key, body, copy };
}

async function storeEvents(
  { header, events }: Envelope,
  key: IngestKey,
  exchange: Exchange,
): Promise<Answer> {
  if (events.length === 0) return {};
  const sent = events.map(({ payload }) => ({ body: payload, id: header["event_id"] }));
  return { id: await storeSentryEvents(exchange.intake, key, sent, exchange) };
}

async function receiveEvent(exchange: Exchange): Promise<Answer> {
  const { key, body, copy } = await readAdmitted(exchange, projectOf(exchange.request));
  const id = await storeSentryEvents(exchange.intake, key, [{ body }], exchange);
  forwardLater(exchange, key, { route: "store", copy });
  return { id };
}

async function receiveSecurityReports(exchange: Exchange): Promise<Answer> {
  const { request, intake } = exchange;
  const { key, body: bytes, copy } = await readAdmitted(exchange, projectOf(request));
  const { sentry_release: release, sentry_environment: environment } = request.query as Record<
    string,
    unknown
  >;
  const body = parseJson(bytes);
  const reports = securityEvents(body, { release, environment });
  if (reports.length > MAX_REPORTS) throw badRequest(`At most ${MAX_REPORTS} reports may be sent together.`);
  intake.usage.add(key.projectId, "discarded", [body].flat().length - reports.length);
  const sent = reports.map((report) => ({ body: Buffer.from(JSON.stringify(report)) }));
  if (sent.length > 0) await storeSentryEvents(intake, key, sent, exchange);
  forwardLater(exchange, key, { route: "security", copy });
  return {};
}

async function receiveUserReport(exchange: Exchange): Promise<Answer> {
  const { request, context } = exchange;
  const { key, body } = await readAdmitted(exchange, sentProject(request));
  const report = readUserReport(parseJson(body), undefined, request.headers["user-agent"]);
  if (report && key.reports) await storeFeedback(context, key, [report], [], exchange);
  return {};
}

/** Copies the body of a request whose key is not known yet until it is. */
function copyIfForwarded({ request, reply }: Exchange, key: IngestKey | undefined): BodyCopy | undefined {
  const isPossible = key === undefined || isForwarded(key, request.raw);
  return isPossible ? copyBody(request.raw, reply.raw) : undefined;
}

/** Forwards what has been accepted, after the response. */
function forwardLater(
  { request, reply, intake }: Exchange,
  key: IngestKey,
  { route, copy, header = {} }: { route: SentryRoute; copy: BodyCopy | undefined; header?: object },
) {
  const body = copy?.take();
  if (body)
    reply.raw.once("close", () => forward(intake.relay, key, { request: request.raw, route, body, header }));
}

function feedbackIn(
  { header, feedback, userReports }: Envelope,
  { userHashSecret: secret }: IngestKey,
  userAgent: string | undefined,
): NewReport[] {
  const id = header["event_id"];
  const reports = [
    ...feedback.map(({ payload }) => readFeedback(parseJson(payload), id, { secret, userAgent })),
    ...userReports.map(({ payload }) => readUserReport(parseJson(payload), id, userAgent)),
  ];
  return reports.filter((report) => report !== undefined);
}

/** The result, or the 429 over a limit. */
const unlessTooMany = (storing: Promise<Answer>): Promise<Answer | HttpError> =>
  storing.catch((error: Error) => {
    if (error instanceof HttpError && error.status === 429) return error;
    throw error;
  });

const projectOf = ({ params }: FastifyRequest) => (params as { projectId: string }).projectId;

const MAX_REPORTS = 100;
