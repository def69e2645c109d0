import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** A program ends within a second or two, on a busy machine in ten times as long; after this time it is killed. */
const KILL_AFTER_MS = 120_000;

interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** Runs the source of an ES module as a program that reports to `server`. */
export async function runProgram(
  source: string,
  server: { url: string },
  { flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
): Promise<ProgramResult> {
  return runNode([...flags, "--input-type=module", "--eval", source], server, env);
}

/** Runs a file of this package, with the same settings as `runProgram`. */
export async function runFile(
  path: string,
  server: { url: string },
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ProgramResult> {
  return runNode([resolve(root, path), ...args], server, env);
}

async function runNode(
  args: string[],
  { url }: { url: string },
  extra: Record<string, string>,
): Promise<ProgramResult> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  const settings = {
    SIGNALBOX_URL: url,
    SIGNALBOX_PROJECT: "7",
    SIGNALBOX_TOKEN: "t",
    SIGNALBOX_RELEASE: "1.0.1",
  };
  const env = { ...inherited, ...settings, ...extra };
  const began = performance.now();
  const result = await run(process.execPath, args, { cwd: root, env, timeout: KILL_AFTER_MS }).then(
    (ok) => ({ ...ok, code: 0 }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
  const durationMs = performance.now() - began;
  return { code: result.code, stdout: result.stdout, stderr: result.stderr, durationMs };
}
