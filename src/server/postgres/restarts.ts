import { setTimeout as wait } from "node:timers/promises";

import type { Cluster } from "./cluster.ts";
import { endLeftovers } from "./leftovers.ts";
import type { Log } from "./log-level.ts";
import { startPostmaster } from "./postmaster.ts";

/** Backoff between restarts, in ms. It starts again at the first pause once PostgreSQL has run for a minute. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const STABLE_AFTER_MS = 60_000;

type Running = { sockets: string; settings: Record<string, string>; log: Log; whileStarting: () => void };

/**
 * Starts PostgreSQL, and restarts it whenever it exits unexpectedly, with a growing backoff in case it cannot start, for
 * example because the disk is full. Resolves when it accepts connections; throws if the first start fails. Calls `whileStarting`
 * as soon as the first process runs.
 */
export async function keepRunning(
  cluster: Cluster,
  { sockets, settings, log, whileStarting }: Running,
): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController();
  let postmaster = startPostmaster(cluster, settings, log);
  let started = performance.now();
  whileStarting();
  await postmaster.ready;
  let pause = 0;

  /** Returns false when stopping. */
  const restart = async (): Promise<boolean> => {
    const how = await postmaster.ended;
    if (stopping.signal.aborted) return false;
    log({ level: "error", message: `PostgreSQL exited unexpectedly (${how}) and is being restarted.` });
    pause =
      performance.now() - started > STABLE_AFTER_MS
        ? MIN_PAUSE_MS
        : Math.min(Math.max(pause * 2, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
    // If processes remain, the restart fails and is tried again.
    await endLeftovers(cluster.data, sockets).catch(() => {});
    if (stopping.signal.aborted) return false;
    postmaster = startPostmaster(cluster, settings, log);
    started = performance.now();
    await postmaster.ready.then(
      () => log({ level: "info", message: "PostgreSQL accepts connections again." }),
      () => {},
    );
    return true;
  };
  const restarts = (async () => {
    while (await restart());
  })();

  return {
    stop: async () => {
      stopping.abort();
      await postmaster.stop();
      await restarts;
    },
  };
}
