import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { startEmbedded } from "../postgres/embedded.ts";

/** Where the data is: the operator's PostgreSQL, or our own under the data directory. */
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
    // It throws one clear line for what is wrong with the machine; anything else is a mistake of ours.
    if (error instanceof Error && error.constructor === Error) throw new StartError(error.message, error);
    throw error;
  }
}
