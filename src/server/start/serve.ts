import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { makeLogger } from "../config/make-logger.ts";
import { confirmUpgrade, resumeUpgrade } from "../commands/upgrade/resume-upgrade.ts";
import { openDatabase } from "../db/open-database.ts";
import { requireFreeAddress } from "../http/listen-address.ts";
import type { Parts, Stop } from "./start-parts.ts";

/** How long requests in flight may take after the signal to stop. */
const DRAIN_MS = 10_000;

/** How long everything after that may take, such as a statement of a background job and the embedded database. */
const CLOSE_MS = 10_000;

/** Most of the program. It is loaded while PostgreSQL starts, on another core. */
const loadProgram = () => import("./start-parts.ts");

/**
 * Runs the server until DRAIN_SECONDS after SIGTERM or Ctrl-C. Then waits at most `drainMs` for requests in flight, and stops
 * everything in reverse order. If that takes more than another `closeMs`, the process exits with code 1.
 */
export async function serve(
  config: Config,
  parts: Parts,
  drainMs = DRAIN_MS,
  closeMs = CLOSE_MS,
): Promise<void> {
  const log = makeLogger(config.logLevel);
  const stops: Stop[] = [];
  const state = { draining: false };
  const stopAll = async () => {
    state.draining = true;
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  const stopped = untilSignal(log);
  try {
    await resumeUpgrade(config.dataDir);
    // The later call of `loadProgram` throws if this one fails.
    const source = await openDatabase(config, log, () => void loadProgram().catch(() => {}));
    stops.push(source.stop);
    // Only after the embedded database has started, so that a second server on the same DATA_DIR fails with that reason.
    if (parts.web) await requireFreeAddress(config);
    const { startParts } = await loadProgram();
    await startParts(parts, { config, source, log, drainMs, isDraining: () => state.draining, stops });
    await confirmUpgrade(config.dataDir);
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

/** Exits if something prevents the process from stopping: a supervisor would kill it, and the embedded database with it. */
function exitIn(ms: number, log: Logger) {
  setTimeout(() => {
    log.error("Stopping takes too long: exiting now.");
    process.exit(1);
  }, ms).unref();
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
