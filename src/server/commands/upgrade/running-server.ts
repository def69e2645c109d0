import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../../config/start-error.ts";
import { lockFile, type DataDirLock } from "../../postgres/data-dir-lock.ts";

/** A server that runs on the embedded database, and how to start it again. */
export type RunningServer = {
  pid: number;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Its standard output and error, opened for this process. */
  output: (number | "ignore")[];
  /** Whether it is a service of systemd, which starts it again with `Restart=always`. */
  isService: boolean;
};

export const databaseLock = (dataDir: string) => path.join(dataDir, "postgres/lock");

/** Undefined if no server of this account runs on the data directory. */
export function findServer(dataDir: string): RunningServer | undefined {
  const pid = holderOf(databaseLock(dataDir));
  if (pid === undefined) return undefined;
  const command = readList(`/proc/${pid}/cmdline`);
  const start = command.findIndex((word) => word.endsWith("/start.mjs"));
  return {
    pid,
    args: command.slice(start + 1),
    env: Object.fromEntries(
      readList(`/proc/${pid}/environ`).map((line) => [
        line.split("=", 1)[0],
        line.slice(line.indexOf("=") + 1),
      ]),
    ),
    cwd: readlinkSync(`/proc/${pid}/cwd`),
    output: [openOutput(pid, 1), openOutput(pid, 2)],
    isService: isService(pid),
  };
}

/** The name of the folder that the server's program was unpacked to, such as `1.2.0-0123456789ab`. */
export function programOf(dataDir: string): string | undefined {
  const pid = holderOf(databaseLock(dataDir));
  const words = pid === undefined ? [] : readList(`/proc/${pid}/cmdline`);
  const start = words.find((word) => word.endsWith("/start.mjs"));
  return start && path.basename(path.dirname(start));
}

/** The process that holds the lock, by the kernel's list of locks. */
function holderOf(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const pids = readFileSync("/proc/locks", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, pid, inode] = / WRITE +(\d+) \w+:\w+:(\d+) /.exec(line) ?? [];
      return inode === String(stats.ino) ? [Number(pid)] : [];
    });
  return pids.find((pid) => hasOpen(pid, stats));
}

/** The number of the file's device in the list of locks differs on some file systems. */
function hasOpen(pid: number, { ino, dev }: { ino: number; dev: number }): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const stats = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
      return stats?.ino === ino && stats.dev === dev;
    });
  } catch {
    return false;
  }
}

const readList = (file: string) => readFileSync(file, "utf8").split("\0").slice(0, -1);

/** A socket, such as that of systemd's journal, cannot be opened. */
function openOutput(pid: number, fd: number): number | "ignore" {
  try {
    return openSync(`/proc/${pid}/fd/${fd}`, "a");
  } catch {
    return "ignore";
  }
}

const isService = (pid: number) =>
  /\/system\.slice\/[^/\n]+\.service$/m.test(readFileSync(`/proc/${pid}/cgroup`, "utf8"));

/** Stops the server after its requests in flight, and takes its lock, so that nothing else starts meanwhile. */
export async function stopServer(dataDir: string, pid: number, maxMs: number): Promise<DataDirLock> {
  signal(pid, "SIGTERM");
  const lock = await waitForLock(dataDir, maxMs);
  if (lock) return lock;
  throw new StartError(`The server (process ${pid}) did not stop within ${Math.ceil(maxMs / 1000)} seconds.`);
}

/**
 * Like `stopServer`, but kills a server that does not stop. `started` is the process that was started, which may not have come as far
 * as taking the lock.
 */
export async function killServer(
  dataDir: string,
  started: number | undefined,
  maxMs: number,
): Promise<DataDirLock> {
  const pid = holderOf(databaseLock(dataDir)) ?? started;
  if (pid !== undefined) {
    signal(pid, "SIGTERM");
    const deadline = performance.now() + maxMs;
    while (isAlive(pid) && performance.now() < deadline) await pause(50);
    if (isAlive(pid)) signal(pid, "SIGKILL");
  }
  const lock = await waitForLock(dataDir, maxMs);
  if (lock) return lock;
  throw new StartError(
    `A server on ${dataDir} does not stop. Stop it, then run the upgrade again to roll it back.`,
  );
}

async function waitForLock(dataDir: string, maxMs: number): Promise<DataDirLock | undefined> {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const lock = lockFile(databaseLock(dataDir));
    if (lock || performance.now() > deadline) return lock;
    await pause(50);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Starts the file with the server's arguments, settings and output, and returns its process id. A service is started by systemd, because
 * the server has ended.
 */
export function startServer(file: string, server: RunningServer): number | undefined {
  const { args, env, cwd, output, isService } = server;
  if (isService) return undefined;
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", ...output], detached: true });
  child.on("error", () => {});
  child.unref();
  return child.pid;
}

/** Call when the server will not be started again. */
export function closeOutput({ output }: RunningServer): void {
  for (const fd of output) if (fd !== "ignore") closeSync(fd);
}
