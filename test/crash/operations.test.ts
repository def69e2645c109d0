import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import {
  isAlive,
  makeHome,
  postgresPid,
  run,
  start,
  startServer,
  type Home,
  type Server,
} from "../support/program.ts";

const quiet = { LOG_LEVEL: "warn" };

describe("while a server with the embedded database is running", () => {
  let home: Home;
  let server: Server;
  let installed: Installed;
  let file: string;
  before(async () => {
    home = await makeHome();
    server = await startServer(home, { SETUP_TOKEN });
    installed = await install(server.url);
    assert.equal((await installed.send(server.url, anEvent())).status, 202);
    file = path.join(home.folder, "signalbox.backup");
  });
  after(() => home.remove());

  test("backup writes a file readable only by its owner, and restore recreates the installation elsewhere", async () => {
    await writeFile(path.join(home.folder, "other"), "other");
    await symlink(path.join(home.folder, "other"), `${file}.part`);
    const groups = await installed.readGroups(server.url);
    const made = await run(home, ["backup", file], quiet);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(made.stdout, "");
    assert.match(
      made.stderr,
      /^Backed up \d+ rows from \d+ tables and 0 files to [^\n]+signalbox\.backup\.\n$/,
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(path.join(home.folder, "other"))).size, "other".length);
    assert.deepEqual(
      (await readdir(home.folder)).filter((name) => name.endsWith(".part")),
      ["signalbox.backup.part"],
    );
    assert.ok(isAlive(postgresPid(home)));

    const other = await makeHome();
    try {
      const restored = await run(other, ["restore", file], quiet);
      assert.equal(restored.code, 0, restored.stderr);
      assert.match(
        restored.stderr,
        /^Restored \d+ rows in \d+ tables and 0 files from the backup of \d{4}-[^\n]+\.\n$/,
      );
      assert.equal(existsSync(path.join(other.dataDir, "postgres/data/postmaster.pid")), false);
      const again = await run(other, ["restore", file], quiet);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /^This installation is in use: [^\n]+\n$/);
      const copy = await startServer(other);
      assert.deepEqual(await installed.readGroups(copy.url), groups);
      assert.equal((await installed.send(copy.url, anEvent())).status, 202);
      assert.equal((await installed.readGroups(copy.url))[0]?.occurrence_count, 2);
      copy.kill("SIGTERM");
      assert.deepEqual(await copy.ended, { code: 0, signal: null });
    } finally {
      await other.remove();
    }
  });

  test("a backup is verified, and a damaged one is refused with one line", async () => {
    const { code, stderr } = await run(home, ["backup", "--verify", file], quiet);
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /signalbox\.backup is complete and undamaged: \d+ rows in \d+ tables and 0 files, made by Signalbox [^ ]+ at \d{4}-[^\n]+\.\n$/,
    );
    const damaged = path.join(home.folder, "damaged");
    await writeFile(damaged, (await readFile(file)).subarray(0, -100));
    const refused = await run(home, ["backup", "--verify", damaged], quiet);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^[^\n]+damaged is damaged or incomplete: [^\n]+\n$/);
  });

  test("the doctor shows the age of the last backup", async () => {
    const { stdout } = await run(home, ["doctor"], quiet);
    assert.match(stdout, /^ok {4}backup: last made \d+ minutes? ago to [^\n]+signalbox\.backup$/m);
  });

  test("backup replaces nothing but a regular file", async () => {
    const [folder, link] = ["a-folder", "a-link"].map((name) => path.join(home.folder, name)) as [
      string,
      string,
    ];
    await mkdir(folder);
    await symlink(path.join(home.folder, "other"), link);
    for (const target of [folder, link, "/dev/null"]) {
      const { code, stderr } = await run(home, ["backup", target], quiet);
      assert.equal(code, 1);
      assert.equal(stderr, `${target} is not a regular file. Choose another file name.\n`);
    }
  });

  test("a backup onto a full disk fails in one line and leaves no partial file", async () => {
    const limited = path.join(home.folder, "limited");
    const small = start(home, ["backup", limited], quiet, undefined, [
      "sh",
      "-c",
      'ulimit -f 1; exec "$@"',
      "sh",
    ]);
    assert.equal((await small.ended).code, 1, small.stderr());
    assert.match(small.stderr(), /^[^\n]+limited cannot be written: EFBIG[^\n]+\n$/);
    const full = start(home, ["backup", "-"], quiet, undefined, ["sh", "-c", 'exec "$@" > /dev/full', "sh"]);
    assert.equal((await full.ended).code, 1, full.stderr());
    assert.match(full.stderr(), /^The output cannot be written: ENOSPC[^\n]+\n$/);
    assert.deepEqual(
      (await readdir(home.folder)).filter((name) => name.startsWith("limited")),
      [],
    );
  });

  test("backup - writes only the archive to stdout", async () => {
    const { code, stdout, stderr } = await run(home, ["backup", "-"], quiet);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.length > 500);
    assert.match(stderr, /^Backed up \d+ rows from \d+ tables and 0 files\.\n$/);
  });

  test("a backup that cannot be written leaves an existing one unchanged and no partial file", async () => {
    const before = await stat(file);
    await mkdir(`${file}.d`);
    const { code, stderr } = await run(home, ["backup", path.join(`${file}.d`, "nowhere", "x")], quiet);
    assert.equal(code, 1);
    assert.match(stderr, /x cannot be written: ENOENT[^\n]+\n$/);
    assert.equal((await stat(file)).mtimeMs, before.mtimeMs);
  });

  test("restore rejects the data folder of a running server with one line", async () => {
    const { code, stderr } = await run(home, ["restore", file], quiet);
    assert.equal(code, 1);
    assert.match(stderr, /^Another Signalbox is running on [^\n]+\n$/);
  });

  test("doctor finds nothing wrong, changes nothing, and ends with code 0", async () => {
    const { code, stdout, stderr } = await run(home, ["doctor"], quiet);
    assert.deepEqual([code, stderr], [0, ""], stdout);
    for (const what of [
      "node",
      "settings",
      "address",
      "database",
      "schema",
      "durability",
      "clock",
      "mails",
      "files",
    ])
      assert.match(stdout, new RegExp(`^ok {4}${what}: `, "m"));
    assert.doesNotMatch(stdout, /^fail/m);
    assert.ok(isAlive(postgresPid(home)));
    assert.deepEqual(
      (await readdir(home.dataDir)).filter((name) => name.includes("probe")),
      [],
    );
  });

  test("reset-password prints a working password and ends existing sessions", async () => {
    const { code, stdout, stderr } = await run(
      home,
      ["reset-password", " ADA@example.com", "--second-factor"],
      quiet,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^[a-z2-9]{5}(-[a-z2-9]{5}){4}\n$/);
    assert.match(stderr, /Sessions ended: 1\./);
    const signIn = (password: string) =>
      fetch(`${server.url}/api/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "ada@example.com", password }),
      });
    assert.equal((await signIn("correct horse")).status, 401);
    assert.equal((await signIn(stdout.trim())).status, 200);
    // The personal token was made since the last password was set.
    assert.match(stderr, /Personal tokens revoked: 1\./);
    await assert.rejects(installed.readGroups(server.url), { actual: 401 });
  });

  test("reset-password with an unknown email address fails with code 1", async () => {
    const { code, stdout, stderr } = await run(home, ["reset-password", "nobody@example.com"], quiet);
    assert.deepEqual([code, stdout, stderr], [1, "", "No user has the email address nobody@example.com.\n"]);
  });

  test("after the server has stopped, backup starts and stops the database itself", async () => {
    server.kill("SIGTERM");
    await server.ended;
    const { code, stderr } = await run(home, ["backup", file], quiet);
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(path.join(home.dataDir, "postgres/data/postmaster.pid")), false);
  });
});

test("without a database in the data folder, backup and reset-password fail and create none; doctor warns", async () => {
  const home = await makeHome();
  try {
    for (const args of [
      ["backup", "x"],
      ["reset-password", "ada@example.com"],
    ]) {
      const { code, stderr } = await run(home, args);
      assert.equal(code, 1);
      assert.match(stderr, /^There is no database in [^\n]+ yet\.\n$/);
    }
    const { code, stdout } = await run(home, ["doctor"]);
    assert.equal(code, 0);
    assert.match(stdout, /^warn {2}database: there is none in [^\n]+ yet\n {6}→ Start the server/m);
    assert.equal(existsSync(home.dataDir), false);
    assert.deepEqual(await readdir(home.folder), []);
  } finally {
    await home.remove();
  }
});

for (const [args, line] of [
  [["backup", "--verify"], "Usage: npm run signalbox -- backup --verify FILE"],
  [["restore", "a", "b"], "Usage: npm run signalbox -- restore FILE"],
  [["reset-password"], "Usage: npm run signalbox -- reset-password EMAIL"],
  [["doctor", "now"], "doctor takes no now"],
] as [string[], string][])
  test(`the command line "${args.join(" ")}" is refused with code 2`, async () => {
    const home = await makeHome();
    const { code, stderr } = await run(home, args);
    assert.deepEqual([code, stderr], [2, `${line}\n`]);
    await home.remove();
  });
