import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { folderInMemory } from "./support/folder-in-memory.ts";

/**
 * Runs test files, many per process: loading the server takes longer than running the tests of a usual file.
 *
 *     node test/run.ts [--processes=1] GLOBAL_SETUP PATTERN…
 */
const MAX_FILES_PER_PROCESS = 24;

/** One more than CI has cores: tests often wait, for PostgreSQL, Chromium or a program. */
const DEFAULT_PROCESSES = "3";

/** The slowest tests take a minute or two; one that takes this long hangs. */
const TEST_TIMEOUT_MS = 600_000;

const { values, positionals } = parseArgs({
  options: { processes: { type: "string", default: DEFAULT_PROCESSES } },
  allowPositionals: true,
});
const processes = Number(values.processes);
const [globalSetup = "", ...patterns] = positionals;
const root = path.join(import.meta.dirname, "..");
const folder = await mkdtemp(path.join(await folderInMemory(), "signalbox-"));
try {
  // Tests of other accounts reach their folders through this one.
  await chmod(folder, 0o711);
  const options = [
    `--test-reporter=${path.join(import.meta.dirname, "support/report-files.ts")}`,
    "--test-reporter-destination=stdout",
    `--test-concurrency=${processes}`,
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    `--test-global-setup=${globalSetup}`,
  ];
  const batches = await writeBatches(findFiles());
  const env = { ...process.env, TMPDIR: folder };
  const tests = spawn(process.execPath, ["--test", ...options, ...batches], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  const [code] = (await once(tests, "exit")) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Sorted within each pattern: the first pattern's files start first. */
function findFiles(): string[] {
  const files = new Set<string>();
  for (const pattern of patterns) for (const file of globSync(pattern, { cwd: root }).sort()) files.add(file);
  return [...files];
}

function urlOf(file: string): string {
  return pathToFileURL(path.join(root, file)).href;
}

/** Writes modules that each run some files from one queue, so that no process waits for another. */
async function writeBatches(files: string[]): Promise<string[]> {
  // At least two rounds, so that no process ends long before the last one.
  const most = Math.min(MAX_FILES_PER_PROCESS, Math.ceil(files.length / (2 * processes)));
  const queue = path.join(folder, "queue");
  await mkdir(queue);
  const urls = files.map((file) => [file, urlOf(file)]);
  const lines = [
    `import { runQueuedFiles } from ${JSON.stringify(urlOf("test/support/run-queued-files.ts"))};`,
    `await runQueuedFiles(${JSON.stringify(queue)}, ${most}, ${JSON.stringify(urls)});`,
  ];
  return Promise.all(
    Array.from({ length: Math.ceil(files.length / most) }, async (_, n) => {
      const name = path.join(folder, `batch-${n}.test.mjs`);
      await writeFile(name, lines.join("\n"));
      return name;
    }),
  );
}
