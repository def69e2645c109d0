import assert from "node:assert/strict";
import { readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { png } from "../support/images.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer, waitForLine, type Home, type Server } from "../support/program.ts";
import { waitUntil } from "../support/eventually.ts";

/** After a crash between storing a file and inserting its row, neither remains. Acknowledged uploads have both. */

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
/** The temporary files of uploads. */
const uploads = async () =>
  (await readdir(path.join(folder(), "uploads"))).map((name) => path.join(folder(), "uploads", name));
const rows = async () =>
  (await client.query<{ storage_key: string }>("select storage_key from attachments")).rows.map(
    (row) => row.storage_key,
  );

test("a server killed between storing a file and inserting its row leaves no report, and the file is deleted later", async () => {
  assert.equal((await send("Kept")).status, 201);
  const [kept] = await stored();
  assert.ok(kept);

  // The insert waits for the lock on the table after the file has been stored.
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

  // As if the crash had been two hours ago. A file with a row is kept at any age.
  const time = new Date(Date.now() - 2 * 3_600_000);
  assert.equal((await uploads()).length, 1);
  for (const file of [...(await stored()), ...(await uploads())]) await utimes(file, time, time);
  await client.query("update background_jobs set succeeded_at = succeeded_at - interval '2 hours'");
  server = await start();
  await waitForLine(server, /1 of 2 stored files were left over/);
  assert.deepEqual(await stored(), [kept]);
  assert.deepEqual(await uploads(), []);
  assert.equal((await send("After")).status, 201);
  assert.equal((await stored()).length, (await rows()).length);
});
