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

/** Builds the web app if it is missing or older than its sources. Does nothing without build tools, as in a container image. */
export async function buildWebApp(log: Logger): Promise<void> {
  const built = await stat(path.join(BUILT, "index.html")).catch(() => undefined);
  if (!existsSync(VITE)) {
    if (!built)
      log.warn(
        "The web app is not built and the build tools are missing (npm ci installs them). Serving the API only.",
      );
    return;
  }
  if (built && built.mtimeMs > (await newestSource())) return;
  log.info("Building the web app. This takes a few seconds and happens only once.");
  const config = path.join(ROOT, "src/web/vite.config.ts");
  await promisify(execFile)(process.execPath, [VITE, "build", "--logLevel", "error", "--config", config], {
    cwd: ROOT,
  });
}

/** Includes folders, because moving or deleting a file changes only its folder's modification time. */
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
