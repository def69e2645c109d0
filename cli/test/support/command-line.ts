import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { buildProgram } from "../../scripts/build-package.ts";

export type Result = { code: number | null; stdout: string; stderr: string };

/** A running program with its output so far. */
export type Running = { child: ChildProcess; stdout(): string; stderr(): string; ended: Promise<Result> };

export type Options = { env?: Record<string, string>; input?: string; cwd?: string };

/**
 * Builds the program as servers offer it, and runs it with its own configuration folder and only these environment variables.
 * Await it at the top of the file.
 */
export async function useCommandLine(defaults: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-cli-"));
  const program = path.join(folder, "sbx.mjs");
  await buildProgram(program);
  const running = new Set<ChildProcess>();
  after(async () => {
    for (const child of running) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function start(args: string[], { env = {}, input, cwd = folder }: Options = {}): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...defaults, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    running.add(child);
    const text = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.stderr += chunk));
    // A program that does not read its input may have ended.
    child.stdin.on("error", () => {}).end(input ?? "");
    const ended = once(child, "close").then(([code]) => {
      running.delete(child);
      return { code: code as number | null, ...text };
    });
    return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended };
  }

  const sbx = (args: string[], options?: Options) => start(args, options).ended;
  return { folder, config: path.join(folder, ".config/sbx/config.json"), start, sbx };
}
