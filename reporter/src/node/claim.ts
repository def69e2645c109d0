import { attempt } from "../core/safe.ts";
import { builtin } from "./builtin.ts";
import { hostName } from "./machine.ts";

/** How long the claim of a process on another machine is honored: whether that process runs is unknown. */
const CLAIM_MS = 600_000;

/** The end of a file's name while this process works on the file: machine, process, its start, and a random part. */
export function createClaim(): string {
  const random = Math.random().toString(36).slice(2, 8);
  return `.taken-${machine()}-${process.pid}-${startOf(process.pid) ?? 0}-${random}`;
}

/** Whether the process that claimed this file may still work on it. */
export function isClaimed(name: string, modified: number): boolean {
  const [, host, pid, start] = /\.taken-(\w+)-(\d+)-(\d+)-\w+$/.exec(name) ?? [];
  if (pid === undefined) return false;
  if (host !== machine()) return Date.now() - modified < CLAIM_MS;
  const current = startOf(Number(pid));
  // Process ids are reused, in containers after each restart, so the start of the process counts where it is known.
  return current === undefined ? isRunning(Number(pid)) : current === start;
}

function machine(): string {
  return (hostName() ?? "").replace(/\W/g, "_") || "unknown";
}

/** When a process started, in ticks since the machine started. Only on Linux; undefined if it does not run. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => builtin("node:fs").readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The process's name, in parentheses, may contain spaces.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    return (error as { code?: string }).code === "EPERM";
  }
}
