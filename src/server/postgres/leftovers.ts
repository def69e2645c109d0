import { readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** How long PostgreSQL may take to end after each of these, in ms: a fast shutdown, an immediate one, a kill. */
const patience: [NodeJS.Signals, number][] = [
  ["SIGINT", 8000],
  ["SIGQUIT", 3000],
  ["SIGKILL", 5000],
];

/**
 * Ends what still runs on the databases in `data` after their server was killed, and removes what would make
 * PostgreSQL believe that something does: its lock files name a process id, which by now may be somebody else's (in a
 * container it usually is). To be called with the lock on the data directory held. Answers how many it ended.
 */
export async function endLeftovers(data: string, sockets: string): Promise<number> {
  if (process.platform !== "linux") return 0;
  const found = postgresProcesses(data).length;
  for (const [signal, time] of patience) {
    const deadline = performance.now() + time;
    for (const { pid } of postmasters(data, signal)) kill(pid, signal);
    while (postgresProcesses(data).length > 0 && performance.now() < deadline) await wait(10);
  }
  if (postgresProcesses(data).length > 0) throw new Error(`PostgreSQL processes on ${data} cannot be ended.`);
  await rm(join(data, "postmaster.pid"), { force: true });
  await Promise.all((await readdir(sockets)).map((name) => rm(join(sockets, name), { force: true })));
  return found;
}

/** The postmaster ends its children itself; only the last resort goes to all of them. */
function postmasters(data: string, signal: NodeJS.Signals): { pid: number }[] {
  const all = postgresProcesses(data);
  const pids = new Set(all.map(({ pid }) => pid));
  return signal === "SIGKILL" ? all : all.filter(({ parent }) => !pids.has(parent));
}

/**
 * PostgreSQL's processes stay in their data directory, which the kernel tells: that cannot be confused with another
 * process, unlike a process id in a file. (Its name is compared too: somebody's shell may be there.)
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
      // It has ended, or is another account's.
      return [];
    }
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
