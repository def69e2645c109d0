import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { connectionOptions } from "./connect.ts";
import { findAddress } from "../postgres/address.ts";
import { openDatabase } from "./open-database.ts";

/**
 * The database for a command that works beside a running server: with an embedded PostgreSQL that runs, that one, which
 * `stop` leaves alone; otherwise it is started for as long as the command takes. Makes no database: throws StartError
 * when there is none yet.
 */
export async function attachDatabase(
  config: Config,
  log: Logger,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return openDatabase(config, log);
  if (!hasDatabase(config)) throw new StartError(`There is no database in ${config.dataDir} yet.`);
  return (await findRunning(path.join(config.dataDir, "postgres"))) ?? (await openDatabase(config, log));
}

/** Whether a first start has been there, or the database is the operator's. */
export function hasDatabase({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): boolean {
  return databaseUrl !== undefined || existsSync(path.join(dataDir, "postgres", "data", "PG_VERSION"));
}

async function findRunning(home: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const address = await findAddress(path.join(home, "socket"), path.join(home, "data"));
  const password = await readFile(path.join(home, "password"), "utf8").catch(() => "");
  if (!address) return undefined;
  const url = address.url(password.trim());
  if (await answers(url)) return { url, stop: address.remove };
  await address.remove();
  return undefined;
}

/** A socket that was left behind, or a server on its way up or down, does not. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5_000 });
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
