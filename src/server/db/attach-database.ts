import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { connectionOptions } from "./connection-options.ts";
import { findAddress } from "../postgres/address.ts";
import { openDatabase, type DatabaseSource } from "./open-database.ts";

/**
 * Opens the database for a command that works beside a running server. If an embedded PostgreSQL is running, the command
 * uses it and `stop` leaves it running; otherwise it is started until `stop`. Does not create a database: throws
 * StartError if there is none yet.
 */
export async function attachDatabase(config: Config, log: Logger): Promise<DatabaseSource> {
  if (config.databaseUrl !== undefined) return openDatabase(config, log);
  if (!hasDatabase(config)) throw new StartError(`There is no database in ${config.dataDir} yet.`);
  return (await findRunning(path.join(config.dataDir, "postgres"))) ?? (await openDatabase(config, log));
}

/** Whether the server has been started with this data directory before, or DATABASE_URL is set. */
export function hasDatabase({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): boolean {
  return databaseUrl !== undefined || existsSync(path.join(dataDir, "postgres", "data", "PG_VERSION"));
}

async function findRunning(home: string): Promise<DatabaseSource | undefined> {
  const address = await findAddress(path.join(home, "socket"), path.join(home, "data"));
  const password = await readFile(path.join(home, "password"), "utf8").catch(() => "");
  if (!address) return undefined;
  const url = address.url(password.trim());
  if (await answers(url)) return { url, directUrl: url, stop: address.remove };
  await address.remove();
  return undefined;
}

/** False if a killed server left the socket behind, and while a server starts or stops. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(connectionOptions(url));
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
