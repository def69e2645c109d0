import cookie from "@fastify/cookie";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { Authority } from "../access/authority.ts";
import { CachedLookups } from "../access/cached-lookup.ts";
import { withZod, type Context } from "../access/context.ts";
import { guard } from "../access/guard.ts";
import { repeatAnswers } from "../idempotency/idempotency.ts";
import { FeedbackLimits } from "../limits/feedback-limits.ts";
import { KeyLimits } from "../limits/key-limits.ts";
import { RequestSlots } from "../access/request-limits.ts";
import { provideOrigins } from "../access/request-origin.ts";
import { answerError, notFound } from "../answers/errors.ts";
import { validateWithZod } from "../answers/validation.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/connect.ts";
import { FileExaminer } from "../files/file-examiner.ts";
import { closeToOthers } from "../files/storage/folder-storage.ts";
import { attachmentsFolder, uploadsFolder } from "../files/storage/open-storage.ts";
import type { Storage } from "../files/storage/storage.ts";
import { Uploads } from "../files/uploads.ts";
import { answerClientError, answerUnusualRequests, MAX_HEADER_BYTES } from "../http/client-errors.ts";
import { compressAnswers } from "../http/compress-answers.ts";
import { allowCrossOrigin } from "../http/cross-origin.ts";
import { readJsonBodies } from "../http/json-body.ts";
import { makeMetrics } from "../http/metrics.ts";
import { observeRequests } from "../http/observe-requests.ts";
import { RateLimiter } from "../limits/rate-limit.ts";
import { closeRefusedConnections, discardBody } from "../http/refused-bodies.ts";
import { logRequests } from "../http/request-log.ts";
import { revalidateAnswers } from "../http/revalidate-answers.ts";
import { repairPathParameters } from "../http/path-parameters.ts";
import { securityHeadersFor, setSecurityHeaders } from "../http/security-headers.ts";
import { closeSilentConnections, SILENT_MS } from "../http/silent-connections.ts";
import { LiveUpdates, type LiveOptions } from "../live/live-updates.ts";
import { serveFormPages } from "../reports/form/page.ts";
import { docsRoutes } from "../serve/docs/routes.ts";
import { measureBackups } from "../serve/metrics/backup-metrics.ts";
import { measureDatabase } from "../serve/metrics/database-metrics.ts";
import { measureJobs } from "../serve/metrics/job-metrics.ts";
import { collectOperations } from "../serve/openapi/collect-operations.ts";
import { COMMAND_LINE, REPORTER, serveDownloads } from "../serve/downloads/serve-downloads.ts";
import { BUILT as WIDGET, serveWidget } from "../serve/widget/serve-widget.ts";
import { shareTarget } from "../serve/share-target/share-target.ts";
import { serveWebApp } from "../serve/web-app/serve-web-app.ts";
import { UsageCounter } from "../record/usage-counter.ts";
import { withMarkdownEnding } from "../integrations/agents/markdown/prefers-markdown.ts";
import { provideObjects } from "../integrations/webhooks/read-objects.ts";
import { provideErrorDb } from "../errors/groups/error-db.ts";
import { addRoutes } from "./routes.ts";
import { startIntake } from "./start-intake.ts";

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
  /** The folder of the built command line. */
  commandLine?: string;
  /** The folder of the built widget. */
  widget?: string;
  /** How long a client may send and read nothing, in milliseconds. */
  silentMs?: number;
  /** Timing of live updates, for tests. */
  live?: Partial<LiveOptions>;
};

const neverUsed = (): never => {
  throw new Error("The app has compilers of its own.");
};

/** Builds the HTTP service: first what all requests share, then each area's routes. Does not listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { database, config, silentMs = SILENT_MS } = options;
  const headers = securityHeadersFor(config.publicUrl);
  const newId = requestIds();
  const app = createApp(options, { headers, newId, silentMs });
  const context = createContext(app, options, silentMs);
  await app.register(cookie);
  setSecurityHeaders(app, headers);
  answerUnusualRequests(app);
  repairPathParameters(app);
  closeSilentConnections(app.server, silentMs);
  closeRefusedConnections(app, silentMs);
  repeatAnswers(app, { db: database.db, publicUrl: options.publicUrl });
  allowCrossOrigin(app);
  guard(app, {
    db: database.db,
    authority: context.authority,
    lookups: context.lookups,
    limiter: context.limiter,
    slots: context.slots,
    limits: config.limits,
    keyLimits: context.keyLimits,
    feedbackLimits: context.feedbackLimits,
    publicUrl: options.publicUrl,
  });
  revalidateAnswers(app);
  compressAnswers(app);
  readJsonBodies(app, silentMs);
  measure(app, options, context);
  logRequests(app, { access: config.accessLog });
  provideOrigins(app);
  provideErrorDb(app, config.retentionDays);
  provideObjects(config.retentionDays);

  const operations = collectOperations(app);
  await addRoutes(app, context, {
    operations,
    updates: startLiveUpdates(app, options, context),
    isDraining: options.isDraining ?? (() => false),
  });
  await startIntake(app, context, { headers, newId });
  await app.register(async (scope) => docsRoutes(withZod(scope)));
  await app.register(async (scope) => serveDownloads(scope, REPORTER, config.dataDir, options.reporter));
  await app.register(async (scope) =>
    serveDownloads(scope, COMMAND_LINE, config.dataDir, options.commandLine),
  );
  await app.register(async (scope) =>
    serveWidget(scope, { authority: context.authority, dataDir: config.dataDir, built: options.widget }),
  );
  await app.register(async (scope) =>
    serveFormPages(scope, { db: database.db, built: options.widget ?? WIDGET }),
  );
  await app.register(async (scope) => shareTarget(scope));
  await app.register(async (scope) => serveWebApp(scope, options.publicUrl, options.webApp));
  return app;
}

type Shared = { headers: Record<string, string>; newId: () => string; silentMs: number };

/** Creates the server with its handlers for errors and unknown addresses. */
function createApp({ config, logger }: AppOptions, { headers, newId, silentMs }: Shared): App {
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
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, headers),
    // Requests that arrive on open connections while the server stops are finished, too.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: withMarkdownEnding,
    // The real compilers are set below. Without these, Fastify loads its own, which are a megabyte of code.
    schemaController: { compilersFactory: { buildValidator: neverUsed, buildSerializer: neverUsed } },
    bodyLimit: 64 * 1_048_576,
    // A malformed path matches no route, so hooks that set headers do not run.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers);
      discardBody(request.raw, reply, silentMs);
      void answerError(error, request, reply);
    },
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound("There is nothing at this address.");
  });
  app.setValidatorCompiler(validateWithZod);
  app.setSerializerCompiler(() => JSON.stringify);
  return app;
}

/** What the routes of all areas need. */
function createContext(app: App, options: AppOptions, silentMs: number): Context {
  const { database, config } = options;
  const limiter = new RateLimiter(database.pool);
  const lookups = new CachedLookups();
  const context: Context = {
    ...options,
    outside: database.db,
    lookups,
    authority: new Authority(database.db, lookups),
    limiter,
    keyLimits: new KeyLimits(limiter, config.limits.ingest),
    feedbackLimits: new FeedbackLimits(limiter, {
      address: config.limits.feedback_address,
      key: config.limits.feedback_key,
    }),
    slots: new RequestSlots(),
    uploads: new Uploads(uploadsFolder(config.dataDir), silentMs),
    examiner: new FileExaminer(),
    metrics: makeMetrics(),
    usage: new UsageCounter(database.db, {
      storageQuota: config.eventStorage,
      onError: (error) => app.log.warn({ err: error }, "counting the usage of projects failed"),
    }),
  };
  app.addHook("onClose", () => context.examiner.close());
  app.addHook("onClose", () => context.limiter.close());
  app.addHook("onReady", () => closeToOthers(attachmentsFolder(config.dataDir)));
  app.addHook("onReady", () => context.uploads.startSweeping());
  app.addHook("onClose", async () => context.uploads.stopSweeping());
  return context;
}

function measure(app: App, { database, logger }: AppOptions, { metrics }: Context) {
  observeRequests(app, metrics);
  measureDatabase(metrics, database, logger);
  measureJobs(metrics, database.pool, logger);
  measureBackups(metrics, database.pool, logger);
}

function startLiveUpdates(app: App, { database, live }: AppOptions, { metrics }: Context): LiveUpdates {
  const updates = new LiveUpdates(database, app.log, live);
  metrics.gauge("signalbox_live_streams", "Listeners to live updates.", () => updates.size);
  // Closing the server waits for open responses, and event streams do not end by themselves.
  app.addHook("preClose", () => updates.close());
  return updates;
}

/** Unique across processes and cheap: a random prefix for the process, and a counter. */
function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 13);
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
