import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { startEmbedded } from "../postgres/embedded.ts";

/** Uses the PostgreSQL of DATABASE_URL, or starts the embedded one with its data in DATA_DIR. Throws StartError. */
export async function openDatabase(
  config: Config,
  log: Logger,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  try {
    return await startEmbedded({
      dataDir: config.dataDir,
      log: ({ level, message }) => log[level]({ from: "postgres" }, message),
    });
  } catch (error) {
    // Plain errors describe problems of the machine, such as a full disk. Subclasses such as TypeError are bugs.
    if (error instanceof Error && error.constructor === Error) throw new StartError(error.message, error);
    throw error;
  }
}
