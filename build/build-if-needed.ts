import { execFile, type ExecFileException } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { StartError } from "../src/server/config/start-error.ts";

const ROOT = path.join(import.meta.dirname, "..");

/** All paths are relative to the repository. */
export type Build = {
  /** As in "The web app is not built". */
  name: string;
  /** The file that the build writes last. */
  output: string;
  /** Files and folders. */
  sources: string[];
  /** A file of the build tools. Without it, nothing can be built, as in a container image. */
  tool: string;
  /** Arguments of Node. */
  command: string[];
};

/** Runs a build if its output is missing or older than its sources. Does nothing without build tools. Throws StartError. */
export async function buildIfNeeded(build: Build, log: Logger): Promise<void> {
  const { name, output, sources, tool, command } = build;
  const built = await stat(path.join(ROOT, output)).catch(() => undefined);
  if (!existsSync(path.join(ROOT, tool))) {
    if (!built)
      log.warn(
        `${name} is not built and the build tools are missing (npm ci installs them). Serving without it.`,
      );
    return;
  }
  if (built && built.mtimeMs > newestTime(sources)) return;
  log.info(`Building: ${name}. This takes a few seconds and happens only once.`);
  try {
    await promisify(execFile)(process.execPath, command, { cwd: ROOT });
  } catch (error) {
    throw new StartError(`Building ${name} failed: ${reason(error as Failure)}`, error);
  }
}

type Failure = ExecFileException & { stderr: string };

/** Ctrl-C ends the build as well, without a message. */
const reason = ({ stderr, signal, code }: Failure) =>
  stderr.trim() || `it ended with ${signal ?? `code ${code}`}`;

/**
 * Includes folders, because moving or deleting a file changes only its folder's modification time. Waits for each of a thousand
 * files, because that takes a tenth of the time of asking the thread pool for them, and nothing is served yet.
 */
function newestTime(sources: string[]): number {
  let newest = 0;
  for (const source of sources) {
    const whole = path.join(ROOT, source);
    for (const file of [whole, ...filesIn(whole)])
      newest = Math.max(newest, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  }
  return newest;
}

function filesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => path.join(folder, name));
}
