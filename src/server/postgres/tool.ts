import { spawn, type SpawnOptions } from "node:child_process";
import { basename } from "node:path";

import type { Account } from "./unprivileged-account.ts";

/** The account and the working directory of a PostgreSQL program. */
export type RunOptions = { account: Account | undefined; cwd: string };

/**
 * For glibc. Without fixed thresholds, it raises them to the size of the largest freed block, up to 32 MB, and each process
 * keeps that much of the memory that a statement took.
 */
const GIVE_BACK = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

/**
 * Options for `spawn`. The process changes to `cwd` before it gives up root's rights, so the account need not be able to
 * enter the parent folders. Variables such as PGOPTIONS, LD_PRELOAD or LANG are not passed on.
 */
export function spawnOptions({ account, cwd }: RunOptions): SpawnOptions {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    cwd,
    env: {
      LC_ALL: "C",
      ...GIVE_BACK,
      TZ: "UTC",
      ...(PATH ? { PATH } : {}),
      ...(SystemRoot ? { SystemRoot } : {}),
      ...(TEMP ? { TEMP } : {}),
    },
    windowsHide: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  };
}

/** Runs a PostgreSQL program and returns its output. Throws with what it says is wrong if it fails. */
export async function runTool(
  program: string,
  parameters: string[],
  options: RunOptions,
  input = "",
): Promise<string> {
  const child = spawn(program, parameters, { ...spawnOptions(options), stdio: "pipe" });
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // Ignore EPIPE from a program that exits early: its exit code says why.
  child.stdin?.on("error", () => {}).end(input);
  const { promise, resolve, reject } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on("error", reject).on("close", (code, signal) => resolve(code ?? signal));
  const end = await promise;
  if (end === 0) return output;
  throw new Error(reason(errors) || `${basename(program)} exited with ${String(end)}.`);
}

/**
 * The last lines that are marked as errors, without the steps that the program took afterwards; without any, its last
 * lines.
 */
function reason(errors: string): string {
  const lines = errors.split("\n").map((line) => line.trim());
  const named = lines.flatMap((line) => NAMED_ERROR.exec(line)?.[1] ?? []);
  return (named.length > 0 ? named : lines.filter((line) => line !== "")).slice(-3).join(" ");
}

/** Before it are a time and a process id, or the name of the program. */
const NAMED_ERROR = /\b(?:ERROR|FATAL|PANIC|error): +(.+)/;
