import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endLeftovers } from "../../src/server/postgres/leftovers.ts";

const MAIN = path.join(import.meta.dirname, "../../src/server/main.ts");

/** A start takes a second or two, on a busy machine ten times as long; after this time something hangs. */
const READY_MS = 120_000;

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A running program, with its output so far and how it ended. */
export type Program = {
  pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Exit>;
};

/** A folder for the program and its data. `remove` ends processes that still use it. */
export type Home = { folder: string; dataDir: string; remove(): Promise<void> };

export async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-program-"));
  const dataDir = path.join(folder, "data");
  const programs = started.get(folder) ?? [];
  started.set(folder, programs);
  return {
    folder,
    dataDir,
    remove: async () => {
      for (const program of programs) program.kill("SIGKILL");
      await Promise.all(programs.map((program) => program.ended));
      const postgres = path.join(dataDir, "postgres");
      await endLeftovers(path.join(postgres, "data"), path.join(postgres, "socket")).catch(ignoreMissing);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const started = new Map<string, Program[]>();

/** Ends the programs that failed tests left running, because the process of the tests would wait for them. */
export function endPrograms() {
  for (const program of [...started.values()].flat()) program.kill("SIGKILL");
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOENT") throw error;
}

/** Runs the program with only these environment variables. */
export function start(
  home: Home,
  args: string[],
  settings: Record<string, string> = {},
  main = MAIN,
  /** A command that runs the program, such as a shell with limits. */
  by: string[] = [],
): Program {
  const { PATH = "", HOME = "", LANG = "C.UTF-8", NODE_COMPILE_CACHE = "" } = process.env;
  const [command = "", ...rest] = [...by, process.execPath, main, ...args];
  const child = spawn(command, rest, {
    cwd: home.folder,
    env: { PATH, HOME, LANG, NODE_COMPILE_CACHE, PORT: "0", DATA_DIR: home.dataDir, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const program = watch(child);
  started.get(home.folder)?.push(program);
  return program;
}

function watch(child: ChildProcess): Program {
  const text = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (text.stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (text.stderr += chunk));
  return {
    pid: child.pid as number,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal }))),
  };
}

export type Server = Program & { url: string; port: number };

/** Starts the server and waits until it reports that it is ready. */
export async function startServer(
  home: Home,
  settings: Record<string, string> = {},
  main?: string,
): Promise<Server> {
  const program = start(
    home,
    ["serve"],
    { LIMIT_API: "1000000", LIMIT_SESSION: "1000000", LIMIT_INGEST: "1000000", ...settings },
    main,
  );
  const [, port = ""] = await waitForLine(program, /ready on http:\/\/localhost:(\d+)/);
  return { ...program, port: Number(port), url: `http://127.0.0.1:${port}` };
}

/** Waits for a line of the program's output. */
export async function waitForLine(program: Program, line: RegExp): Promise<RegExpExecArray> {
  const ended = { yet: false };
  void program.ended.then(() => (ended.yet = true));
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const found = line.exec(program.stdout());
    if (found) return found;
    if (ended.yet || performance.now() > deadline)
      throw new Error(`${line} did not come:\n${program.stdout()}\n${program.stderr()}`);
    await poll();
  }
}

/** One short pause of a loop that waits for a condition with a deadline. */
export const poll = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Runs a command until it ends. */
export async function run(home: Home, args: string[], settings: Record<string, string> = {}, main?: string) {
  const program = start(home, args, settings, main);
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** The process id of the server's embedded PostgreSQL. */
export function postgresPid(home: Home): number {
  const file = path.join(home.dataDir, "postgres/data/postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n", 1)[0]);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
