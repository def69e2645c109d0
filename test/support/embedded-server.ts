import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client } from "pg";

import { startEmbedded, type EmbeddedServer } from "../../src/server/postgres/embedded.ts";

/** Test data need not survive a power failure. */
const settings = { fsync: "off" };

/** A test, or the suite as `{ after }`. */
type Scope = { after: (hook: () => Promise<void>) => void };

const cleanups = new WeakMap<Scope, (() => Promise<unknown>)[]>();

/** Runs cleanup steps in reverse order. node:test runs `after` hooks in the order of their registration. */
function afterwards(t: Scope, step: () => Promise<unknown>): void {
  const steps = cleanups.get(t) ?? [];
  steps.push(step);
  if (cleanups.has(t)) return;
  cleanups.set(t, steps);
  t.after(async () => {
    for (const last of steps.toReversed()) await last();
  });
}

/** A private folder that is removed after all servers in it have stopped. */
export async function temporaryFolder(t: Scope): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "signalbox-test-")));
  // With a thousand small files, this is ten times as fast as the asynchronous call.
  afterwards(t, async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export type TestServer = EmbeddedServer & { lines: string[] };

/** Starts a server in this process, which is stopped after the test. */
export async function startHere(t: Scope, dataDir: string): Promise<TestServer> {
  const lines: string[] = [];
  const log = ({ level, message }: { level: string; message: string }): void => {
    lines.push(`${level}: ${message}`);
  };
  const server = await startEmbedded({ dataDir, settings, log });
  afterwards(t, () => server.stop());
  return { ...server, lines };
}

/** A server in a process of its own. */
export type ServerProcess = {
  /** The first line that it prints: its URL, or the reason why it did not start. */
  answer: Promise<string>;
  /** Sends a signal and waits for the exit. */
  kill: (signal: NodeJS.Signals) => Promise<void>;
};

const program = `
  const { startEmbedded } = await import(process.argv[1]);
  const [dataDir, uid] = process.argv.slice(2);
  if (uid) { process.setgroups([]); process.setgid(Number(uid)); process.setuid(Number(uid)); }
  const server = await startEmbedded({ dataDir, settings: ${JSON.stringify(settings)}, log: () => {} }).catch((error) => {
    console.log(error.message);
    process.exit(1);
  });
  console.log(server.url);
  process.on("SIGTERM", () => server.stop().then(() => process.exit()));
`;

/** Starts a server in another process, optionally with another uid. It is stopped after the test. */
export function startElsewhere(t: Scope, dataDir: string, uid?: number): ServerProcess {
  const module = join(import.meta.dirname, "../../src/server/postgres/embedded.ts");
  const parameters = ["--input-type=module", "-e", program, module, dataDir, ...(uid ? [String(uid)] : [])];
  const child = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes("\n")) resolve(output.split("\n")[0] ?? "");
  });
  child.on("exit", () => {
    resolve(output);
    end();
  });
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  afterwards(t, () => kill("SIGTERM"));
  return { answer, kill };
}

/** The first column of the first row. */
export async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8");
  return Number.parseInt(text, 10);
}

/** Process ids of PostgreSQL processes on the databases in this data folder. */
export function processesIn(dataDir: string): number[] {
  const data = statSync(join(dataDir, "postgres", "data"), { throwIfNoEntry: false });
  return processes().filter((pid) => {
    try {
      const cwd = statSync(`/proc/${pid}/cwd`);
      return cwd.ino === data?.ino && cwd.dev === data.dev;
    } catch {
      return false;
    }
  });
}

/** The process that stops this postmaster if its server is killed. */
export function guardOf(postmaster: number): number | undefined {
  return processes().find((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return command[0] === "/bin/sh" && command.at(-2) === String(postmaster);
    } catch {
      return false;
    }
  });
}

function processes(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Whether other accounts can read this path. */
export function openToOthers(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  return path === dirname(path) || openToOthers(dirname(path));
}
