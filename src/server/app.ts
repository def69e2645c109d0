import path from "node:path";
import cookie from "@fastify/cookie";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";

import { attachmentRoutes } from "./attachments/routes.ts";
import { attachmentUploadRoutes } from "./attachments/upload-routes.ts";
import { Authority } from "./auth/authority.ts";
import { commentRoutes } from "./comments/routes.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/connect.ts";
import { epicRoutes } from "./epics/routes.ts";
import { errorEventRoutes } from "./error-events/routes.ts";
import { errorGroupRoutes } from "./error-groups/routes.ts";
import { FileExaminer } from "./files/file-examiner.ts";
import { healthRoutes } from "./health/routes.ts";
import { readJsonBodies } from "./http/body.ts";
import { answerError, notFound } from "./http/errors.ts";
import { guard } from "./http/guard.ts";
import { RateLimiter } from "./http/rate-limit.ts";
import { securityHeaders, setSecurityHeaders } from "./http/security-headers.ts";
import { Uploads } from "./http/uploads.ts";
import { validateWithZod, type ZodTypes } from "./http/validation.ts";
import { invitationRoutes } from "./invitations/routes.ts";
import { issueRoutes } from "./issues/routes.ts";
import { labelRoutes } from "./labels/routes.ts";
import { laneRoutes } from "./lanes/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { watchRoutes } from "./notifications/watch-routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { projectMemberRoutes } from "./projects/member-routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import type { LiveOptions } from "./realtime/live-updates.ts";
import { eventRoutes } from "./realtime/routes.ts";
import { reportCreateRoutes } from "./reports/create-routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { roleRoutes } from "./roles/routes.ts";
import { sessionRoutes } from "./session/routes.ts";
import { setupRoutes } from "./setup/routes.ts";
import { sprintRoutes } from "./sprints/routes.ts";
import type { Storage } from "./storage/storage.ts";
import { personalTokenRoutes } from "./tokens/personal-routes.ts";
import { projectTokenRoutes } from "./tokens/project-routes.ts";
import { workspaceMemberRoutes } from "./workspaces/member-routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** What an area's routes are given. */
export type Context = {
  database: Database;
  config: Config;
  limiter: RateLimiter;
  storage: Storage;
  uploads: Uploads;
  examiner: FileExaminer;
  setupToken: string;
  live?: Partial<LiveOptions>;
  /** The address people reach the server at; known once it listens. */
  publicUrl: () => string;
};

export type App = FastifyInstance;
export type Api = ReturnType<typeof withZod>;

const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypes>();

export type AppOptions = {
  database: Database;
  config: Config;
  storage: Storage;
  setupToken: string;
  publicUrl: () => string;
  logger: FastifyBaseLogger;
  isDraining?: () => boolean;
  /** How long an upload may send nothing. */
  silentMs?: number;
  /** How live updates keep time; the defaults are for everybody but tests. */
  live?: Partial<LiveOptions>;
};

/** The whole HTTP service: plumbing first, then each area's routes. Listening is the caller's. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { database, config, logger } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than reading an event; what is logged names the request itself.
    childLoggerFactory: (parent) => parent,
    genReqId: requestIds(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 200 },
    bodyLimit: 64 * 1_048_576,
    // A path that cannot be read reaches no route, and so no hook.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(reply);
      void answerError(error, request, reply);
    },
  });
  const context: Context = {
    ...options,
    limiter: new RateLimiter(database.pool),
    // Beside the stored files, so that a file becomes one of them by a change of its name.
    uploads: new Uploads(path.join(config.dataDir, "attachments", "uploads"), options.silentMs),
    examiner: new FileExaminer(),
  };
  app.addHook("onClose", () => context.examiner.close());
  app.addHook("onReady", () => context.uploads.sweep());

  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound("There is nothing at this address.");
  });
  app.setValidatorCompiler(validateWithZod);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(cookie);
  securityHeaders(app);
  guard(app, {
    db: database.db,
    authority: new Authority(database.db),
    limiter: context.limiter,
    limits: config.limits,
    publicUrl: options.publicUrl,
  });
  readJsonBodies(app);

  const api = withZod(app);
  healthRoutes(api, database, options.isDraining ?? (() => false));
  setupRoutes(api, context);
  sessionRoutes(api, context);
  profileRoutes(api, context);
  personalTokenRoutes(api, context);
  workspaceRoutes(api, context);
  workspaceMemberRoutes(api, context);
  roleRoutes(api, context);
  invitationRoutes(api, context);
  mailRoutes(api, context);
  projectRoutes(api, context);
  projectMemberRoutes(api, context);
  projectTokenRoutes(api, context);
  laneRoutes(api, context);
  labelRoutes(api, context);
  sprintRoutes(api, context);
  epicRoutes(api, context);
  issueRoutes(api, context);
  commentRoutes(api, context);
  notificationRoutes(api, context);
  watchRoutes(api, context);
  errorGroupRoutes(api, context);
  reportRoutes(api, context);
  eventRoutes(api, context);
  attachmentRoutes(api, context);
  await app.register(async (scope) => reportCreateRoutes(withZod(scope), context));
  await app.register(async (scope) => attachmentUploadRoutes(withZod(scope), context));
  await app.register(async (scope) => errorEventRoutes(withZod(scope), context));
  return app;
}

/** Unique over all processes, and cheap: a random part for the process, then a count. */
function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 13);
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
