import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { lockFile } from "./data-dir-lock.ts";
import { makeAddress } from "./address.ts";
import { findBinaries } from "./binaries.ts";
import { prepareCluster } from "./cluster.ts";
import { endLeftovers } from "./leftovers.ts";
import type { Log } from "./log-level.ts";
import { keepRunning } from "./restarts.ts";
import { embeddedSettings } from "./settings.ts";
import { accountFor } from "./unprivileged-account.ts";

/** The product's own PostgreSQL. */
export type EmbeddedServer = {
  /** For node-postgres: the database `signalbox` as its superuser. Valid until `stop`, over restarts too. */
  url: string;
  /** Ends PostgreSQL and gives the data directory free. To be called once nothing uses the database any more. */
  stop(): Promise<void>;
};

type Options = { dataDir: string; log: Log; settings?: Record<string, string> };

/**
 * Starts PostgreSQL with its data under `<dataDir>/postgres`, which it makes on first use, and answers when the
 * database accepts connections. When PostgreSQL ends by itself it is started again, as often as needed. Only who may
 * enter the socket's directory and knows the password can connect. `settings` outweigh the usual ones. Throws one
 * clear line when another server uses the directory, or when PostgreSQL cannot run.
 */
export async function startEmbedded({ dataDir, log, settings = {} }: Options): Promise<EmbeddedServer> {
  try {
    return await start(resolve(dataDir), log, settings);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new Error(`The database in ${dataDir} cannot be used: ${error.message}`, { cause: error });
  }
}

async function start(dataDir: string, log: Log, wanted: Record<string, string>): Promise<EmbeddedServer> {
  const home = join(dataDir, "postgres");
  await mkdir(home, { recursive: true, mode: 0o711 });
  const lock = lockFile(join(home, "lock"));
  if (!lock) throw new Error(`Another Signalbox is running on ${dataDir}: stop it, or set another DATA_DIR.`);
  const undo = [async () => lock.release()];
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= undoAll(undo));
  try {
    const data = join(home, "data");
    const sockets = join(home, "socket");
    const account = await accountFor(data);
    const binaries = await findBinaries(account, caches(home));
    const cluster = { data, binaries, account };
    const address = await makeAddress(sockets, account);
    undo.push(address.remove);
    if ((await endLeftovers(data, sockets)) > 0) {
      log({ level: "warn", message: "Ended a PostgreSQL that had lost its server." });
    }
    const settings: Record<string, string> = { ...embeddedSettings, ...address.settings, ...wanted };
    const password = await prepareCluster(cluster, join(home, "password"), settings["fsync"] !== "off");
    const running = await keepRunning(cluster, sockets, settings, log);
    undo.push(running.stop);
    return { url: address.url(password), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The last first: the lock goes at the end. */
async function undoAll(steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps.toReversed()) await step();
}

/** Where PostgreSQL's programs may be copied to when the account cannot run the installed ones. */
function caches(home: string): string[] {
  return process.getuid?.() === 0
    ? ["/var/cache/signalbox", join(tmpdir(), "signalbox-cache"), home]
    : [home];
}
