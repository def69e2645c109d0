import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { freePort } from "../../src/server/postgres/address.ts";
import { eventually } from "../support/eventually.ts";
import { anEvent } from "../support/error-events.ts";
import { listeningLog } from "../support/listening-log.ts";
import { makePersonalToken, makeUser } from "../support/make.ts";
import { install, SETUP_TOKEN } from "../support/over-http.ts";
import { makeHome, poll } from "../support/program.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { openTestApp } from "../support/test-app.ts";

test("while the database's disk is full, requests return 503, logged at most once a second, and succeed later", async () => {
  const { log, lines } = listeningLog();
  const t = await openTestApp({}, { logger: log });
  const user = await makeUser(t.db);
  const me = t.http.as(await makePersonalToken(t.db, user.id));
  await sql`create function disk_is_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(t.db);
  await sql`create trigger full_disk before update on users execute function disk_is_full()`.execute(t.db);
  const startedAt = performance.now();
  for (let count = 0; count < 20; count++) {
    const { status, headers } = await me.patch("/api/profile", { first_name: "Ada" });
    assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const logged = lines.filter((line) => line.includes("could not extend file"));
  assert.ok(logged.length >= 1 && logged.length <= seconds + 1, `${logged.length} lines in ${seconds} s`);
  await sql`drop trigger full_disk on users`.execute(t.db);
  assert.equal((await me.patch("/api/profile", { first_name: "Ada" })).status, 200);
  await t.close();
});

/** Starts the server with its log in this file. */
async function startWithLog(folder: string, log: string, settings: Record<string, string>) {
  const port = await freePort();
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "" } = process.env;
  const fd = openSync(log, "a");
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../src/server/main.ts"), "serve"],
    {
      cwd: folder,
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE,
        PORT: String(port),
        SETUP_TOKEN,
        LIMIT_INGEST: "1000000",
        ...settings,
      },
      stdio: ["ignore", fd, fd],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  // The first start may have to build the web app.
  const isReady = () =>
    fetch(`${url}/api/ready`)
      .then(() => true)
      .catch(() => false);
  const deadline = performance.now() + 90_000;
  while (!(await isReady()))
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error("The server did not start.");
    } else await poll();
  return { child, url, ended: once(child, "exit") };
}

const home = await makeHome();
const disk = mountSmallDisk(home.folder, 200);

test(
  disk
    ? "a server whose data and log are on a disk that becomes full keeps running, and works again when there is space"
    : "a server whose log cannot be written keeps running (this process may not mount a disk of its own to fill)",
  async (t) => {
    t.after(async () => {
      disk?.unmount();
      await home.remove();
    });
    const clone = disk ? undefined : await cloneDatabase();
    const log = disk ? path.join(home.folder, "log") : "/dev/full";
    const settings = clone ? { DATABASE_URL: clone.url } : {};
    const server = await startWithLog(home.folder, log, { DATA_DIR: home.dataDir, ...settings });
    t.after(async () => {
      server.child.kill("SIGKILL");
      await server.ended;
      await clone?.drop();
    });
    const installed = await install(server.url);
    let sent = 0;
    const send = async () => {
      const message = `event ${sent++} ${"x".repeat(50_000)}`;
      const { status } = await installed.send(server.url, anEvent({ exception_class: `E${sent}`, message }));
      return status;
    };
    assert.equal(await send(), 202);
    if (disk) {
      disk.fill();
      await eventually(send, 503);
      // The log's last block has room for some more lines.
      for (let count = 0; count < 50; count++) await send();
      assert.equal((await fetch(`${server.url}/api/health`)).status, 200);
      disk.free();
    }
    await eventually(send, 202);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    if (disk) assert.match(readFileSync(log, "utf8"), /Lines could not be written to the log/);
  },
);
