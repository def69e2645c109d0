import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

import { workingDirectory, type Cluster } from "./cluster.ts";
import { levelOf, type Log } from "./log-level.ts";
import { spawnOptions } from "./tool.ts";

/** A running PostgreSQL. */
export type Postmaster = {
  /** Resolves when it accepts connections: after a crash, when it has recovered. Rejects if it exits before. */
  ready: Promise<void>;
  /** Resolves with the exit code or the signal. */
  ended: Promise<string>;
  /** Stops it and cancels running statements. Committed data is on disk, or recovered at the next start. */
  stop(): Promise<void>;
};

/** How long a fast shutdown may take, in ms, before an immediate one. Process supervisors kill after about 10 s. */
const MAX_FAST_SHUTDOWN_MS = 7000;

/** Starts PostgreSQL on these databases. */
export function startPostmaster(cluster: Cluster, settings: Record<string, string>, log: Log): Postmaster {
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(cluster.binaries.bin, "postgres"), ["-D", workingDirectory, ...parameters], {
    ...spawnOptions({ account: cluster.account, cwd: cluster.data }),
    stdio: ["ignore", "ignore", "pipe"],
    // In its own session: Ctrl-C must not stop it before the server has finished its requests.
    detached: process.platform !== "win32",
  });
  const state = { stopping: false, lastError: "", end: "" };
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const { promise: silent, resolve: fallSilent } = Promise.withResolvers<void>();
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => end(signal ?? `exit code ${String(code)}`));
  child.on("close", () => fallSilent());
  void ended.then((how) => (state.end = how));
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const level = levelOf(line);
      if (level === "error") state.lastError = line;
      if (level && !(state.stopping && line.includes("administrator command"))) log({ level, message: line });
    });
  }
  stopWithParent(child, cluster, ended);

  const untilReady = async (): Promise<void> => {
    const slow = setTimeout(
      () =>
        log({
          level: "info",
          message: "PostgreSQL is still starting. After a crash it first recovers, which can take minutes.",
        }),
      3000,
    );
    while (state.end === "" && !(await isReady(cluster.data, child.pid))) await wait(5);
    clearTimeout(slow);
    if (state.end === "") return;
    await Promise.race([silent, wait(500)]);
    throw new Error(`PostgreSQL did not start: ${state.lastError || state.end}`);
  };
  const stop = async (): Promise<void> => {
    state.stopping = true;
    startShutdown(child, cluster);
    const immediate = setTimeout(() => child.kill("SIGQUIT"), MAX_FAST_SHUTDOWN_MS);
    const last = setTimeout(() => child.kill("SIGKILL"), MAX_FAST_SHUTDOWN_MS + 2000);
    await ended;
    clearTimeout(immediate);
    clearTimeout(last);
  };
  return { ready: untilReady(), ended, stop };
}

/** Line 1 of the file is the process id, line 8 the state. */
async function isReady(data: string, pid: number | undefined): Promise<boolean> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}

/** Starts a fast shutdown. Windows has no signals, so pg_ctl does it there. */
function startShutdown(child: ChildProcess, { binaries, data }: Cluster): void {
  if (process.platform !== "win32") child.kill("SIGINT");
  else
    spawn(join(binaries.bin, "pg_ctl"), ["stop", "-D", data, "-m", "fast"], {
      stdio: "ignore",
      windowsHide: true,
    });
}

/**
 * Shuts PostgreSQL down if this process is killed: a shell waits for the end of its input, a pipe of this process that
 * the kernel closes. If the shell is killed as well, the next start stops the remaining processes.
 */
function stopWithParent(child: ChildProcess, { account }: Cluster, ended: Promise<string>): void {
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
