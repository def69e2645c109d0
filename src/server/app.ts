import cookie from "@fastify/cookie";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { reportAttachmentRoutes } from "./intake/reports/attachment-routes.ts";
import { addAttachmentRoute } from "./intake/reports/add-attachment-route.ts";
import { withZod, type Context } from "./access/context.ts";
import { provideOrigins } from "./access/request-origin.ts";
import { EventReader } from "./intake/error-events/event-reader.ts";
import { Ingestion } from "./intake/error-events/ingestion.ts";
import { receiveEnvelopes } from "./intake/sentry/receive-envelopes.ts";
import { sentryRoutes } from "./intake/sentry/routes.ts";
import { SentryEventReader } from "./intake/sentry/sentry-event-reader.ts";
import type { EventIntake } from "./intake/sentry/store-sentry-events.ts";
import { UsageCounter } from "./record/usage-counter.ts";
import { ErrorGroupChanges } from "./record/error-group-changes.ts";
import { bootRoutes } from "./boot/routes.ts";
import { homeRoutes } from "./home/routes.ts";
import { storageRoute } from "./attachments/storage-route.ts";
import { addDraftFileRoute, draftFileRoute } from "./work/attachments/draft-file-routes.ts";
import { addAttachmentRoutes, attachmentRoutes } from "./work/attachments/routes.ts";
import { auditRoutes } from "./people/audit-log/routes.ts";
import { Authority } from "./access/authority.ts";
import { commentRoutes } from "./work/comments/routes.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./db/connect.ts";
import { deletionRoutes } from "./people/deletions/routes.ts";
import { docsRoutes } from "./operations/docs/routes.ts";
import { epicRoutes } from "./work/epics/routes.ts";
import { errorEventRoutes } from "./intake/error-events/routes.ts";
import { receiveDirectly } from "./intake/direct/receive-directly.ts";
import { answerDirectly } from "./http/answer-directly.ts";
import { errorGroupRoutes } from "./intake/error-groups/routes.ts";
import { groupReportsRoute } from "./intake/error-groups/reports-route.ts";
import { errorGroupWorkRoutes } from "./intake/error-groups/work-routes.ts";
import { groupingRoutes } from "./intake/grouping/routes.ts";
import { keptEventRoutes } from "./intake/kept-events/routes.ts";
import { releaseRoutes } from "./intake/releases/routes.ts";
import { FileExaminer } from "./files/file-examiner.ts";
import { healthRoutes } from "./operations/health/routes.ts";
import { readJsonBodies } from "./http/json-body.ts";
import { answerClientError, answerUnusualRequests, HEADER_LIMIT } from "./http/client-errors.ts";
import { allowCrossOrigin } from "./http/cross-origin.ts";
import { compressAnswers } from "./http/compress-answers.ts";
import { revalidateAnswers } from "./http/revalidate-answers.ts";
import { closeRefusedConnections, discardBody } from "./http/refused-bodies.ts";
import { closeSilentConnections, SILENT_MS } from "./http/silent-connections.ts";
import { answerError, notFound } from "./answers/errors.ts";
import { repeatAnswers } from "./access/idempotency.ts";
import { RequestSlots } from "./access/request-limits.ts";
import { guard } from "./access/guard.ts";
import { RateLimiter } from "./http/rate-limit.ts";
import { isDebug, logRequests } from "./http/request-log.ts";
import { securityHeadersFor, setSecurityHeaders } from "./http/security-headers.ts";
import { Uploads } from "./files/uploads.ts";
import { validateWithZod } from "./answers/validation.ts";
import { inboundRuleRoutes } from "./intake/inbound-rules/routes.ts";
import { invitationRoutes } from "./people/invitations/routes.ts";
import { issueRoutes } from "./work/issues/routes.ts";
import { issueTemplateRoutes } from "./work/issue-templates/routes.ts";
import { labelRoutes } from "./work/labels/routes.ts";
import { laneRoutes } from "./work/lanes/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { makeMetrics } from "./http/metrics.ts";
import { observeRequests } from "./http/observe-requests.ts";
import { measureBackups } from "./operations/metrics/backup-metrics.ts";
import { measureDatabase } from "./operations/metrics/database-metrics.ts";
import { measureJobs } from "./operations/metrics/job-metrics.ts";
import { metricsRoutes } from "./operations/metrics/routes.ts";
import { notificationRoutes } from "./inform/inbox/routes.ts";
import { issueWatchRoutes } from "./work/issues/watch-routes.ts";
import { reportWatchRoutes } from "./intake/reports/watch-routes.ts";
import { identityRoutes } from "./sign-in/oidc/identity-routes.ts";
import { oidcRoutes } from "./sign-in/oidc/routes.ts";
import { collectOperations } from "./operations/openapi/collect-operations.ts";
import { openApiRoutes } from "./operations/openapi/routes.ts";
import { passwordRoutes } from "./account/password/routes.ts";
import { pictureRoutes, pictureUploadRoutes } from "./account/profile/picture-routes.ts";
import { privacyRuleRoutes } from "./intake/privacy-rules/routes.ts";
import { profileRoutes } from "./account/profile/routes.ts";
import { projectMemberRoutes } from "./people/projects/members/routes.ts";
import { projectRoutes } from "./people/projects/routes.ts";
import { LiveUpdates, type LiveOptions } from "./live/live-updates.ts";
import { liveRoutes } from "./live/routes.ts";
import { createReportRoute } from "./intake/reports/create-report-route.ts";
import { reportRoutes } from "./intake/reports/routes.ts";
import { pushRoutes } from "./push/routes.ts";
import { roleRoutes } from "./people/roles/routes.ts";
import { savedViewRoutes } from "./saved-views/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { secondFactorRoutes } from "./account/second-factor/routes.ts";
import { sessionRoutes } from "./account/sessions/sign-in-routes.ts";
import { ownSessionRoutes } from "./account/sessions/routes.ts";
import { setupRoutes } from "./sign-in/setup/routes.ts";
import { sprintRoutes } from "./work/sprints/routes.ts";
import { usageRoutes } from "./intake/usage/routes.ts";
import { uploadsFolder } from "./files/storage/open-storage.ts";
import type { Storage } from "./files/storage/storage.ts";
import { projectTeamRoutes } from "./people/teams/projects/routes.ts";
import { teamRoutes } from "./people/teams/routes.ts";
import { personalTokenRoutes } from "./account/personal-tokens/routes.ts";
import { ingestKeyRoutes } from "./people/projects/ingest-keys/routes.ts";
import { projectTokenRoutes } from "./people/projects/tokens/routes.ts";
import { serveReporter } from "./operations/reporter/serve-reporter.ts";
import { serveWebApp } from "./operations/web-app/serve-web-app.ts";
import { workspaceMemberRoutes } from "./people/workspaces/members/routes.ts";
import { workspaceRoutes } from "./people/workspaces/routes.ts";

export type App = FastifyInstance;
export type AppOptions = {
  database: Database;
  config: Config;
  storage: Storage;
  setupToken: string;
  publicUrl: () => string;
  logger: FastifyBaseLogger;
  isDraining?: () => boolean;
  /** The folder of the built web app; if it has no build, only the API is served. */
  webApp?: string;
  /** The folder of the built reporter. */
  reporter?: string;
  /** How long a client may send and read nothing, in milliseconds. */
  silentMs?: number;
  /** Timing of live updates, for tests. */
  live?: Partial<LiveOptions>;
};

/** Builds the HTTP service: first what all requests share, then each area's routes. Does not listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { database, config, logger, silentMs = SILENT_MS } = options;
  const headers = securityHeadersFor(config.publicUrl);
  const newId = requestIds();
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would cost more CPU than reading an event. Log lines name their request instead.
    childLoggerFactory: (parent) => parent,
    genReqId: newId,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: Math.floor((silentMs * 2) / 3),
      connectionsCheckingInterval: Math.min(1_000, silentMs / 10),
      maxHeaderSize: HEADER_LIMIT,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, headers),
    // Requests that arrive on open connections while the server stops are finished, too.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_000 },
    bodyLimit: 64 * 1_048_576,
    // A malformed path matches no route, so hooks that set headers do not run.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers);
      discardBody(request.raw, reply, silentMs);
      void answerError(error, request, reply);
    },
  });
  const context: Context = {
    ...options,
    limiter: new RateLimiter(database.pool),
    slots: new RequestSlots(),
    uploads: new Uploads(uploadsFolder(config.dataDir), silentMs),
    examiner: new FileExaminer(),
    metrics: makeMetrics(),
    usage: new UsageCounter(database.db, {
      onError: (error) => app.log.warn({ err: error }, "counting the usage of projects failed"),
    }),
  };
  app.addHook("onClose", () => context.examiner.close());
  app.addHook("onClose", () => context.limiter.close());
  app.addHook("onReady", () => context.uploads.sweep());

  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound("There is nothing at this address.");
  });
  app.setValidatorCompiler(validateWithZod);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(cookie);
  setSecurityHeaders(app, headers);
  answerUnusualRequests(app);
  closeSilentConnections(app.server, silentMs);
  closeRefusedConnections(app, silentMs);
  repeatAnswers(app, { pool: database.pool, publicUrl: options.publicUrl });
  allowCrossOrigin(app);
  const authority = new Authority(database.db);
  guard(app, {
    db: database.db,
    authority,
    limiter: context.limiter,
    slots: context.slots,
    limits: config.limits,
    publicUrl: options.publicUrl,
  });
  revalidateAnswers(app);
  compressAnswers(app);
  readJsonBodies(app, silentMs);
  observeRequests(app, context.metrics);
  measureDatabase(context.metrics, database, logger);
  measureJobs(context.metrics, database.pool, logger);
  measureBackups(context.metrics, database.pool, logger);
  logRequests(app, { access: config.accessLog });
  provideOrigins(app);

  const operations = collectOperations(app);
  const api = withZod(app);
  healthRoutes(api, context, options.isDraining ?? (() => false));
  metricsRoutes(api, context);
  openApiRoutes(api, operations);
  bootRoutes(api, context);
  homeRoutes(api, context);
  savedViewRoutes(api, context);
  setupRoutes(api, context);
  sessionRoutes(api, context);
  ownSessionRoutes(api, context);
  oidcRoutes(api, context);
  identityRoutes(api, context);
  secondFactorRoutes(api, context);
  passwordRoutes(api, context);
  profileRoutes(api, context);
  pictureRoutes(api, context);
  personalTokenRoutes(api, context);
  workspaceRoutes(api, context);
  workspaceMemberRoutes(api, context);
  roleRoutes(api, context);
  teamRoutes(api, context);
  invitationRoutes(api, context);
  mailRoutes(api, context);
  pushRoutes(api, context);
  auditRoutes(api, context);
  projectRoutes(api, context);
  deletionRoutes(api, context);
  projectMemberRoutes(api, context);
  projectTeamRoutes(api, context);
  projectTokenRoutes(api, context);
  ingestKeyRoutes(api, context);
  laneRoutes(api, context);
  labelRoutes(api, context);
  issueTemplateRoutes(api, context);
  sprintRoutes(api, context);
  epicRoutes(api, context);
  issueRoutes(api, context);
  commentRoutes(api, context);
  notificationRoutes(api, context);
  issueWatchRoutes(api, context);
  reportWatchRoutes(api, context);
  errorGroupRoutes(api, context);
  usageRoutes(api, context);
  groupReportsRoute(api, context);
  errorGroupWorkRoutes(api, context);
  groupingRoutes(api, context);
  keptEventRoutes(api, context);
  privacyRuleRoutes(api, context);
  inboundRuleRoutes(api, context);
  releaseRoutes(api, context);
  reportRoutes(api, context);
  searchRoutes(api, context);
  liveRoutes(api, startLiveUpdates(app, options, context));
  storageRoute(api, context);
  reportAttachmentRoutes(api, context);
  attachmentRoutes(api, context);
  draftFileRoute(api, context);
  await app.register(async (scope) => createReportRoute(withZod(scope), context));
  await app.register(async (scope) => addAttachmentRoute(withZod(scope), context));
  await app.register(async (scope) => {
    addAttachmentRoutes(withZod(scope), context);
    addDraftFileRoute(withZod(scope), context);
  });
  await app.register(async (scope) => pictureUploadRoutes(withZod(scope), context));
  const intake = startIngestion(app, context);
  const sentryIntake = startSentryIntake(app, context, intake);
  // The log of every request is written where the other requests are.
  if (!config.accessLog && !isDebug(logger))
    answerDirectly(
      app,
      receiveDirectly({
        ...context,
        ...intake,
        db: database.db,
        authority,
        limit: config.limits.ingest,
        logger,
        headers,
        silentMs,
        newId,
      }),
      receiveEnvelopes({ ...context, ...sentryIntake, logger, headers, newId, route: app.routing }),
    );
  await app.register(async (scope) =>
    errorEventRoutes(withZod(scope), { ...intake, db: context.database.db }),
  );
  await app.register(async (scope) => sentryRoutes(withZod(scope), context, sentryIntake));
  await app.register(async (scope) => docsRoutes(withZod(scope)));
  await app.register(async (scope) => serveReporter(scope, config.dataDir, options.reporter));
  await app.register(async (scope) => serveWebApp(scope, options.publicUrl, options.webApp));
  return app;
}

function startLiveUpdates(app: App, { database, live }: AppOptions, { metrics }: Context): LiveUpdates {
  const updates = new LiveUpdates(database, app.log, live);
  metrics.gauge("signalbox_live_streams", "Listeners to live updates.", () => updates.size);
  // Closing the server waits for open responses, and event streams do not end by themselves.
  app.addHook("preClose", () => updates.close());
  return updates;
}

function startIngestion(app: App, { database, config, metrics, usage }: Context) {
  const changes = new ErrorGroupChanges(database.db, {
    onError: (error) => app.log.warn({ err: error }, "live updates of error groups failed"),
  });
  const ingestion = new Ingestion({
    pool: database.ingest,
    retentionDays: config.retentionDays,
    onStored: (groups) => changes.add(groups),
    onBatch: metrics.batch,
    usage,
  });
  const reader = new EventReader();
  app.addHook("onClose", async () => {
    await reader.close();
    await changes.close();
    await usage.close();
  });
  return { ingestion, reader, usage };
}

function startSentryIntake(
  app: App,
  { database: { db }, config, limiter, metrics, usage }: Context,
  { ingestion }: { ingestion: Ingestion },
): EventIntake {
  const reader = new SentryEventReader();
  app.addHook("onClose", () => reader.close());
  return { db, ingestion, reader, limiter, limit: config.limits.ingest, metrics, usage };
}

/** Unique across processes and cheap: a random prefix for the process, and a counter. */
function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 13);
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
