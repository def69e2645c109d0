import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { buildApp, type App } from "./app.ts";
import { randomSecret } from "./access/tokens.ts";
import type { Config } from "./config/config.ts";
import { listenError, requireFreeAddress } from "./http/listen-address.ts";
import { connect, type Database } from "./db/connect.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/open-database.ts";
import { requireSameDatabase } from "./db/require-same-database.ts";
import { startJobs } from "./operations/jobs/start-jobs.ts";
import { LogOutput } from "./config/log-output.ts";
import { makeLogger } from "./config/make-logger.ts";
import { openStorage } from "./files/storage/open-storage.ts";
import type { Storage } from "./files/storage/storage.ts";
import { setupRequired } from "./sign-in/setup/set-up.ts";
import { buildReporter } from "./operations/reporter/build-reporter.ts";
import { buildWebApp } from "./operations/web-app/build-web-app.ts";

/** How long requests in flight may take after the server was told to stop. */
const DRAIN_MS = 10_000;

/** How long everything after that may take, such as a statement of a background job and the embedded database. */
const CLOSE_MS = 10_000;

type Parts = { web: boolean; jobs: boolean };

/**
 * Runs the server until SIGTERM or Ctrl-C, and DRAIN_SECONDS longer. Then waits at most `drainMs` for requests in flight, and stops everything in
 * the reverse order of its start. If that takes more than another `closeMs`, the process exits with code 1.
 */
export async function serve(
  config: Config,
  parts: Parts,
  drainMs = DRAIN_MS,
  closeMs = CLOSE_MS,
): Promise<void> {
  const log = makeLogger(config.logLevel);
  const stops: Stop[] = [];
  const running: Stop[] = [];
  const state = { draining: false };
  const stopAll = async () => {
    state.draining = true;
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  const stopped = untilSignal(log);
  try {
    const source = await openDatabase(config, log);
    stops.push(source.stop);
    // The embedded database has started by now, so that a second start on one DATA_DIR says what it is.
    if (parts.web) await requireFreeAddress(config);
    const steps = await migrate(source.directUrl);
    if (steps.length > 0) log.info(`Database migrated: ${steps.join(", ")}`);
    if (config.databaseDirectUrl !== undefined) await requireSameDatabase(source.url, source.directUrl);
    const onError = (error: Error) => log.warn({ err: error }, "a database connection failed");
    const database = connect(source.url, onError, { directUrl: config.databaseDirectUrl });
    stops.push(database.close);
    const storage = await openStorage(config);
    stops.push(async () => storage.close());
    // Requests and jobs stop at the same time, so that neither accepts new work while the other finishes.
    stops.push(async () => void (await Promise.all(running.map((stop) => stop()))));
    if (parts.web)
      await startWeb({ config, database, storage, log, running, drainMs, isDraining: () => state.draining });
    if (parts.jobs) startBackground({ config, database, storage, log, running });
    await stopped;
    if (parts.web && config.drainSeconds > 0) {
      // A proxy notices that the server is not ready before the server accepts no more connections.
      state.draining = true;
      log.info(`Not ready anymore. Accepting requests for another ${config.drainSeconds} seconds.`);
      await pause(config.drainSeconds * 1_000);
    }
    log.info("Stopping after requests in flight have finished.");
    exitIn(drainMs + closeMs, log);
    await stopAll();
    log.info("Stopped.");
  } catch (error) {
    await stopAll().catch((second: Error) => log.error({ err: second }, "stopping failed"));
    throw error;
  }
}

/** Whatever keeps the process from stopping, a supervisor would kill it soon, and with it the embedded database. */
function exitIn(ms: number, log: Logger) {
  setTimeout(() => {
    log.error("Stopping takes too long: exiting now.");
    process.exit(1);
  }, ms).unref();
}

type Stop = () => Promise<void>;
type Draining = { drainMs: number; isDraining: () => boolean };
type Start = { config: Config; database: Database; storage: Storage; log: Logger; running: Stop[] };

async function startWeb({ config, database, storage, log, running, drainMs, isDraining }: Start & Draining) {
  await Promise.all([buildWebApp(log), buildReporter(log)]);
  const setupToken = config.setupToken ?? randomSecret();
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const app = await buildApp({
    database,
    config,
    storage,
    setupToken,
    logger: log,
    publicUrl: () => publicUrl,
    isDraining,
  });
  running.push(() => drain(app, drainMs));
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo;
  publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  announce(log, `Signalbox is ready on ${publicUrl}`);
  if (await setupRequired(database.db))
    announce(
      log,
      `First start: set it up at ${publicUrl}/setup?token=${setupToken} (setup token: ${setupToken})`,
    );
}

function startBackground({ config, database, storage, log, running }: Start) {
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  running.push(startJobs({ database, config, storage, publicUrl: () => publicUrl, log }).stop);
}

async function listen(app: App, { host, port }: Config) {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `Listening on ${address}` });
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, { host, port });
  }
}

/**
 * Finishes accepted requests, and disconnects clients that have not sent theirs completely by the deadline. A connection
 * in use when the server starts to close stays open after its response, so idle connections are closed repeatedly.
 */
async function drain(app: App, drainMs: number) {
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(deadline);
}

/** Resolves at the first SIGTERM or SIGINT. The second one exits immediately. */
function untilSignal(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) {
        log.warn(`Second ${signal}: exiting immediately.`);
        process.exit(1);
      }
      isStopping = true;
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
}

/** Prints a line that the operator needs even if LOG_LEVEL is above info. */
function announce(log: Logger, line: string) {
  if (log.isLevelEnabled("info")) log.info(line);
  else new LogOutput(1).write(`${line}\n`);
}
