import { pino } from "pino";
import { buildApp, type App } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { connect, type Database, type Db } from "../../src/server/db/connect.ts";
import { client, type Client } from "./client.ts";
import { cloneDatabase } from "./postgres.ts";

export const SETUP_TOKEN = "a-set-up-token";

export type TestApp = {
  app: App;
  db: Db;
  database: Database;
  /** A client without a credential; `.as(token)` and `.withCookie(cookie)` give others. */
  http: Client;
  close(): Promise<void>;
};

/** The whole service on a database of its own; limits are out of the way unless a test sets them. */
export async function openTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const clone = await cloneDatabase();
  const opened = await openAppOn(clone.url, settings);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await clone.drop();
    },
  };
}

/** A further server process's worth of app on a database that is there already. */
export async function openAppOn(url: string, settings: Record<string, string> = {}): Promise<TestApp> {
  const config = readConfig(
    {
      LIMIT_API: "1000000",
      LIMIT_INGEST: "1000000",
      LIMIT_SIGN_IN: "1000000",
      LIMIT_DISMISS: "1000000",
      ...settings,
    },
    "/",
  );
  const database = connect(url, () => {});
  const app = await buildApp({
    database,
    config,
    setupToken: SETUP_TOKEN,
    publicUrl: () => config.publicUrl ?? "http://localhost:3000",
    logger: pino({ level: "fatal" }),
  });
  await app.ready();
  return {
    app,
    db: database.db,
    database,
    http: client(app),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}
