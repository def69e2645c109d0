import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { startEmbedded } from "../postgres/embedded.ts";

/** `directUrl` leads to PostgreSQL itself, `url` possibly to a connection pooler in transaction mode. */
export type DatabaseSource = { url: string; directUrl: string; stop(): Promise<void> };

/**
 * Uses the PostgreSQL of DATABASE_URL, or starts the embedded one with its data in DATA_DIR. Throws StartError. Calls
 * `whileStarting` while this process only waits for PostgreSQL.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  whileStarting = () => {},
): Promise<DatabaseSource> {
  const { databaseUrl: url, databaseDirectUrl: directUrl = url } = config;
  if (url !== undefined && directUrl !== undefined) return { url, directUrl, stop: async () => {} };
  try {
    const server = await startEmbedded({
      dataDir: config.dataDir,
      whileStarting,
      log: ({ level, message }) => log[level]({ from: "postgres" }, message),
    });
    return { url: server.url, directUrl: server.url, stop: server.stop };
  } catch (error) {
    // Plain errors describe problems with the machine, such as a full disk. Subclasses such as TypeError are bugs.
    if (error instanceof Error && error.constructor === Error) throw new StartError(error.message, error);
    throw error;
  }
}
