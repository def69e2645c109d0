import path from "node:path";
import type { Logger } from "pino";
import { buildIfNeeded } from "../web-app/build-if-needed.ts";
import { BUILT } from "./serve-reporter.ts";

/** Builds the reporter's downloads if they are missing or older than their sources. */
export async function buildReporter(log: Logger): Promise<void> {
  const build = {
    name: "the reporter's downloads",
    output: path.join(BUILT, "reporter.json"),
    sources: ["src", "scripts", "docs", "package.json", "README.md", "CHANGELOG.md"].map(
      (name) => `reporter/${name}`,
    ),
    tool: "node_modules/esbuild/package.json",
    command: ["reporter/scripts/build-downloads.ts"],
  };
  await buildIfNeeded(build, log);
}
