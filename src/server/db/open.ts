import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { startEmbedded } from "./embedded.ts";

/** Where the data is: the operator's PostgreSQL, or our own under the data directory. */
export async function openDatabase(config: Config, log: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  return startEmbedded({
    dataDir: config.dataDir,
    log: ({ level, message }) => log[level]({ from: "postgres" }, message),
  });
}
