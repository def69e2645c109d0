import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { Account } from "../../src/server/postgres/unprivileged-account.ts";

/** The processes of a cluster, which end with it. */
export class Processes {
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(command: string, args: string[], as?: Account): ChildProcess {
    const child = spawn(command, args, {
      cwd: this.#folder,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], HOME: this.#folder, LANG: "C.UTF-8" },
      ...(as && { uid: as.uid, gid: as.gid }),
    });
    this.#children.push(child);
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.#children) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded || child.pid === undefined) continue;
      killTree(child.pid);
      await once(child, "exit");
    }
  }
}

/** Kills a process and all that it started, none of which can act on the end of another, as in a loss of power. */
export function killTree(pid: number) {
  const pids = [pid];
  for (const one of pids) {
    signal(one, "SIGSTOP");
    pids.push(...childrenOf(one));
  }
  for (const one of pids) signal(one, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields after the command's name in parentheses: state, parent.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
