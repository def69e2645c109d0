import assert from "node:assert/strict";
import { readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { png } from "../support/images.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer, until, type Home, type Server } from "../support/program.ts";
import { waitUntil } from "../support/eventually.ts";

/** P12: after a crash between a file and its row there is neither; what was acknowledged has both. */

let database: { url: string; drop(): Promise<void> };
let home: Home;
let client: pg.Client;
let server: Server;
let installed: Installed;
before(async () => {
  database = await cloneDatabase();
  home = await makeHome();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  server = await start();
  installed = await install(server.url);
});
after(async () => {
  await client.end();
  await home.remove();
  await database.drop();
});

const start = () => startServer(home, { SETUP_TOKEN, DATABASE_URL: database.url });

async function send(title: string): Promise<Response> {
  const form = new FormData();
  form.set("title", title);
  form.set("description", "See picture");
  form.set("files[0]", new Blob([new Uint8Array(await png())]), "a.png");
  return fetch(`${server.url}/api/projects/${installed.projectId}/reports`, {
    method: "POST",
    headers: { authorization: `Bearer ${installed.token}` },
    body: form,
  });
}

const folder = () => path.join(home.dataDir, "attachments");
/** Files in storage. */
async function stored(): Promise<string[]> {
  const subfolders = (await readdir(folder())).filter((name) => name !== "uploads");
  const names = await Promise.all(
    subfolders.map(async (name) =>
      (await readdir(path.join(folder(), name))).map((file) => path.join(folder(), name, file)),
    ),
  );
  return names.flat();
}
/** What uploads have in their temporary places. */
const uploads = async () =>
  (await readdir(path.join(folder(), "uploads"))).map((name) => path.join(folder(), "uploads", name));
const rows = async () =>
  (await client.query<{ storage_key: string }>("select storage_key from attachments")).rows.map(
    (row) => row.storage_key,
  );

test("a server killed between a file and its row leaves no report, and the file is swept away", async () => {
  assert.equal((await send("Kept")).status, 201);
  const [kept] = await stored();
  assert.ok(kept);

  // The row has to wait for the table, when its file is in storage already.
  await client.query("begin");
  await client.query("lock table attachments in exclusive mode");
  const lost = send("Lost").catch(() => undefined);
  await waitUntil(async () => (await stored()).length === 2, "the file was not stored");
  server.kill("SIGKILL");
  await server.ended;
  assert.equal(await lost, undefined);
  await client.query("commit");

  assert.equal((await stored()).length, 2);
  assert.deepEqual(await rows(), [path.basename(kept)]);
  const reports = await client.query("select title from reports");
  assert.deepEqual(reports.rows, [{ title: "Kept" }]);

  // As if the crash were two hours ago; the one with a row may be as old as it likes.
  const time = new Date(Date.now() - 2 * 3_600_000);
  assert.equal((await uploads()).length, 1);
  for (const file of [...(await stored()), ...(await uploads())]) await utimes(file, time, time);
  server = await start();
  await until(server, /1 of 2 stored files were left over/);
  assert.deepEqual(await stored(), [kept]);
  assert.deepEqual(await uploads(), []);
  assert.equal((await send("After")).status, 201);
  assert.equal((await stored()).length, (await rows()).length);
});
