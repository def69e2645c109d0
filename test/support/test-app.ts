import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { pino } from "pino";
import { buildApp, type App, type AppOptions } from "../../src/server/start/app.ts";
import { readConfig } from "../../src/server/config/config.ts";
import { connect, MAX_CONNECTIONS, type Database, type Db } from "../../src/server/db/connect.ts";
import { LONG_WORK_TIMES, type WatchTimes } from "../../src/server/db/silence-watch.ts";
import { openStorage } from "../../src/server/files/storage/open-storage.ts";
import type { Storage } from "../../src/server/files/storage/storage.ts";
import { client, type Client } from "./client.ts";
import { watchAnswers } from "./conformance.ts";
import { cloneDatabase } from "./postgres.ts";

export const SETUP_TOKEN = "a-set-up-token";

export type TestApp = {
  app: App;
  db: Db;
  database: Database;
  storage: Storage;
  /** Its DATA_DIR, removed on close unless the test provided it. */
  dataDir: string;
  /** A client without credentials; `.as(token)` and `.withCookie(cookie)` return clients with credentials. */
  http: Client;
  close(): Promise<void>;
};

/** Opens an app that is closed after the file's tests. Await it at the top of the file. */
export async function useTestApp(
  settings: Record<string, string> = {},
  options: Options = {},
): Promise<TestApp> {
  const t = await openTestApp(settings, options);
  after(() => t.close());
  return t;
}

/**
 * Opens the whole app on a new database. Rate limits are off, and metrics readable, unless the test sets them. Closing it fails if a response did
 * not match the OpenAPI document.
 */
export async function openTestApp(
  settings: Record<string, string> = {},
  options: Options = {},
): Promise<TestApp> {
  const clone = await cloneDatabase();
  const opened = await openAppOn(clone.url, settings, options);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await clone.drop();
    },
  };
}

type Options = Partial<
  Pick<
    AppOptions,
    "silentMs" | "live" | "webApp" | "reporter" | "commandLine" | "widget" | "isDraining" | "logger"
  >
> & {
  /** When the database counts as silent. Much later than in production, because the machine may be slow. */
  watchTimes?: WatchTimes;
  /** PostgreSQL itself, if the app's database is reached through a pooler. */
  directUrl?: string;
  /** How long a statement waits for a lock. Much longer than in production, because the machine may be slow. */
  lockTimeout?: string;
  storage?: Storage;
};

/** Opens another app, as a second server process would, on an existing database. */
export async function openAppOn(
  url: string,
  settings: Record<string, string> = {},
  options: Options = {},
): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-app-"));
  const config = readConfig(
    {
      LIMIT_API: "1000000",
      LIMIT_SESSION: "1000000",
      LIMIT_INGEST: "1000000",
      LIMIT_SIGN_IN: "1000000",
      LIMIT_DISMISS: "1000000",
      LIMIT_FEEDBACK_ADDRESS: "1000000",
      LIMIT_FEEDBACK_KEY: "1000000",
      METRICS_LOOPBACK: "true",
      DATA_DIR: folder,
      ...settings,
    },
    "/",
  );
  const {
    watchTimes = LONG_WORK_TIMES,
    directUrl,
    lockTimeout = "50s",
    storage = await openStorage(config),
    ...appOptions
  } = options;
  const database = connect(url, () => {}, {
    directUrl,
    watch: watchTimes,
    lockTimeout,
    statementTimeout: "60s",
    waitMs: 60_000,
    keptConnections: MAX_CONNECTIONS,
  });
  const [app, conformance] = await watchAnswers(() =>
    buildApp({
      // Only the API, so that tests do not depend on a built web app.
      webApp: path.join(folder, "no-web-app"),
      reporter: path.join(folder, "no-reporter"),
      commandLine: path.join(folder, "no-command-line"),
      widget: path.join(folder, "no-widget"),
      ...appOptions,
      database,
      config,
      storage,
      setupToken: SETUP_TOKEN,
      publicUrl: () => config.publicUrl ?? "http://localhost:3000",
      logger: options.logger ?? pino({ level: "fatal" }),
    }),
  );
  await app.ready();
  return {
    app,
    db: database.db,
    database,
    storage,
    dataDir: config.dataDir,
    http: client(app),
    close: async () => {
      await app.close();
      storage.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
      conformance.check();
    },
  };
}
