import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Runs test files, several per process: loading the server takes longer than running the tests of a usual file.
 *
 *     node test/run.ts GLOBAL_SETUP PATTERN…
 */
const FILES_PER_PROCESS = 8;

const FILE_TIMEOUT_MS = 300_000;
const PROCESS_TIMEOUT_MS = 1_200_000;

const [globalSetup = "", ...patterns] = process.argv.slice(2);
const root = path.join(import.meta.dirname, "..");
const folder = await mkdtemp(path.join(tmpdir(), "signalbox-tests-"));
try {
  const options = [
    `--test-reporter=${path.join(import.meta.dirname, "support/report-files.ts")}`,
    "--test-reporter-destination=stdout",
    "--test-concurrency=2",
    `--test-timeout=${PROCESS_TIMEOUT_MS}`,
    `--test-global-setup=${globalSetup}`,
  ];
  const batches = await writeBatches(await findFiles());
  const tests = spawn(process.execPath, ["--test", ...options, ...batches], { cwd: root, stdio: "inherit" });
  const [code] = (await once(tests, "exit")) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await rm(folder, { recursive: true });
}

async function findFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: root })) files.push(file);
  return files.sort();
}

function urlOf(file: string): string {
  return JSON.stringify(pathToFileURL(path.join(root, file)).href);
}

/** Writes modules that each run some of the files, one after another. A file is a test whose subtests are those in the file. */
function writeBatches(files: string[]): Promise<string[]> {
  const imports = [
    `import { mock, test } from "node:test";`,
    `import { endPrograms } from ${urlOf("test/support/program.ts")};`,
  ];
  const count = Math.ceil(files.length / FILES_PER_PROCESS);
  // Slow files are neighbors, so neighbors go to different processes.
  const batches = Array.from({ length: count }, (_, n) =>
    files.filter((_file, index) => index % count === n),
  );
  return Promise.all(
    batches.map(async (batch, n) => {
      const name = path.join(folder, `batch-${n}.test.mjs`);
      const lines = batch.map((file) => {
        const run = `{ timeout: ${FILE_TIMEOUT_MS} }, () => import(${urlOf(file)})`;
        return `await test(${JSON.stringify(file)}, ${run});\nmock.reset();\nendPrograms();`;
      });
      await writeFile(name, [...imports, ...lines].join("\n"));
      return name;
    }),
  );
}
