import type { FastifyInstance } from "fastify";
import { withZod, type Context } from "../access/context.ts";
import { answerDirectly } from "../http/answer-directly.ts";
import { clientAddressReader } from "../http/client-address.ts";
import { isDebug } from "../http/request-log.ts";
import { nativeDoor } from "../ingest/doors/native-door.ts";
import { otlpRoutes } from "../ingest/doors/otlp/routes.ts";
import { openIntake } from "../ingest/open-intake.ts";
import { errorEventRoutes } from "../ingest/doors/routes.ts";
import { sentryDoor } from "../ingest/doors/sentry/sentry-door.ts";
import { sentryRoutes } from "../ingest/doors/sentry/routes.ts";
import { Relay } from "../ingest/relay/relay.ts";
import { SessionCounter } from "../ingest/sessions/session-counter.ts";
import { pingRoutes } from "../monitors/check-ins/ping-routes.ts";
import { openCheckIns, type CheckIns } from "../monitors/check-ins/record-check-ins.ts";
import { openSentryCheckIns } from "../monitors/sentry-check-in.ts";

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
  const checkIns = startCheckIns(app, context);
  const intake = {
    ...context,
    ...startIngestion(app, context),
    checkIns: openSentryCheckIns(context.outside, checkIns),
    relay: startRelay(app, context),
  };
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
  const { projectRules } = intake;
  await app.register(async (scope) => pingRoutes(withZod(scope), context, { checkIns, projectRules }));
}

function startCheckIns(app: FastifyInstance, { outside }: Context): CheckIns {
  const checkIns = openCheckIns(outside, (error) =>
    app.log.warn({ err: error }, "live updates of monitors failed"),
  );
  app.addHook("onClose", () => checkIns.close());
  return checkIns;
}

/** How long the servers that envelopes are forwarded to may take while this one stops. */
const FORWARD_MS = 3_000;

function startRelay(app: FastifyInstance, { outside, config }: Context): Relay {
  const relay = new Relay(outside, {
    allowed: config.webhookAllow,
    onError: (error) => app.log.warn({ err: error }, "forwarding envelopes failed"),
  });
  app.addHook("onClose", () => relay.close(FORWARD_MS));
  return relay;
}

function startIngestion(app: FastifyInstance, context: Context) {
  const { config, metrics } = context;
  const { close, ...intake } = openIntake({
    ...context,
    db: context.outside,
    retentionDays: config.retentionDays,
    ingestLimit: config.limits.ingest,
    onBatch: metrics.batch,
    log: app.log,
  });
  const sessions = new SessionCounter(context.outside, {
    usage: context.usage,
    onError: (error) => app.log.warn({ err: error }, "sessions could not be counted"),
  });
  app.addHook("onClose", async () => {
    await sessions.close();
    await close();
  });
  return { ...intake, sessions };
}
