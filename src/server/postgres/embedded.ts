import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { lockFile } from "./data-dir-lock.ts";
import { makeAddress } from "./address.ts";
import { findBinaries } from "./binaries.ts";
import { prepareCluster } from "./cluster.ts";
import { endLeftovers } from "./leftovers.ts";
import type { Log } from "./log-level.ts";
import { makeFolder } from "./make-folder.ts";
import { keepRunning } from "./restarts.ts";
import { embeddedSettings } from "./settings.ts";
import { accountFor } from "./unprivileged-account.ts";

/** The product's own PostgreSQL. */
export type EmbeddedServer = {
  /** For node-postgres: the database `signalbox` as superuser. Stays valid until `stop`, across restarts of PostgreSQL. */
  url: string;
  /** Stops PostgreSQL and unlocks the data directory. Close all connections first. */
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
  /** Called when PostgreSQL's process has been started. What it does should take at most as long as PostgreSQL needs to be ready. */
  whileStarting?: () => void;
};

/**
 * Starts PostgreSQL with its data in `<dataDir>/postgres`, which is created on first use, and resolves when the database
 * accepts connections. If PostgreSQL crashes, it is restarted. Clients need access to the socket's directory and the
 * password. `settings` override the defaults. Throws an error with one line if another server uses the directory, or if
 * PostgreSQL cannot run.
 */
export async function startEmbedded(options: Options): Promise<EmbeddedServer> {
  try {
    return await start(options);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new Error(`The database in ${options.dataDir} cannot be used: ${error.message}`, { cause: error });
  }
}

async function start({
  log,
  settings: wanted = {},
  whileStarting = () => {},
  ...options
}: Options): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const home = join(dataDir, "postgres");
  await makeFolder(home, 0o711);
  const lock = lockFile(join(home, "lock"));
  if (!lock) throw new Error(`Another Signalbox is running on ${dataDir}. Stop it, or set another DATA_DIR.`);
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
      log({ level: "warn", message: "Stopped a PostgreSQL that a killed server had left running." });
    }
    const settings: Record<string, string> = { ...embeddedSettings, ...address.settings, ...wanted };
    const password = await prepareCluster(cluster, join(home, "password"), settings["fsync"] !== "off");
    const running = await keepRunning(cluster, { sockets, settings, log, whileStarting });
    undo.push(running.stop);
    return { url: address.url(password), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** In reverse order, so that the lock is released last. */
async function undoAll(steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps.toReversed()) await step();
}

/** Folders to which PostgreSQL's programs may be copied if the account cannot run the installed ones. */
function caches(home: string): string[] {
  return process.getuid?.() === 0
    ? ["/var/cache/signalbox", join(tmpdir(), "signalbox-cache"), home]
    : [home];
}
