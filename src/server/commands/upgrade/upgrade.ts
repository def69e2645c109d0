import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { chmod, copyFile, open, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { readConfig, type Config } from "../../config/config.ts";
import { StartError } from "../../config/start-error.ts";
import { listMigrations } from "../../db/migrate.ts";
import type { DataDirLock } from "../../postgres/data-dir-lock.ts";
import { lockUpgrade, readJournal, writeJournal, type Journal } from "./journal.ts";
import { copyDatabase, finish, nextFile, requireSpaceForCopy, rollBack, swapFiles } from "./kept-data.ts";
import { packagedProgram, readRelease, type Program, type Release } from "./program.ts";
import { closeOutput, findServer, killServer, programOf, startServer, stopServer } from "./running-server.ts";
import type { RunningServer } from "./running-server.ts";
import { requireSignature } from "./signature.ts";

const run = promisify(execFile);

/** How long the old server may take to stop, beyond DRAIN_SECONDS. It exits by itself after 20 seconds. */
const STOP_MS = 40_000;
/** Before a new server that is not ready is killed. */
const STOP_NEW_MS = 30_000;
/** How long to wait for the old version after a rollback. */
const OLD_READY_SECONDS = 120;

/**
 * Replaces the one file of a running server by another version, and waits until that is ready, for `waitSeconds`. Otherwise it restores
 * file and database and starts the old version again. Throws StartError. A killed upgrade is completed or rolled back by the next start
 * of the server or the next upgrade.
 */
export async function runUpgrade(config: Config, source: string, waitSeconds: number): Promise<void> {
  const program = await packagedProgram();
  if (!program)
    throw new StartError(
      "upgrade replaces the one file that Signalbox runs from, but this Signalbox was installed in another way. Upgrade it in that way.",
    );
  if (config.databaseUrl !== undefined)
    throw new StartError(
      "upgrade only works with the embedded database. With DATABASE_URL, back up the database, replace the file and restart each server; see docs/running-a-cluster.md.",
    );
  const { dataDir } = config;
  const lock = await lockUpgrade(dataDir);
  if (!lock) throw new StartError(`Another upgrade is running on ${dataDir}.`);
  try {
    if (await completeEarlierUpgrade(dataDir)) return;
    const server = requireServer(dataDir);
    await requireSameFile(program, server);
    const release = await checkFile(source, program);
    const target = { dataDir, program, release, server, waitSeconds };
    await prepare(source, target);
    await replace(target);
  } finally {
    lock.release();
  }
}

/** Completes or rolls back an upgrade whose command was killed. Returns whether it was rolled back, so that the server must be started. */
async function completeEarlierUpgrade(dataDir: string): Promise<boolean> {
  const journal = await readJournal(dataDir);
  if (!journal) return false;
  if (journal.step === "preparing" || journal.step === "listening") {
    await finish(dataDir, journal);
    return false;
  }
  if (programOf(dataDir) === journal.to.name)
    throw new StartError(
      `An interrupted upgrade has started ${journal.to.version}, which is not ready yet. Repeat the upgrade when it is ready, or stop it first to roll back.`,
    );
  const lock = await killServer(dataDir, undefined, STOP_NEW_MS);
  try {
    await rollBack(dataDir, journal);
  } finally {
    lock.release();
  }
  say(
    `Rolled back the interrupted upgrade to ${journal.to.version}. Start ${journal.file} again, then repeat the upgrade.`,
  );
  process.exitCode = 1;
  return true;
}

function requireServer(dataDir: string): RunningServer {
  const server = findServer(dataDir);
  if (server) return server;
  throw new StartError(
    `No server of this account is running on ${dataDir}. An upgrade is only safe if it can see whether the new version works: start the server first.`,
  );
}

async function requireSameFile(program: Program, { env }: RunningServer): Promise<void> {
  const file = env["SIGNALBOX_FILE"];
  if (file !== undefined && (await realpath(file).catch(() => file)) === program.file) return;
  throw new StartError(
    file === undefined
      ? "The running server was not started from the one file. Upgrade it in the way it was installed."
      : `The server runs from ${file}. Run ${file} upgrade instead.`,
  );
}

/** The copy beside the program is what is checked and later used, so that the source cannot change in between. */
async function checkFile(source: string, program: Program): Promise<Release> {
  const copy = nextFile(program.file);
  await rm(copy, { force: true });
  await copyFile(source, copy, constants.COPYFILE_FICLONE);
  try {
    await requireSignature(copy, `${source}.sig`, program.publicKey);
    const release = await readRelease(copy);
    if (release.platform !== program.platform)
      throw new StartError(`${source} is for ${release.platform}, but this is ${program.platform}.`);
    if (release.name === program.name) throw new StartError(`This is already version ${release.version}.`);
    const schema = (await listMigrations()).at(-1)?.version ?? 0;
    if (release.schema < schema)
      throw new StartError(
        `Version ${release.version} only supports schemas up to ${release.schema}, but the database has ${schema}. To go back, restore a backup of that version into a new DATA_DIR.`,
      );
    await chmod(copy, 0o755);
    const handle = await open(copy, "r");
    await handle.sync();
    await handle.close();
    return release;
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
}

type Target = {
  dataDir: string;
  program: Program;
  release: Release;
  server: RunningServer;
  waitSeconds: number;
};

/** While the server runs: unpacks the new version, which also shows that it runs on this machine. */
async function prepare(source: string, { dataDir, program }: Target): Promise<void> {
  const file = nextFile(program.file);
  try {
    await requireSpaceForCopy(dataDir);
    const { PATH } = process.env;
    await run(file, ["--help"], {
      env: { ...(PATH === undefined ? {} : { PATH }), DATA_DIR: dataDir },
    });
  } catch (error) {
    await rm(file, { force: true });
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new StartError(`${source} does not run here: ${stderr.trim() || message}`, error);
  }
}

async function replace(target: Target): Promise<void> {
  const { dataDir, program, release, server, waitSeconds } = target;
  const { args, env, cwd } = server;
  const settings = readConfig(env, cwd);
  const file = program.file;
  const journal: Journal = {
    step: "preparing",
    file,
    from: { version: program.version, name: program.name },
    to: { version: release.version, name: release.name },
    starts: 0,
  };
  await writeJournal(dataDir, journal);
  say(`Stopping ${program.version}.`);
  const lock = await stopServer(dataDir, server.pid, STOP_MS + settings.drainSeconds * 1000);
  await swapWhileStopped({ lock, target, journal });
  say(`Starting ${release.version}: signalbox ${args.join(" ")}`);
  const pid = startServer(file, server);
  const failure = await waitUntilReady(settings, dataDir, release.name, waitSeconds);
  if (failure === undefined) {
    await finish(dataDir, journal);
    closeOutput(server);
    say(`Upgraded to ${release.version}.`);
    return;
  }
  say(`${release.version} was not ready within ${waitSeconds} seconds (${failure}). Rolling back.`);
  await goBack({ target, journal, pid, settings });
}

/** Holds the lock, so that a supervisor cannot start the server meanwhile. If it fails, the old version is started again. */
async function swapWhileStopped({
  lock,
  target: { dataDir, program, server },
  journal,
}: {
  lock: DataDirLock;
  target: Target;
  journal: Journal;
}): Promise<void> {
  try {
    await copyDatabase(dataDir);
    await writeJournal(dataDir, { ...journal, step: "swapping" });
    await swapFiles(program.file);
    await writeJournal(dataDir, { ...journal, step: "starting" });
  } catch (error) {
    await rollBack(dataDir, journal);
    lock.release();
    startServer(program.file, server);
    const { message } = error as Error;
    throw new StartError(`The upgrade failed: ${message} The old version is started again.`, error);
  }
  lock.release();
}

type GoBack = { target: Target; journal: Journal; pid: number | undefined; settings: Config };

async function goBack({ target, journal, pid, settings }: GoBack): Promise<never> {
  const { dataDir, program, release, server } = target;
  const lock = await killServer(dataDir, pid, STOP_NEW_MS);
  try {
    await rollBack(dataDir, { ...journal, step: "starting" });
  } finally {
    lock.release();
  }
  startServer(program.file, server);
  const failure = await waitUntilReady(settings, dataDir, program.name, OLD_READY_SECONDS);
  closeOutput(server);
  throw new StartError(
    failure === undefined
      ? `The upgrade to ${release.version} was rolled back: ${program.version} is running again. The database of ${release.version} is kept in ${path.join(dataDir, "postgres")} as data.failed-upgrade-${release.version}.`
      : `The upgrade to ${release.version} was rolled back, but ${program.version} is not ready: ${failure}.`,
  );
}

/** Returns why the server is not ready in time. */
async function waitUntilReady(
  { host, port }: Config,
  dataDir: string,
  name: string,
  seconds: number,
): Promise<string | undefined> {
  const address = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const deadline = performance.now() + seconds * 1000;
  let reason = "it does not run";
  while (performance.now() < deadline) {
    reason = await whyNotReady(`http://${address}:${port}/api/ready`).catch(
      (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
    );
    if (reason === "" && (await isRunning(dataDir, name))) return undefined;
    await pause(100);
  }
  return reason || "another program answers at its address";
}

/** A server that completes an upgrade writes the journal after it is ready, so the journal must not be removed before. */
const isRunning = async (dataDir: string, name: string) =>
  programOf(dataDir) === name && (await readJournal(dataDir))?.step !== "starting";

/** Empty if it is ready. */
async function whyNotReady(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: "error" });
  if (response.ok) return "";
  const { message } = (await response.json()) as { message?: string };
  return message ?? `status ${response.status}`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
