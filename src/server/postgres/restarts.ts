import { setTimeout as wait } from "node:timers/promises";

import type { Cluster } from "./cluster.ts";
import { endLeftovers } from "./leftovers.ts";
import type { Log } from "./log-level.ts";
import { startPostmaster } from "./postmaster.ts";

/** Pauses before a restart, in ms; the first again after PostgreSQL ran for a while. */
const firstPause = 100;
const longestPause = 10_000;
const aWhile = 60_000;

/**
 * Starts PostgreSQL, and again whenever it ends by itself, pausing longer and longer while that does not help, such as
 * on a full disk. Answers when it accepts connections; throws when it does not start the first time.
 */
export async function keepRunning(
  cluster: Cluster,
  sockets: string,
  settings: Record<string, string>,
  log: Log,
): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController();
  let postmaster = startPostmaster(cluster, settings, log);
  let started = performance.now();
  await postmaster.ready;
  let pause = 0;

  /** Answers whether it is to be restarted again. */
  const restart = async (): Promise<boolean> => {
    const how = await postmaster.ended;
    if (stopping.signal.aborted) return false;
    log({ level: "error", message: `PostgreSQL ended by itself (${how}) and is started again.` });
    pause =
      performance.now() - started > aWhile
        ? firstPause
        : Math.min(Math.max(pause * 2, firstPause), longestPause);
    await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
    // What cannot be ended keeps the new one from starting, and then we come here again.
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
