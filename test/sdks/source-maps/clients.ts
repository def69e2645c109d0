import { openAsBlob } from "node:fs";
import { glob } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../run-command.ts";
import { PLUGIN_PACKAGES } from "./plugins.ts";

const INSTALL_MS = 150_000;
const UPLOAD_MS = 60_000;

/** The packages with the clients and plugins, and the SDKs that send errors. */
const PACKAGES = [
  ...PLUGIN_PACKAGES,
  "@sentry/cli@2.58",
  "cli3@npm:@sentry/cli@3.8",
  "sentry@0.49",
  "@sentry/browser@latest",
  "@sentry/node@latest",
];

export async function installClients(folder: string): Promise<void> {
  const options = ["--no-audit", "--no-fund", "--no-save", "--prefer-offline", "--loglevel=error"];
  await runCommand("npm", ["install", ...options, ...PACKAGES], { cwd: folder, timeoutMs: INSTALL_MS });
}

export type Upload = {
  /** The folder with `node_modules`. */
  installed: string;
  /** The folder with the bundles. Clients change files in it. */
  dist: string;
  url: string;
  project: string;
  token: string;
  release: string;
};

export type MapClient = { name: string; upload(upload: Upload): Promise<void> };

/** Runs a program of the installed packages with the variables that all of Sentry's clients read. */
function run(file: string, args: string[], { installed, dist, url, project, token }: Upload) {
  const env = {
    SENTRY_URL: url,
    SENTRY_AUTH_TOKEN: token,
    SENTRY_ORG: "shop",
    SENTRY_PROJECT: project,
    // The npm package keeps its settings there.
    HOME: path.dirname(dist),
  };
  const program = path.join(installed, "node_modules", file);
  return runCommand(process.execPath, [program, ...args], { cwd: installed, env, timeoutMs: UPLOAD_MS });
}

/** Finds maps by their debug ids alone. */
const sentryCli2: MapClient = {
  name: "sentry-cli 2",
  async upload(upload) {
    await run("@sentry/cli/bin/sentry-cli", ["sourcemaps", "inject", upload.dist], upload);
    await run("@sentry/cli/bin/sentry-cli", ["sourcemaps", "upload", upload.dist], upload);
  },
};

const sentryCli3: MapClient = {
  name: "sentry-cli 3",
  async upload(upload) {
    const { dist, release } = upload;
    await run("cli3/bin/sentry-cli", ["sourcemaps", "inject", dist], upload);
    await run("cli3/bin/sentry-cli", ["sourcemaps", "upload", "--release", release, dist], upload);
  },
};

/** Injects debug ids by itself. The plugins of bundlers use it. */
const npmSentry: MapClient = {
  name: "npm sentry",
  upload: async (upload) =>
    void (await run("sentry/dist/bin.cjs", ["sourcemap", "upload", upload.dist], upload)),
};

/** Files without debug ids, which are found by the release and their names. */
const ownRoute: MapClient = {
  name: "Signalbox's own route",
  async upload({ dist, url, project, token, release }) {
    const form = new FormData();
    let n = 0;
    for await (const file of glob("**/*.map", { cwd: dist })) {
      const served = file.includes("browser-") ? file : path.join(dist, file).slice(1);
      form.append(`files[${n++}]`, await openAsBlob(path.join(dist, file)), `~/${served}`);
    }
    const address = `${url}/api/projects/${project}/releases/${encodeURIComponent(release)}/artifacts`;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(address, { method: "POST", headers, body: form });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  },
};

export const CLIENTS: readonly MapClient[] = [sentryCli2, sentryCli3, npmSentry, ownRoute];
