import type { FastifyInstance } from "fastify";
import type { CachedLookups } from "../access/cached-lookup.ts";
import { withZod, type Context } from "../access/context.ts";
import type { Db } from "../db/connect.ts";
import { answerDirectly } from "../http/answer-directly.ts";
import { clientAddressReader } from "../http/client-address.ts";
import { isDebug } from "../http/request-log.ts";
import { nativeDoor } from "../ingest/doors/native-door.ts";
import { EventReader } from "../ingest/event-reader.ts";
import { openProjectRules } from "../ingest/project-rules/project-rules.ts";
import { AlertCounter } from "../ingest/store/alert-counter.ts";
import { Ingestion } from "../ingest/store/ingestion.ts";
import { NewGroups } from "../ingest/store/new-groups.ts";
import { otlpRoutes } from "../ingest/doors/otlp/routes.ts";
import { errorEventRoutes } from "../ingest/doors/routes.ts";
import { sentryDoor } from "../ingest/doors/sentry/sentry-door.ts";
import type { SlowRule } from "../ingest/drop-events/dropping-rule.ts";
import { pauseInboundRules } from "../errors/rules/inbound/pause-rules.ts";
import { sentryRoutes } from "../ingest/doors/sentry/routes.ts";
import { MappedGrouping } from "../source-maps/grouping/mapped-grouping.ts";
import { SessionCounter } from "../ingest/sessions/session-counter.ts";
import { ErrorGroupChanges } from "../record/error-group-changes.ts";

type DoorOptions = {
  headers: Record<string, string>;
  newId: () => string;
};

/**
 * Starts the listeners that receive errors, and adds their routes. Most events are handled before Fastify; the routes handle
 * unusual requests.
 */
export async function startIntake(app: FastifyInstance, context: Context, { headers, newId }: DoorOptions) {
  const { config } = context;
  const { log: logger } = app;
  const intake = { ...context, ...startIngestion(app, context) };
  // The log of every request is written where the other requests are.
  if (!config.accessLog && !isDebug(logger)) {
    const door = { ...intake, logger, headers, newId, route: app.routing };
    answerDirectly(
      app,
      nativeDoor({ ...door, limit: config.limits.ingest }),
      sentryDoor({ ...door, addressOf: clientAddressReader(config.trustProxy) }),
    );
  }
  await app.register(async (scope) => errorEventRoutes(withZod(scope), intake));
  await app.register(async (scope) => otlpRoutes(withZod(scope), intake));
  await app.register(async (scope) => sentryRoutes(withZod(scope), context, intake));
}

function startIngestion(
  app: FastifyInstance,
  { outside: db, database, config, lookups, limiter, metrics, usage }: Context,
) {
  const changes = new ErrorGroupChanges(db, {
    onError: (error) => app.log.warn({ err: error }, "live updates of error groups failed"),
  });
  const ingestion = new Ingestion({
    pool: database.ingest,
    retentionDays: config.retentionDays,
    onStored: (groups) => changes.add(groups),
    onBatch: metrics.batch,
    usage,
    newGroups: new NewGroups(limiter, config.limits.ingest),
  });
  const alertCounter = new AlertCounter(db, (error) =>
    app.log.warn({ err: error }, "events could not be counted for alert rules"),
  );
  const sessions = new SessionCounter(db, {
    usage,
    onError: (error) => app.log.warn({ err: error }, "sessions could not be counted"),
  });
  const reader = new EventReader(pauseSlowRules(app, db, lookups));
  app.addHook("onClose", async () => {
    await reader.close();
    await changes.close();
    await sessions.close();
    await usage.close();
    await alertCounter.close();
  });
  const mappedGrouping = new MappedGrouping(db);
  const projectRules = openProjectRules(db, lookups);
  return { db, projectRules, ingestion, reader, mappedGrouping, alertCounter, sessions };
}

const pauseSlowRules = (app: FastifyInstance, db: Db, lookups: CachedLookups) => (slow: SlowRule[]) =>
  void pauseInboundRules(db, slow).then(
    () => lookups.forget(),
    (error: unknown) => app.log.warn({ err: error }, "slow inbound rules could not be paused"),
  );
