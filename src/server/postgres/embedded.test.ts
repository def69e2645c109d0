import assert from "node:assert/strict";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";

import { waitUntil } from "../../../test/support/eventually.ts";
import { lockFile } from "./data-dir-lock.ts";
import { startEmbedded } from "./embedded.ts";
import { levelOf } from "./log-level.ts";
import {
  processesIn,
  query,
  startElsewhere,
  startHere,
  temporaryFolder,
} from "../../../test/support/embedded-server.ts";

describe("the embedded server", async () => {
  const folder = await temporaryFolder({ after });
  const dataDir = join(folder, "data");

  test("makes its database on the first start and answers queries", async (t) => {
    const server = await startEmbedded({ dataDir, log: () => {} });
    t.after(() => server.stop());
    assert.equal(await query(server.url, "select current_database()"), "signalbox");
    assert.equal(await query(server.url, "show server_encoding"), "UTF8");
    assert.equal(await query(server.url, "show data_checksums"), "on");
    assert.equal(await query(server.url, "select upper('é')"), "É");
    assert.equal(await query(server.url, "show fsync"), "on");
    assert.equal(await query(server.url, "show synchronous_commit"), "on");
    assert.equal(await query(server.url, "show listen_addresses"), "");
  });

  test("keeps its data and its password across restarts", async (t) => {
    const first = await startHere(t, dataDir);
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    const second = await startHere(t, dataDir);
    assert.equal(second.url, first.url);
    assert.equal(await query(second.url, "select answer from kept"), 42);
    assert.deepEqual(second.lines, []);
  });

  test("requires the password, and keeps it in a file that only its account can read", async (t) => {
    const { url } = await startHere(t, dataDir);
    await assert.rejects(
      query(url.replace(/:[^:@]+@/, ":wrong@"), "select 1"),
      /password authentication failed/,
    );
    assert.equal((await stat(join(dataDir, "postgres", "password"))).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, "postgres", "socket"))).mode & 0o777, 0o700);
  });

  test("sets a new password when the file with the old one is lost", async (t) => {
    const first = await startHere(t, dataDir);
    await first.stop();
    await rm(join(dataDir, "postgres", "password"));
    const second = await startHere(t, dataDir);
    assert.notEqual(second.url, first.url);
    assert.equal(await query(second.url, "select 1"), 1);
  });

  test("rejects a second start with one line that names the folder, and the first keeps running", async (t) => {
    const first = await startHere(t, dataDir);
    const refusal = `Another Signalbox is running on ${dataDir}. Stop it, or set another DATA_DIR.`;
    await assert.rejects(startEmbedded({ dataDir, log: () => {} }), { message: refusal });
    assert.equal(await startElsewhere(t, dataDir).answer, refusal);
    assert.equal(await query(first.url, "select 1"), 1);
  });

  test("rejects data of another major version of PostgreSQL and does not change it", async (t) => {
    const version = join(dataDir, "postgres", "data", "PG_VERSION");
    await writeFile(version, "17\n");
    await assert.rejects(
      startEmbedded({ dataDir, log: () => {} }),
      /was made by PostgreSQL 17, but this is PostgreSQL 18/,
    );
    await writeFile(version, "18\n");
    await startHere(t, dataDir);
  });

  test("names a setting that PostgreSQL rejects, and can be started again", async (t) => {
    const settings = { max_connections: "many" };
    await assert.rejects(
      startEmbedded({ dataDir, settings, log: () => {} }),
      /did not start: .*max_connections/,
    );
    await startHere(t, dataDir);
  });

  test("works in a folder whose path is too long for a socket, and leaves no files elsewhere", async (t) => {
    const long = join(folder, "a folder’s long name ".repeat(3), "another ".repeat(10), "data");
    await mkdir(dirname(long), { recursive: true });
    await rename(dataDir, long);
    const server = await startHere(t, long);
    assert.equal(await query(server.url, "select 1"), 1);
    const host = new URL(server.url).searchParams.get("host") ?? "";
    await server.stop();
    await assert.rejects(stat(host), { code: "ENOENT" });
    await rename(long, dataDir);
  });

  test("leaves no process running when it is stopped", async (t) => {
    const server = await startHere(t, dataDir);
    await Promise.all([server.stop(), server.stop()]);
    assert.deepEqual(processesIn(dataDir), []);
  });
});

test("exactly one of several simultaneous first starts wins", async (t) => {
  const dataDir = await temporaryFolder(t);
  const answers = await Promise.all([1, 2, 3].map(() => startElsewhere(t, dataDir).answer));
  const urls = answers.filter((answer) => answer.startsWith("postgres:"));
  assert.equal(urls.length, 1);
  assert.equal(answers.filter((answer) => answer.startsWith("Another Signalbox is running")).length, 2);
  assert.equal(await query(urls[0] ?? "", "select 1"), 1);
});

test("if the initialization is killed, the next start repeats it", async (t) => {
  const dataDir = await temporaryFolder(t);
  const home = join(dataDir, "postgres");
  const { kill } = startElsewhere(t, dataDir);
  const partial = async (): Promise<string | undefined> =>
    (await readdir(home).catch(() => [])).find((name) => name.startsWith("data.partial"));
  await waitUntil(async () => {
    const name = await partial();
    return name !== undefined && (await readdir(join(home, name, "base")).catch(() => [])).length > 0;
  }, "the initialization to be partly done");
  await kill("SIGKILL");
  const server = await startHere(t, dataDir);
  assert.equal(await query(server.url, "select 1"), 1);
  assert.equal(await partial(), undefined);
});

test("a path that is not a folder is not changed", async (t) => {
  const dataDir = await temporaryFolder(t);
  await writeFile(join(dataDir, "postgres"), "mine");
  await assert.rejects(
    startEmbedded({ dataDir, log: () => {} }),
    /^Error: The database in .* cannot be used: /,
  );
});

test("a lock can be held only once, and again after its release", async (t) => {
  const path = join(await temporaryFolder(t), "lock");
  const lock = lockFile(path);
  assert.ok(lock);
  assert.equal(lockFile(path), undefined);
  lock.release();
  lockFile(path)?.release();
});

test("only problems in PostgreSQL's log are passed on", () => {
  const cases: [string, string | undefined][] = [
    ["LOG:  database system is ready to accept connections", undefined],
    ["LOG:  server process (PID 7) was terminated by signal 9: Killed", "warn"],
    ["LOG:  database system was not properly shut down; automatic recovery in progress", "warn"],
    ["WARNING:  there is already a transaction in progress", "warn"],
    ["ERROR:  division by zero", "warn"],
    ["ERROR:  the batch creates, reopens or regresses error groups, or creates releases", undefined],
    ["ERROR:  events of this fingerprint belong to another error group", undefined],
    ["FATAL:  could not write to file", "error"],
    ["PANIC:  could not write to file", "error"],
    ["\tcontinued", undefined],
    ["", undefined],
  ];
  for (const [line, level] of cases) assert.equal(levelOf(line), level, line);
});
