import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";

const ROOT = path.join(import.meta.dirname, "../../../..");

type Build = {
  /** As in "The web app is not built". */
  name: string;
  /** The file that the build writes last. */
  output: string;
  /** Files and folders, relative to the repository. */
  sources: string[];
  /** A file of the build tools, relative to the repository. Without it, nothing can be built, as in a container image. */
  tool: string;
  /** Arguments of Node, relative to the repository. */
  command: string[];
};

/** Runs a build if its output is missing or older than its sources. Does nothing without build tools. */
export async function buildIfNeeded(build: Build, log: Logger): Promise<void> {
  const { name, output, sources, tool, command } = build;
  const built = await stat(output).catch(() => undefined);
  if (!existsSync(path.join(ROOT, tool))) {
    if (!built)
      log.warn(
        `${name} is not built and the build tools are missing (npm ci installs them). Serving without it.`,
      );
    return;
  }
  if (built && built.mtimeMs > (await newestTime(sources))) return;
  log.info(`Building: ${name}. This takes a few seconds and happens only once.`);
  await promisify(execFile)(process.execPath, command, { cwd: ROOT });
}

/** Includes folders, because moving or deleting a file changes only its folder's modification time. */
async function newestTime(sources: string[]): Promise<number> {
  const files = await Promise.all(
    sources.map(async (source) => {
      const whole = path.join(ROOT, source);
      const entries = await readdir(whole, { recursive: true, withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => !entry.name.endsWith(".test.ts"))
        .map((entry) => path.join(entry.parentPath, entry.name));
      return [...names, whole];
    }),
  );
  const times = await Promise.all(
    files.flat().map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0),
  );
  return Math.max(0, ...times);
}
