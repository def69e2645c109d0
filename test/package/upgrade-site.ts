import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { readJournal } from "../../src/server/commands/upgrade/journal.ts";
import { findServer, programOf } from "../../src/server/commands/upgrade/running-server.ts";
import { anEvent } from "../support/error-events.ts";
import { waitUntil } from "../support/eventually.ts";
import { install, type Installed } from "../support/over-http.ts";
import { makePlace, PACKAGE, waitUntilReady, type Place, type Run } from "./packaged-program.ts";
import { facts, newerName, run, unpacked } from "./packaged-versions.ts";

/** A server of the packaged file, with one error event, and the file beside which upgrades are put. */
export type Site = Place & { file: string; server: Run; installed: Installed };

export async function makeSite(
  t: TestContext,
  env: (place: Place) => Record<string, string> = () => ({}),
): Promise<Site> {
  const place = await makePlace();
  t.after(() => place.remove());
  const file = path.join(place.folder, "signalbox");
  await copyFile(PACKAGE, file);
  // Links to the unpacked programs, because unpacking takes long.
  await mkdir(place.dataDir, { mode: 0o711 });
  await promisify(execFile)("cp", ["-al", path.join(unpacked.dataDir, "program"), place.dataDir]);
  const server = await startSite({ ...place, file }, env(place));
  const installed = await install(place.url);
  assert.equal((await installed.send(place.url, anEvent())).status, 202);
  return { ...place, file, server, installed };
}

export async function startSite(
  site: Place & { file: string },
  env: Record<string, string> = {},
): Promise<Run> {
  const server = run(site, ["serve"], env);
  await waitUntilReady(site, server);
  return server;
}

export const countErrors = async ({ installed, url }: Site) => (await installed.readGroups(url)).length;

export async function assertOldVersion(site: Site): Promise<void> {
  const program = programOf(site.dataDir);
  assert.match(program ?? "none", new RegExp(`^${facts.version}-`));
  assert.equal(await countErrors(site), 1);
  assert.deepEqual(await readFile(site.file), await readFile(PACKAGE));
  assert.equal(await readJournal(site.dataDir), undefined);
  assert.deepEqual(
    (await readdir(site.folder)).filter((name) => /\.(next|previous)$/.test(name)),
    [],
  );
  const databases = await readdir(path.join(site.dataDir, "postgres"));
  assert.deepEqual(
    databases.filter((name) => name.includes("before-upgrade")),
    [],
  );
}

export async function assertNewVersion(site: Site): Promise<void> {
  assert.ok(programOf(site.dataDir)?.startsWith(`${newerName}-`));
  assert.equal(await countErrors(site), 1);
  assert.equal(await readJournal(site.dataDir), undefined);
  const left = (names: string[]) => names.filter((name) => /^data\.|\.(next|previous)$/.test(name));
  assert.deepEqual(left(await readdir(site.folder)), []);
  assert.deepEqual(left(await readdir(path.join(site.dataDir, "postgres"))), []);
}

export const waitUntilListening = ({ dataDir }: Site) =>
  waitUntil(async () => (await readJournal(dataDir))?.step === "listening", "the new version to listen");

export async function stopSite({ dataDir }: Site, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  process.kill(findServer(dataDir)?.pid ?? 0, signal);
  await waitUntil(() => programOf(dataDir) === undefined, "the server to stop");
}
