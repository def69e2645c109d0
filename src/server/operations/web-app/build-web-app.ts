import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { BUILT } from "./serve-web-app.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");
const VITE = path.join(ROOT, "node_modules/vite/bin/vite.js");
const SOURCES = ["src/web", "src/shared", "package-lock.json"];

/** Builds the web app if it is missing or older than its sources. An image built elsewhere has no build tools: keep its build. */
export async function buildWebApp(log: Logger): Promise<void> {
  const built = await stat(path.join(BUILT, "index.html")).catch(() => undefined);
  if (!existsSync(VITE)) {
    if (!built)
      log.warn("There is no web app, and nothing to build it with: npm ci installs it. The API is served.");
    return;
  }
  if (built && built.mtimeMs > (await newestSource())) return;
  log.info("Building the web app: this takes some seconds, and happens once.");
  const config = path.join(ROOT, "src/web/vite.config.ts");
  await promisify(execFile)(process.execPath, [VITE, "build", "--logLevel", "error", "--config", config], {
    cwd: ROOT,
  });
}

/** Folders count, too: moving or deleting a file changes only the time of its folder. */
async function newestSource(): Promise<number> {
  const files = await Promise.all(
    SOURCES.map(async (source) => {
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
