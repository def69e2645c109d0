import path from "node:path";
import type { Logger } from "pino";
import { buildIfNeeded } from "./build-if-needed.ts";
import { BUILT } from "./serve-web-app.ts";

const VITE = "node_modules/vite/bin/vite.js";

/** Builds the web app if it is missing or older than its sources. */
export async function buildWebApp(log: Logger): Promise<void> {
  const build = {
    name: "the web app",
    output: path.join(BUILT, "index.html"),
    sources: ["src/web", "src/shared", "package-lock.json"],
    tool: VITE,
    command: [VITE, "build", "--logLevel", "error", "--config", "src/web/vite.config.ts"],
  };
  await buildIfNeeded(build, log);
}
