import path from "node:path";
import { runCommand } from "../run-command.ts";
import type { Platform, Sender } from "./bundle-shop.ts";

const BUILD_MS = 60_000;
const PROGRAM = path.join(import.meta.dirname, "build-with-plugin.ts");

/** The plugins that upload while they bundle. What runs and reports the error differs, so that each pair is tested once. */
export const PLUGINS = [
  { name: "@sentry/vite-plugin", platform: "browser", sender: "sentry" },
  { name: "@sentry/webpack-plugin", platform: "browser", sender: "reporter" },
  { name: "@sentry/rollup-plugin", platform: "node", sender: "reporter" },
  { name: "@sentry/esbuild-plugin", platform: "node", sender: "sentry" },
] as const satisfies readonly { name: string; platform: Platform; sender: Sender }[];

export type PluginName = (typeof PLUGINS)[number]["name"];

/** With the bundlers that this repository does not have. */
export const PLUGIN_PACKAGES = [
  ...PLUGINS.map(({ name }) => `${name}@latest`),
  "webpack@5",
  "rollup@4",
  "@rollup/plugin-node-resolve@latest",
];

export type PluginBuild = {
  plugin: PluginName;
  /** Becomes `app.mjs` in `dist`. */
  entry: string;
  dist: string;
  url: string;
  project: string;
  token: string;
  release: string;
};

/** Bundles and uploads in the folder with `node_modules`. */
export async function buildWithPlugin(installed: string, build: PluginBuild): Promise<void> {
  const args = [PROGRAM, JSON.stringify(build)];
  // Plugins keep the address of their last server there, and prefer it to the one in their options.
  const env = { HOME: path.dirname(build.dist) };
  await runCommand(process.execPath, args, { cwd: installed, env, timeoutMs: BUILD_MS });
}
