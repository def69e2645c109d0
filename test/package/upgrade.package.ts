import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { readJournal } from "../../src/server/commands/upgrade/journal.ts";
import { findServer, programOf } from "../../src/server/commands/upgrade/running-server.ts";
import { signedText } from "../../src/server/commands/upgrade/signature.ts";
import { anEvent } from "../support/error-events.ts";
import { waitUntil } from "../support/eventually.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { isAlive } from "../support/program.ts";
import {
  makePlace,
  PACKAGE,
  runProgram,
  SIGNING_KEY,
  waitUntilReady,
  type Place,
  type Run,
} from "./packaged-program.ts";

const { PATH = "" } = process.env;

let key: KeyObject;
/** Its data directory contains the unpacked program. */
let unpacked: Place;
/** The packaged file with another version in its script: as another version, it unpacks to another folder. */
let newerVersion: Buffer;
let newerName: string;
let facts: { version: string; platform: string; schema: string; sha256: string };
before(async () => {
  key = createPrivateKey(await readFile(SIGNING_KEY, "utf8"));
  const content = await readFile(PACKAGE);
  const head = content.subarray(0, 8192).toString("latin1");
  const [, version = "", platform = "", schema = "", sha256 = ""] =
    /version=(\S+) platform=(\S+) schema=(\d+) sha256=(\S+)/.exec(head) ?? [];
  facts = { version, platform, schema, sha256 };
  newerName = version.replace(/\d$/, "9");
  const changed = head.replaceAll(version, newerName);
  assert.equal(changed.length, head.length);
  newerVersion = Buffer.concat([Buffer.from(changed, "latin1"), content.subarray(8192)]);
  unpacked = await makePlace();
  const { code, output } = await run({ ...unpacked, file: PACKAGE }, ["--help"]).ended;
  assert.equal(code, 0, output);
});
after(() => unpacked.remove());

const NEVER_READY = 'while [ -d "$DATA_DIR" ]; do sleep 0.1; done';

/** A file that succeeds when it is asked for help, and otherwise runs this script. */
function fakeVersion(script: string, changes: Partial<typeof facts> = {}): string {
  const { version, platform, schema, sha256 } = {
    ...facts,
    version: "9.9.9",
    sha256: "0".repeat(64),
    ...changes,
  };
  return `#!/bin/sh
# version=${version} platform=${platform} schema=${schema} sha256=${sha256}
[ "$1" != --help ] || exit 0
${script}
`;
}

/** A server of the packaged file, with one error event, and the file beside which upgrades are put. */
type Site = Place & { file: string; server: Run; installed: Installed };

async function makeSite(t: TestContext): Promise<Site> {
  const place = await makePlace();
  t.after(() => place.remove());
  const file = path.join(place.folder, "signalbox");
  await copyFile(PACKAGE, file);
  // Links to the unpacked program, because unpacking takes long.
  await mkdir(place.dataDir, { mode: 0o711 });
  await promisify(execFile)("cp", ["-al", path.join(unpacked.dataDir, "program"), place.dataDir]);
  const server = await startSite({ ...place, file });
  const installed = await install(place.url);
  assert.equal((await installed.send(place.url, anEvent())).status, 202);
  return { ...place, file, server, installed };
}

const run = ({ folder, dataDir, port, file }: Place & { file: string }, args: string[], path = PATH) =>
  runProgram([file, ...args], {
    cwd: folder,
    env: { PATH: path, DATA_DIR: dataDir, PORT: String(port), SETUP_TOKEN },
  });

async function startSite(site: Place & { file: string }): Promise<Run> {
  const server = run(site, ["serve"]);
  await waitUntilReady(site, server);
  return server;
}

async function writeRelease(site: Site, content: string | Buffer, signingKey = key): Promise<string> {
  const file = path.join(site.folder, "release");
  await writeFile(file, content);
  const digest = createHash("sha512").update(content).digest("hex");
  await writeFile(`${file}.sig`, sign(null, signedText(digest), signingKey).toString("base64"));
  return file;
}

const countErrors = async ({ installed, url }: Site) => (await installed.readGroups(url)).length;

async function assertOldVersion(site: Site): Promise<void> {
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

describe("signalbox upgrade", () => {
  test("replaces a running server by the new version and keeps its data", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, newerVersion);
    const { code, output } = await run(site, ["upgrade", release]).ended;
    assert.equal(code, 0, output);
    assert.match(output, /Upgraded to /);
    assert.match(programOf(site.dataDir) ?? "", /9-[0-9a-f]{12}$/);
    assert.equal(await countErrors(site), 1);
    assert.equal(await readJournal(site.dataDir), undefined);
    assert.deepEqual(
      await readdir(path.join(site.dataDir, "postgres")).then((names) =>
        names.filter((name) => name.startsWith("data")),
      ),
      ["data"],
    );
  });

  test("rolls back a version that changes the database and is never ready", async (t) => {
    const site = await makeSite(t);
    const script = 'rm -r "$DATA_DIR/postgres/data/base"; ';
    const release = await writeRelease(site, fakeVersion(script + NEVER_READY));
    const { code, output } = await run(site, ["upgrade", release, "--wait", "5"]).ended;
    assert.equal(code, 1);
    assert.match(output, /was rolled back: .* is running again/);
    await assertOldVersion(site);
  });

  test("rolls back a version that exits at once", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, fakeVersion("exit 1"));
    const { code } = await run(site, ["upgrade", release, "--wait", "5"]).ended;
    assert.equal(code, 1);
    await assertOldVersion(site);
  });

  test("changes nothing when it refuses a file", async (t) => {
    const site = await makeSite(t);
    const { privateKey: otherKey } = generateKeyPairSync("ed25519");
    const cases: [RegExp, string | Buffer, KeyObject?][] = [
      [/is not a signature of this file by the key/, newerVersion, otherKey],
      [/is not a Signalbox file/, "#!/bin/sh\n"],
      [/is for plan9-mips, but this is/, fakeVersion("exit 1", { platform: "plan9-mips" })],
      [/only supports schemas up to 1,/, fakeVersion("exit 1", { schema: "1" })],
      [/This is already version/, await readFile(PACKAGE)],
      [
        /does not run here: no such library/,
        fakeVersion("").replace("exit 0", "{ echo no such library >&2; exit 1; }"),
      ],
    ];
    for (const [reason, content, signingKey] of cases) {
      const { code, output } = await run(site, ["upgrade", await writeRelease(site, content, signingKey)])
        .ended;
      assert.equal(code, 1, output);
      assert.match(output, reason);
      assert.ok(isAlive(site.server.pid));
      await assertOldVersion(site);
    }
  });
});

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
  return `${folder}:${PATH}`;
}

const isReached = async (site: Site) =>
  (await readdir(path.join(site.folder, "blocked"))).includes("reached");

describe("an upgrade that is killed", () => {
  for (const [step, program] of [
    ["before it copies the database", "cp"],
    ["before the copy is on the disk", "sync"],
  ] as const)
    test(`${step} leaves the old version, which the next start cleans up`, async (t) => {
      const site = await makeSite(t);
      const release = await writeRelease(site, newerVersion);
      const upgrade = run(site, ["upgrade", release], await pathWithBlocked(site, program));
      t.after(() => upgrade.kill("SIGKILL"));
      await waitUntil(() => isReached(site), `the upgrade to run ${program}`);
      upgrade.kill("SIGKILL");
      await upgrade.ended;
      await startSite(site);
      await assertOldVersion(site);
    });

  test("while the new version starts is rolled back by the next upgrade", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, fakeVersion(NEVER_READY));
    await killWhileStarting(t, site, release);
    const { code, output } = await run({ ...site, file: PACKAGE }, ["upgrade", release]).ended;
    assert.equal(code, 1);
    assert.match(output, /Rolled back the interrupted upgrade to 9\.9\.9/);
    await startSite(site);
    await assertOldVersion(site);
  });

  test("while the new version starts is completed by the new version", async (t) => {
    const site = await makeSite(t);
    const gate = path.join(site.folder, "gate");
    const wait = `while [ ! -e "${gate}" ]; do sleep 0.1; done`;
    await killWhileStarting(t, site, await writeRelease(site, await newerVersionAfter(site, wait)));
    await writeFile(gate, "");
    await waitUntil(
      async () => (await readJournal(site.dataDir))?.step === "listening",
      "the new version to listen",
    );
    assert.equal(await countErrors(site), 1);
    process.kill(findServer(site.dataDir)?.pid ?? 0, "SIGTERM");
    await waitUntil(() => programOf(site.dataDir) === undefined, "the new version to stop");

    await startSite(site);
    assert.equal(await countErrors(site), 1);
    assert.ok(programOf(site.dataDir)?.startsWith(`${newerName}-`));
    assert.equal(await readJournal(site.dataDir), undefined);
  });

  test("is rolled back by the second start of a new version that does not listen", async (t) => {
    const site = await makeSite(t);
    const gate = path.join(site.folder, "gate");
    const fail = `[ -e "${gate}" ] || exit 1; export HOST=host.invalid`;
    await killWhileStarting(t, site, await writeRelease(site, await newerVersionAfter(site, fail)));
    await writeFile(gate, "");
    const first = await run(site, ["serve"]).ended;
    assert.match(first.output, /HOST host\.invalid is not an address of this machine/);
    const second = await run(site, ["serve"]).ended;
    assert.match(second.output, /failed and was rolled back to .* Start .*\/signalbox again/);
    await startSite(site);
    await assertOldVersion(site);
  });
});

/** A file that runs the newer version after a script. */
async function newerVersionAfter(site: Site, script: string): Promise<string> {
  const file = path.join(site.folder, "newer");
  await writeFile(file, newerVersion, { mode: 0o755 });
  const names = { version: newerName, sha256: facts.sha256 };
  return fakeVersion(`${script}\nexec "${file}" "$@"`, names);
}

async function killWhileStarting(t: TestContext, site: Site, release: string): Promise<void> {
  const upgrade = run(site, ["upgrade", release, "--wait", "600"]);
  t.after(() => upgrade.kill("SIGKILL"));
  await waitUntil(
    async () => (await readJournal(site.dataDir))?.step === "starting",
    "the new version to start",
  );
  upgrade.kill("SIGKILL");
  await upgrade.ended;
}
