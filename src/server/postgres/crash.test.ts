import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { waitUntil } from "../../../test/support/eventually.ts";
import {
  guardOf,
  postmasterPid,
  processesIn,
  query,
  startElsewhere,
  startHere,
  temporaryFolder,
} from "../../../test/support/embedded-server.ts";

describe("the embedded server", { skip: process.platform !== "linux" }, async () => {
  const dataDir = await temporaryFolder({ after });
  const home = join(dataDir, "postgres");

  test("keeps committed data when the server and PostgreSQL are killed", async (t) => {
    const first = startElsewhere(t, dataDir);
    await query(await first.answer, "create table kept as select 1 as answer");
    const postmaster = await postmasterPid(dataDir);
    await first.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
    const second = await startHere(t, dataDir);
    assert.equal(await query(second.url, "select answer from kept"), 1);
  });

  test("stops PostgreSQL when only the server is killed", async (t) => {
    const { kill, answer } = startElsewhere(t, dataDir);
    await answer;
    await kill("SIGKILL");
    await waitUntil(() => processesIn(dataDir).length === 0, "PostgreSQL to exit");
  });

  test("stops a PostgreSQL that has outlived its server, although a transaction is open, and starts another", async (t) => {
    const first = startElsewhere(t, dataDir);
    const url = await first.answer;
    const postmaster = await postmasterPid(dataDir);
    process.kill(guardOf(postmaster) ?? 0, "SIGKILL");
    await query(url, "update kept set answer = 2");
    const open = query(url, "begin; update kept set answer = 3; select pg_sleep(60)");
    const broken = assert.rejects(open);
    await waitUntil(
      async () =>
        (await query(url, "select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'")) === 1,
      "the transaction to start",
    );
    await first.kill("SIGKILL");
    const second = await startHere(t, dataDir);
    await broken;
    assert.deepEqual(second.lines, ["warn: Stopped a PostgreSQL that a killed server had left running."]);
    assert.notEqual(await postmasterPid(dataDir), postmaster);
    assert.equal(await query(second.url, "select answer from kept"), 2);
  });

  test("starts although the process id in a lock file belongs to another process now", async (t) => {
    const first = startElsewhere(t, dataDir);
    await first.answer;
    const postmaster = await postmasterPid(dataDir);
    // Otherwise it may notice that the server is gone, and remove its lock files, before it is killed.
    process.kill(postmaster, "SIGSTOP");
    await first.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
    await waitUntil(() => processesIn(dataDir).length === 0, "PostgreSQL to exit");
    for (const file of [join(home, "data", "postmaster.pid"), join(home, "socket", ".s.PGSQL.5432.lock")]) {
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(String(postmaster), String(process.ppid)));
    }
    await startHere(t, dataDir);
  });

  test("restarts a killed PostgreSQL at the same address", async (t) => {
    const { url, lines } = await startHere(t, dataDir);
    await query(url, "update kept set answer = 4");
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await waitUntil(() => lines.includes("info: PostgreSQL accepts connections again."), "the restart");
    assert.ok(lines.includes("error: PostgreSQL exited unexpectedly (SIGKILL) and is being restarted."));
    assert.equal(await query(url, "select answer from kept"), 4);
  });

  test("retries the restart of PostgreSQL until it succeeds", async (t) => {
    const { url, lines } = await startHere(t, dataDir);
    const needed = join(home, "data", "global");
    await rename(needed, `${needed}.away`);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    const failures = (): number => lines.filter((line) => line.includes("(exit code")).length;
    await waitUntil(() => failures() >= 2, "two failed restarts");
    await rename(`${needed}.away`, needed);
    await waitUntil(() => lines.includes("info: PostgreSQL accepts connections again."), "the restart");
    assert.equal(await query(url, "select answer from kept"), 4);
  });

  test("can be stopped while it waits to restart PostgreSQL", async (t) => {
    const server = await startHere(t, dataDir);
    const needed = join(home, "data", "global");
    await rename(needed, `${needed}.away`);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await waitUntil(() => server.lines.some((line) => line.includes("(exit code")), "a failed restart");
    await server.stop();
    await rename(`${needed}.away`, needed);
    assert.deepEqual(processesIn(dataDir), []);
  });
});
