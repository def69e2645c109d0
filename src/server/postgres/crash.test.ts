import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import {
  guardOf,
  postmasterPid,
  processesIn,
  query,
  startElsewhere,
  startHere,
  temporaryFolder,
  until,
} from "./test-server.ts";

describe("the embedded server", { skip: process.platform !== "linux" }, async () => {
  const dataDir = await temporaryFolder({ after });
  const home = join(dataDir, "postgres");

  test("has what was committed when the server and PostgreSQL are killed", async (t) => {
    const first = startElsewhere(t, dataDir);
    await query(await first.answer, "create table kept as select 1 as answer");
    const postmaster = await postmasterPid(dataDir);
    await first.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
    const second = await startHere(t, dataDir);
    assert.equal(await query(second.url, "select answer from kept"), 1);
  });

  test("ends PostgreSQL when only the server is killed", async (t) => {
    const { kill, answer } = startElsewhere(t, dataDir);
    await answer;
    await kill("SIGKILL");
    await until(() => processesIn(dataDir).length === 0, "PostgreSQL to end");
  });

  test("ends a PostgreSQL that outlived its server, with a transaction open in it, and starts anew", async (t) => {
    const first = startElsewhere(t, dataDir);
    const url = await first.answer;
    const postmaster = await postmasterPid(dataDir);
    process.kill(guardOf(postmaster) ?? 0, "SIGKILL");
    await query(url, "update kept set answer = 2");
    const open = query(url, "begin; update kept set answer = 3; select pg_sleep(60)");
    const broken = assert.rejects(open);
    await until(
      async () =>
        (await query(url, "select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'")) === 1,
      "the transaction to be open",
    );
    await first.kill("SIGKILL");
    const second = await startHere(t, dataDir);
    await broken;
    assert.deepEqual(second.lines, ["warn: Ended a PostgreSQL that had lost its server."]);
    assert.notEqual(await postmasterPid(dataDir), postmaster);
    assert.equal(await query(second.url, "select answer from kept"), 2);
  });

  test("starts although a lock file names a process id that is somebody else's now", async (t) => {
    const first = startElsewhere(t, dataDir);
    await first.answer;
    const postmaster = await postmasterPid(dataDir);
    await first.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
    await until(() => processesIn(dataDir).length === 0, "PostgreSQL to end");
    for (const file of [join(home, "data", "postmaster.pid"), join(home, "socket", ".s.PGSQL.5432.lock")]) {
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(String(postmaster), String(process.ppid)));
    }
    await startHere(t, dataDir);
  });

  test("is started again when it is killed, at the same address", async (t) => {
    const { url, lines } = await startHere(t, dataDir);
    await query(url, "update kept set answer = 4");
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await until(() => lines.includes("info: PostgreSQL accepts connections again."), "the restart");
    assert.ok(lines.includes("error: PostgreSQL ended by itself (SIGKILL) and is started again."));
    assert.equal(await query(url, "select answer from kept"), 4);
  });

  test("is started again and again until what kept it from starting has gone", async (t) => {
    const { url, lines } = await startHere(t, dataDir);
    const needed = join(home, "data", "global");
    await rename(needed, `${needed}.away`);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    const failures = (): number => lines.filter((line) => line.includes("(exit code")).length;
    await until(() => failures() >= 2, "two vain restarts");
    await rename(`${needed}.away`, needed);
    await until(() => lines.includes("info: PostgreSQL accepts connections again."), "the restart");
    assert.equal(await query(url, "select answer from kept"), 4);
  });

  test("can be stopped while it waits for a restart", async (t) => {
    const server = await startHere(t, dataDir);
    const needed = join(home, "data", "global");
    await rename(needed, `${needed}.away`);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await until(() => server.lines.some((line) => line.includes("(exit code")), "a vain restart");
    await server.stop();
    await rename(`${needed}.away`, needed);
    assert.deepEqual(processesIn(dataDir), []);
  });
});
