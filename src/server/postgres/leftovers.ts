import { readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** How long PostgreSQL may take to exit after each signal, in ms: a fast shutdown, an immediate one, a kill. */
const timeouts: [NodeJS.Signals, number][] = [
  ["SIGINT", 8000],
  ["SIGQUIT", 3000],
  ["SIGKILL", 5000],
];

/**
 * Stops PostgreSQL processes that a killed server has left on the databases in `data`, and returns how many there were.
 * Removes lock files, too: they contain a process id, which another process may have by now, as is usual in a container,
 * and then PostgreSQL would not start. The caller holds the lock on the data directory.
 */
export async function endLeftovers(data: string, sockets: string): Promise<number> {
  if (process.platform !== "linux") return 0;
  const leftoverCount = postgresProcesses(data).length;
  for (const [signal, time] of timeouts) {
    const deadline = performance.now() + time;
    for (const { pid } of postmasters(data, signal)) kill(pid, signal);
    while (postgresProcesses(data).length > 0 && performance.now() < deadline) await wait(10);
  }
  if (postgresProcesses(data).length > 0)
    throw new Error(`PostgreSQL processes on ${data} cannot be stopped.`);
  await rm(join(data, "postmaster.pid"), { force: true });
  await Promise.all((await readdir(sockets)).map((name) => rm(join(sockets, name), { force: true })));
  return leftoverCount;
}

/** The postmaster stops its children itself. Only SIGKILL has to be sent to all of them. */
function postmasters(data: string, signal: NodeJS.Signals): { pid: number }[] {
  const all = postgresProcesses(data);
  const pids = new Set(all.map(({ pid }) => pid));
  return signal === "SIGKILL" ? all : all.filter(({ parent }) => !pids.has(parent));
}

/**
 * Finds processes by their working directory: those of PostgreSQL stay in the data directory. Unlike a process id from a
 * file, this cannot match an unrelated process. The name is compared as well, because a shell may be in that directory.
 */
function postgresProcesses(data: string): { pid: number; parent: number }[] {
  const directory = statSync(data, { throwIfNoEntry: false });
  if (!directory) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = statSync(`/proc/${name}/cwd`);
      if (cwd.ino !== directory.ino || cwd.dev !== directory.dev) return [];
      const [, command, parent] =
        /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      return command === "postgres" ? [{ pid: Number(name), parent: Number(parent) }] : [];
    } catch {
      // The process has exited, or belongs to another account.
      return [];
    }
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited.
  }
}
