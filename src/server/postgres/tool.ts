import { spawn, type SpawnOptions } from "node:child_process";

import type { Account } from "./unprivileged-account.ts";

/** How PostgreSQL's programs are started: who they run as, where, and an environment that is not the caller's. */
export type Surroundings = { account: Account | undefined; cwd: string };

/**
 * Options for `spawn`. The process enters `cwd` before it gives up root's rights, so `cwd` may lie under folders that
 * are closed to the account. Variables such as PGOPTIONS, LD_PRELOAD or LANG stay out.
 */
export function spawnOptions({ account, cwd }: Surroundings): SpawnOptions {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    cwd,
    env: {
      LC_ALL: "C",
      TZ: "UTC",
      ...(PATH ? { PATH } : {}),
      ...(SystemRoot ? { SystemRoot } : {}),
      ...(TEMP ? { TEMP } : {}),
    },
    windowsHide: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  };
}

/** Runs a program of PostgreSQL to its end and answers what it printed; throws with its last words when it fails. */
export async function runTool(
  program: string,
  parameters: string[],
  surroundings: Surroundings,
  input = "",
): Promise<string> {
  const child = spawn(program, parameters, { ...spawnOptions(surroundings), stdio: "pipe" });
  let output = "";
  let complaints = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  // A program that ends early closes its input; its exit code says why.
  child.stdin?.on("error", () => {}).end(input);
  const { promise, resolve, reject } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on("error", reject).on("close", (code, signal) => resolve(code ?? signal));
  const end = await promise;
  if (end === 0) return output;
  throw new Error(complaints.trim().split("\n").slice(-3).join(" ") || `it ended with ${String(end)}`);
}
