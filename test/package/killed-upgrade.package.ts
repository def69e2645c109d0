import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, test, type TestContext } from "node:test";
import { readJournal } from "../../src/server/commands/upgrade/journal.ts";
import { waitUntil } from "../support/eventually.ts";
import { PACKAGE, type Place } from "./packaged-program.ts";
import { newerVersion, newerVersionAfter, run, searchPath, writeRelease } from "./packaged-versions.ts";
import {
  assertNewVersion,
  assertOldVersion,
  countErrors,
  makeSite,
  startSite,
  stopSite,
  waitUntilListening,
  type Site,
} from "./upgrade-site.ts";

/**
 * Puts a program that waits forever before others in PATH, so that the upgrade stays at the step that runs it. Unpacking runs `sync -f`,
 * which does nothing.
 */
async function pathWithBlocked(site: Site, name: string): Promise<string> {
  const folder = path.join(site.folder, "blocked");
  await mkdir(folder);
  await writeFile(
    path.join(folder, name),
    `#!/bin/sh\n[ "$1" != -f ] || exit 0\ntouch "${folder}/reached"\nwhile [ -d "${folder}" ]; do sleep 0.1; done\n`,
  );
  await chmod(path.join(folder, name), 0o755);
  return `${folder}:${searchPath}`;
}

const isReached = async (site: Site) =>
  (await readdir(path.join(site.folder, "blocked"))).includes("reached");

const pausedFile = ({ folder }: Place) => path.join(folder, "paused");

/** Variables for a process that stops before a change of a file; see `pause-at.ts`. */
const pausingAt = (place: Place, call: string) => ({
  NODE_OPTIONS: `--import=${new URL("pause-at.ts", import.meta.url).href}`,
  PAUSE_AT: call,
  PAUSED: pausedFile(place),
});

/** Runs a command, and kills it right before it changes a file. */
async function killAt(site: Site, args: string[], call: string): Promise<void> {
  await rm(pausedFile(site), { force: true });
  const command = run(site, args, pausingAt(site, call));
  const paused = waitUntil(() => existsSync(pausedFile(site)), `the pause at ${call}`);
  const ended = command.ended.then(({ output }) => {
    throw new Error(`It ended without the pause at ${call}: ${output}`);
  });
  await Promise.race([paused, ended]).finally(() => command.kill("SIGKILL"));
  await ended.catch(() => {});
}

describe("an upgrade that is killed", () => {
  for (const [step, program] of [
    ["before it copies the database", "cp"],
    ["before the copy is on the disk", "sync"],
  ] as const)
    test(`${step} leaves the old version, which the next start cleans up`, async (t) => {
      const site = await makeSite(t);
      const release = await writeRelease(site, newerVersion);
      const upgrade = run(site, ["upgrade", release], { PATH: await pathWithBlocked(site, program) });
      t.after(() => upgrade.kill("SIGKILL"));
      await waitUntil(() => isReached(site), `the upgrade to run ${program}`);
      upgrade.kill("SIGKILL");
      await upgrade.ended;
      await startSite(site);
      await assertOldVersion(site);
    });

  test("before it exchanges the files leaves the old version, which the next start cleans up", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, newerVersion);
    await killAt(site, ["upgrade", release], "rename signalbox.next 1");
    assert.equal((await readJournal(site.dataDir))?.step, "swapping");
    await startSite(site);
    await assertOldVersion(site);
  });

  test("after it has exchanged the files is completed by the new version", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, newerVersion);
    // The third step is `starting`.
    await killAt(site, ["upgrade", release], "rename journal.json.partial 3");
    assert.equal((await readJournal(site.dataDir))?.step, "swapping");
    await startSite(site);
    await waitUntilListening(site);
    await stopSite(site);
    await startSite(site);
    await assertNewVersion(site);
  });

  test("while the new version starts is rolled back by the next upgrade, once that version is stopped", async (t) => {
    // The server stops before it records that it accepts requests.
    const site = await makeSite(t, (place) => pausingAt(place, "rename journal.json.partial 1"));
    const release = await writeRelease(site, newerVersion);
    const upgrade = run(site, ["upgrade", release, "--wait", "600"]);
    t.after(() => upgrade.kill("SIGKILL"));
    await waitUntil(() => existsSync(pausedFile(site)), "the new version to start");
    upgrade.kill("SIGKILL");
    await upgrade.ended;

    const refused = await run({ ...site, file: PACKAGE }, ["upgrade", release]).ended;
    assert.equal(refused.code, 1);
    assert.match(refused.output, /has started \S+, which is not ready yet/);
    await stopSite(site, "SIGKILL");
    const { code, output } = await run({ ...site, file: PACKAGE }, ["upgrade", release]).ended;
    assert.equal(code, 1);
    assert.match(output, /Rolled back the interrupted upgrade to /);
    await startSite(site);
    await assertOldVersion(site);
  });

  test("while the new version starts is completed by the new version", async (t) => {
    const site = await makeSite(t);
    const gate = path.join(site.folder, "gate");
    const wait = `while [ ! -e "${gate}" ]; do sleep 0.1; done`;
    await killWhileStarting(t, site, await writeRelease(site, newerVersionAfter(wait)));
    await writeFile(gate, "");
    await waitUntilListening(site);
    assert.equal(await countErrors(site), 1);
    await stopSite(site);

    await startSite(site);
    await assertNewVersion(site);
  });

  test("after the new version listens is completed by the next upgrade, and then by the next start", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, newerVersion);
    // The first call was before the exchange.
    await killAt(site, ["upgrade", release], "rm signalbox.previous 2");
    assert.equal((await readJournal(site.dataDir))?.step, "listening");
    await killAt(site, ["upgrade", release], "rm data.before-upgrade 1");
    assert.equal(await readJournal(site.dataDir), undefined);
    await stopSite(site);
    await startSite(site);
    await assertNewVersion(site);
  });

  test("again and again while it rolls back is rolled back by the server's next starts", async (t) => {
    const site = await makeSite(t);
    const gate = path.join(site.folder, "gate");
    const script = `[ -e "${gate}" ] || { rm -r "$DATA_DIR/postgres/data/base"; exit 1; }`;
    const release = await writeRelease(site, newerVersionAfter(script));
    await killAt(site, ["upgrade", release, "--wait", "1"], "rename data 1");
    await writeFile(gate, "");
    const calls = ["rename data.before-upgrade 1", "rename signalbox.previous 1", "rm journal.json 1"];
    for (const call of calls) {
      assert.equal((await readJournal(site.dataDir))?.step, "rolling-back");
      await killAt(site, ["serve"], call);
    }
    await startSite(site);
    await assertOldVersion(site);
  });

  test("is rolled back by the second start of a new version that does not listen", async (t) => {
    const site = await makeSite(t);
    const gate = path.join(site.folder, "gate");
    const fail = `[ -e "${gate}" ] || exit 1; export HOST=host.invalid`;
    await killWhileStarting(t, site, await writeRelease(site, newerVersionAfter(fail)));
    await writeFile(gate, "");
    const first = await run(site, ["serve"]).ended;
    assert.match(first.output, /HOST host\.invalid is not an address of this machine/);
    const second = await run(site, ["serve"]).ended;
    assert.match(second.output, /failed and was rolled back to .* Start .*\/signalbox again/);
    await startSite(site);
    await assertOldVersion(site);
  });
});

async function killWhileStarting(t: TestContext, site: Site, release: string): Promise<void> {
  const upgrade = run(site, ["upgrade", release, "--wait", "600"]);
  t.after(() => upgrade.kill("SIGKILL"));
  await waitUntil(() => existsSync(path.join(site.folder, "started")), "the new version to start");
  upgrade.kill("SIGKILL");
  await upgrade.ended;
}
