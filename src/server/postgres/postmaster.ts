import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

import { here, type Cluster } from "./cluster.ts";
import { levelOf, type Log } from "./log-level.ts";
import { spawnOptions } from "./tool.ts";

/** A running PostgreSQL. */
export type Postmaster = {
  /** Resolves when it accepts connections, which after a crash means after recovery; rejects when it ends before. */
  ready: Promise<void>;
  /** Resolves with the exit code or signal, however it ends. */
  ended: Promise<string>;
  /** Ends it: running statements are broken off; everything committed is on disk, or recovered at the next start. */
  stop(): Promise<void>;
};

/** For a fast shutdown, in ms, before an immediate one: supervisors kill after some 10 s. */
const patience = 7000;

/** Starts PostgreSQL on these databases. */
export function startPostmaster(cluster: Cluster, settings: Record<string, string>, log: Log): Postmaster {
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(cluster.binaries.bin, "postgres"), ["-D", here, ...parameters], {
    ...spawnOptions({ account: cluster.account, cwd: cluster.data }),
    stdio: ["ignore", "ignore", "pipe"],
    // In a session of its own: Ctrl-C must not end it before the server has finished its requests.
    detached: process.platform !== "win32",
  });
  const state = { stopping: false, lastWords: "", end: "" };
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const { promise: silent, resolve: fallSilent } = Promise.withResolvers<void>();
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => end(signal ?? `exit code ${String(code)}`));
  child.on("close", () => fallSilent());
  void ended.then((how) => (state.end = how));
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const level = levelOf(line);
      if (level === "error") state.lastWords = line;
      if (level && !(state.stopping && line.includes("administrator command"))) log({ level, message: line });
    });
  }
  endWithUs(child, cluster, ended);

  const untilReady = async (): Promise<void> => {
    const slow = setTimeout(
      () => log({ level: "info", message: "PostgreSQL recovers what a crash left." }),
      3000,
    );
    while (state.end === "" && !(await isReady(cluster.data, child.pid))) await wait(5);
    clearTimeout(slow);
    if (state.end === "") return;
    await Promise.race([silent, wait(500)]);
    throw new Error(`PostgreSQL did not start: ${state.lastWords || state.end}`);
  };
  const stop = async (): Promise<void> => {
    state.stopping = true;
    interrupt(child, cluster);
    const immediate = setTimeout(() => child.kill("SIGQUIT"), patience);
    const last = setTimeout(() => child.kill("SIGKILL"), patience + 2000);
    await ended;
    clearTimeout(immediate);
    clearTimeout(last);
  };
  return { ready: untilReady(), ended, stop };
}

/** The first line of the file is the process id, the eighth the state. */
async function isReady(data: string, pid: number | undefined): Promise<boolean> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}

/** Begins a fast shutdown. Windows has no signals, so PostgreSQL has a program that stands in for them. */
function interrupt(child: ChildProcess, { binaries, data }: Cluster): void {
  if (process.platform !== "win32") child.kill("SIGINT");
  else
    spawn(join(binaries.bin, "pg_ctl"), ["stop", "-D", data, "-m", "fast"], {
      stdio: "ignore",
      windowsHide: true,
    });
}

/**
 * Has PostgreSQL shut down when we are killed: a shell waits for the end of its input, which is a pipe of ours that
 * the kernel closes. Should the shell be killed too, the next start finds what is left over.
 */
function endWithUs(child: ChildProcess, { account }: Cluster, ended: Promise<string>): void {
  if (process.platform === "win32" || child.pid === undefined) return;
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$1"', "sh", String(child.pid)], {
    ...spawnOptions({ account, cwd: "/" }),
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.on("error", () => {});
  shell.unref();
  void ended.then(() => shell.kill("SIGKILL"));
}
