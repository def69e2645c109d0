import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { V8_FLAGS } from "../build/v8-flags.ts";

const MAIN = path.join(import.meta.dirname, "../signalbox.mjs");
const SETUP_TOKEN = "bench-setup";

export type BenchServer = {
  port: number;
  dataDir: string;
  /** Milliseconds from the start of the process until it is ready. */
  readyAfter: number;
  process: ChildProcess;
  /** Memory in MiB and CPU time in seconds of the server and its PostgreSQL. Shared pages are counted once. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
};

/** Starts the real program with raised rate limits, and with the embedded database unless `env` names another one. */
export async function startServer(dataDir?: string, env: Record<string, string> = {}): Promise<BenchServer> {
  const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), "signalbox-bench-")));
  const started = performance.now();
  const child = spawn(process.execPath, [...V8_FLAGS, MAIN, "serve"], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: "0",
      SETUP_TOKEN,
      LIMIT_INGEST: "10000000",
      LIMIT_API: "10000000",
      LIMIT_SESSION: "10000000",
      LIMIT_SIGN_IN: "10000000",
      METRICS_LOOPBACK: "true",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await readyPort(child);
  const readyAfter = performance.now() - started;
  return {
    port,
    dataDir: folder,
    readyAfter,
    process: child,
    usage: () => usageOf(child.pid ?? 0),
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const port = /ready on http:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once("exit", (code) => reject(new Error(`the server exited with ${code}: ${output}`)));
  });
}

export type Usage = { server: ProcessUsage; postgres: ProcessUsage; processes: number };
type ProcessUsage = { memory: number; cpu: number };

/** The usage of a process, and of all its descendants together. */
export async function usageOf(pid: number): Promise<Usage> {
  const stats = new Map<number, { parent: number; cpu: number }>();
  for (const entry of await readdir("/proc")) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "") : "";
    // Fields after the name in parentheses: state, parent, …, user and system time in hundredths of a second, then the
    // same times of exited children.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    if (fields.length > 14)
      stats.set(Number(entry), {
        parent: fields[1] ?? 0,
        cpu: fields.slice(11, 15).reduce((a, b) => a + b, 0) / 100,
      });
  }
  const isDescendant = (child: number): boolean => {
    const parent = stats.get(child)?.parent;
    return parent === pid || (parent !== undefined && parent > 1 && isDescendant(parent));
  };
  const postgres = { memory: 0, cpu: 0 };
  let processes = 1;
  for (const [child, { cpu }] of stats)
    if (isDescendant(child)) {
      postgres.memory += await pss(child);
      postgres.cpu += cpu;
      processes++;
    }
  return { server: { memory: await pss(pid), cpu: stats.get(pid)?.cpu ?? 0 }, postgres, processes };
}

/** Seconds of CPU time that the server and PostgreSQL take while `run` runs. */
export async function cpuOf(server: BenchServer, run: () => Promise<unknown>) {
  const before = await server.usage();
  await run();
  const after = await server.usage();
  return {
    server: after.server.cpu - before.server.cpu,
    postgres: after.postgres.cpu - before.postgres.cpu,
  };
}

async function pss(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

export type Owner = {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  patch(path: string, body: unknown): Promise<unknown>;
};

/** Creates the first administrator, and returns functions that make requests as that user. */
export async function setUp(port: number): Promise<Owner> {
  const origin = `http://localhost:${port}`;
  let cookie = "";
  const request = async (method: string, url: string, body?: unknown) => {
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: { cookie, origin, "sec-fetch-site": "same-origin", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    cookie = response.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
    return response.json();
  };
  await request("POST", "/api/setup", {
    setup_token: SETUP_TOKEN,
    workspace_name: "Bench",
    first_name: "Ada",
    last_name: "Moss",
    username: "ada",
    email: "ada@example.com",
    password: "correct horse",
  });
  return {
    get: (url) => request("GET", url),
    post: (url, body) => request("POST", url, body),
    patch: (url, body) => request("PATCH", url, body),
  };
}
