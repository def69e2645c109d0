import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { Monitor } from "../../../src/shared/monitors.ts";
import { Failure } from "../failure.ts";
import { writeNote } from "../output.ts";
import { HASTE, type Patience } from "../send.ts";
import type { Server } from "../settings.ts";
import { oneLine } from "../terminal-text.ts";
import { checkIn } from "./check-in.ts";

type Options = {
  server: () => Server;
  readMonitor: (patience: Patience) => Promise<Monitor>;
  environment: string | undefined;
};

/**
 * Runs a command between two check-ins and returns its exit code. A check-in that fails is only a warning: the job is more
 * important than its monitor.
 */
export async function runMonitored(command: string[], options: Options): Promise<number> {
  const run = randomUUID();
  let monitor: Monitor | undefined;
  const report = async (outcome: string, patience: Patience) => {
    try {
      monitor ??= await options.readMonitor(patience);
      await checkIn(options.server(), monitor, { outcome, run, environment: options.environment }, patience);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      writeNote(`sbx: the check-in failed: ${oneLine(error.message)}`);
    }
  };
  // The job does not wait for a busy server.
  await report("start", HASTE);
  const code = await runToEnd(command);
  await report(String(code), {});
  return code;
}

/** The exit code, as shells report it: 127 if the command does not exist, 128 and the number of the signal that ended it. */
function runToEnd([command = "", ...args]: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit" });
  // The command decides when to end, so that its end can be reported. Terminals send it SIGINT themselves.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const ignore = () => {};
  process.on("SIGTERM", pass).on("SIGINT", ignore);
  return new Promise((resolve) => {
    const end = (code: number) => {
      process.off("SIGTERM", pass).off("SIGINT", ignore);
      resolve(code);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      writeNote(`sbx: ${oneLine(command)} cannot be run: ${error.code ?? error.message}`);
      end(error.code === "ENOENT" ? 127 : 126);
    });
    child.on("exit", (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
