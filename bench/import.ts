import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { V8_FLAGS } from "../build/v8-flags.ts";
import { setUp, startServer, type BenchServer } from "./server.ts";

const ISSUES = Number(process.env["BENCH_ISSUES"] ?? 100_000);
const MAX_MINUTES = 10;
const MAX_MIB = 300;

/** An export of Jira, by default with 100,000 issues, each with two comments, imported beside a running server, and repeated. */
export async function benchImport() {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const file = path.join(folder, "issues.csv");
  await pipeline(Readable.from(writeExport()), createWriteStream(file));
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    await owner.post("/api/projects", { key: "BENCH", name: "Bench" });
    console.log(`\nImport of ${ISSUES.toLocaleString("en")} issues with two comments each`);
    for (const [name, ...options] of [["dry run", "--dry-run"], ["import"], ["repeated"]] as const) {
      const args = [file, "--project", "BENCH", ...options];
      const { seconds, mebibytes, cpu } = await runImport(server, args);
      console.log(
        `  ${name.padEnd(10)} ${seconds.toFixed(0)} s, ${(ISSUES / seconds).toFixed(0)} issues/s, at most ${mebibytes.toFixed(0)} MiB, CPU time: import ${cpu.import.toFixed(1)} s, PostgreSQL ${cpu.postgres.toFixed(1)} s, server ${cpu.server.toFixed(1)} s`,
      );
      if (seconds > MAX_MINUTES * 60 || mebibytes > MAX_MIB) throw new Error("the import takes too much");
    }
  } finally {
    await server.stop();
    await rm(server.dataDir, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

const MAIN = path.join(import.meta.dirname, "../signalbox.mjs");
const SAMPLE_MS = 200;

/** The CPU time of PostgreSQL includes what the server makes of the new issues meanwhile. */
async function runImport({ dataDir, usage }: BenchServer, args: string[]) {
  const before = await usage();
  const started = performance.now();
  const child = spawn(process.execPath, [...V8_FLAGS, MAIN, "import", "jira", ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  let [mebibytes, cpu] = [0, 0];
  // The largest resident size of a process is in its status until it ends.
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    mebibytes = Math.max(mebibytes, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
    cpu = Math.max(cpu, await cpuSeconds(child.pid));
    await pause(SAMPLE_MS);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  const seconds = (performance.now() - started) / 1_000;
  const after = await usage();
  return {
    seconds,
    mebibytes,
    cpu: {
      import: cpu,
      postgres: after.postgres.cpu - before.postgres.cpu,
      server: after.server.cpu - before.server.cpu,
    },
  };
}

/** User and system time of a process; 0 if it has ended. */
async function cpuSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

function* writeExport(): Generator<string> {
  yield "Summary,Issue key,Issue id,Issue Type,Status,Priority,Assignee,Reporter,Created,Updated,Labels,Labels,Description,Comment,Comment,Status Category\n";
  const statuses = ["To Do,To Do", "Waiting for QA,In Progress", "Done,Done"];
  for (let n = 1; n <= ISSUES; n++) {
    const [status, category] = (statuses[n % 3] as string).split(",");
    const text = `Issue ${n}. ${"The total of the cart is wrong after a coupon was removed. ".repeat(5)}`;
    const comment = (minute: string) => `"05/Mar/25 11:${minute} AM;user${n % 50};${text}"`;
    yield `Coupon ${n} is counted twice,BENCH-${n},${n},Bug,${status},High,user${n % 50},user${n % 7},01/Mar/25 10:05 AM,02/Mar/25 1:30 PM,label${n % 20},checkout,"${text}",${comment("10")},${comment("11")},${category}\n`;
  }
}
