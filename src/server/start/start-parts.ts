import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { buildIfNeeded } from "../../../build/build-if-needed.ts";
import { COMMAND_LINE, REPORTER_DOWNLOADS, WEB_APP, WIDGET } from "../../../build/builds.ts";
import { randomSecret } from "../access/tokens.ts";
import { buildApp, type App } from "./app.ts";
import type { Config } from "../config/config.ts";
import { LogOutput } from "../config/log-output.ts";
import { connect, type Database } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import type { DatabaseSource } from "../db/open-database.ts";
import { requireSameDatabase } from "../db/require-same-database.ts";
import { openStorage } from "../files/storage/open-storage.ts";
import type { Storage } from "../files/storage/storage.ts";
import { listenError } from "../http/listen-address.ts";
import { collectAtRest } from "./collect-at-rest.ts";
import { lowerV8Threads } from "./lower-v8-threads.ts";
import { startJobs } from "../jobs/start-jobs.ts";
import { setupRequired } from "../sign-in/setup/set-up.ts";

export type Parts = { web: boolean; jobs: boolean };
export type Stop = () => Promise<void>;

type Options = {
  config: Config;
  source: DatabaseSource;
  log: Logger;
  drainMs: number;
  isDraining: () => boolean;
  /** Receives the functions that stop the parts, in the order of their start. */
  stops: Stop[];
};

/** Starts the parts, after migrating the database if necessary. */
export async function startParts(parts: Parts, options: Options): Promise<void> {
  const { config, source, log, stops } = options;
  // Migrates while the app is built.
  const migrated = prepareDatabase(options);
  migrated.catch(() => {});
  const onError = (error: Error) => log.warn({ err: error }, "a database connection failed");
  const database = connect(source.url, onError, { directUrl: config.databaseDirectUrl });
  stops.push(database.close);
  const storage = await openStorage(config);
  stops.push(async () => storage.close());
  // Requests and jobs stop at the same time, so that neither accepts new work while the other finishes.
  const running: Stop[] = [];
  stops.push(async () => void (await Promise.all(running.map((stop) => stop()))));
  const start = { ...options, database, storage, running };
  const web = parts.web ? await makeWeb(start) : undefined;
  await migrated;
  await web?.listen();
  if (parts.jobs) startBackground(start);
  lowerV8Threads();
  const memory = collectAtRest();
  stops.push(async () => memory.stop());
  // Write the compile cache now, because a killed process cannot, and because it now contains only the code for a start.
  flushCompileCache();
}

async function prepareDatabase({ source, log }: Options) {
  await requireSameDatabase(source.url, source.directUrl);
  const steps = await migrate(source.directUrl, undefined, {
    onStep: (name, number, count) => log.info(`Migrating the database, step ${number} of ${count}: ${name}`),
  });
  if (steps[0]?.startsWith("0001-")) log.info("Created the tables of a new database.");
}

type Start = Options & { database: Database; storage: Storage; running: Stop[] };

/** Builds the parts. Does not use the database before `listen`. */
async function makeWeb({ config, database, storage, log, running, drainMs, isDraining }: Start) {
  const builds = [WEB_APP, REPORTER_DOWNLOADS, COMMAND_LINE, WIDGET];
  await Promise.all(builds.map((build) => buildIfNeeded(build, log)));
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
  return {
    listen: async () => {
      await listen(app, config);
      const { port } = app.server.address() as AddressInfo;
      publicUrl = config.publicUrl ?? `http://localhost:${port}`;
      printLine(log, `Signalbox is ready on ${publicUrl}`);
      if (await setupRequired(database.db))
        printLine(
          log,
          `First start: set it up at ${publicUrl}/setup?token=${setupToken} (setup token: ${setupToken})`,
        );
    },
  };
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

/** Prints a line that the operator needs even if LOG_LEVEL is above info. */
function printLine(log: Logger, line: string) {
  if (log.isLevelEnabled("info")) log.info(line);
  else new LogOutput(1).write(`${line}\n`);
}
