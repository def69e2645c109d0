import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endLeftovers } from "../../src/server/postgres/leftovers.ts";
import { findServer } from "../../src/server/commands/upgrade/running-server.ts";
import { waitUntil } from "../support/eventually.ts";
import { isAlive } from "../support/program.ts";

/** The file that the tests package, and its signing key. */
export const PACKAGE = process.env["TEST_PACKAGE"] ?? "";
export const SIGNING_KEY = process.env["TEST_SIGNING_KEY"] ?? "";

/** The package for Debian, which is built together with the file. */
export function debianPackage(): string {
  const folder = path.dirname(PACKAGE);
  return path.join(folder, readdirSync(folder).find((name) => name.endsWith(".deb")) ?? "");
}

/** A folder with a data directory, and a free port for its server. */
export type Place = { folder: string; dataDir: string; port: number; url: string; remove(): Promise<void> };

export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-packaged-"));
  const dataDir = path.join(folder, "data");
  const port = await freePort();
  const remove = async () => {
    const server = findServer(dataDir);
    if (server) process.kill(server.pid, "SIGKILL");
    if (server) await waitUntil(() => !isAlive(server.pid), "the server to end");
    const postgres = path.join(dataDir, "postgres");
    await endLeftovers(path.join(postgres, "data"), path.join(postgres, "socket")).catch(() => {});
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { folder, dataDir, port, url: `http://127.0.0.1:${port}`, remove };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export type Run = {
  pid: number;
  output(): string;
  ended: Promise<{ code: number | null; output: string }>;
  kill(signal: NodeJS.Signals): void;
};

/** Runs a command with only these variables. `output` is what it prints to both streams. */
export function runProgram(command: string[], options: { cwd: string; env: Record<string, string> }): Run {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>();
  child.on("error", (error) => resolve({ code: null, output: error.message }));
  // A server that the command starts keeps its output open.
  child.on("exit", (code) => setImmediate(() => resolve({ code, output })));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: promise,
    kill: (signal) => void child.kill(signal),
  };
}

export async function waitUntilReady({ url }: Place, program: Run): Promise<void> {
  const isReady = () =>
    fetch(`${url}/api/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ended = program.ended.then(({ code, output }) => {
    throw new Error(`it ended with ${code}: ${output}`);
  });
  await Promise.race([waitUntil(isReady, "the server to be ready"), ended]);
}
