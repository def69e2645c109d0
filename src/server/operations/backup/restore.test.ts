import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { before, test } from "node:test";
import { createGunzip, gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { extract, pack, type Header } from "tar-stream";
import { backUpTo, makeBackupFolder, restoreFrom } from "../../../../test/support/backups.ts";
import { collectAnswers, fillInstallation, type Filled } from "../../../../test/support/filled.ts";
import { temporaryFiles } from "../../../../test/support/files.ts";
import { attachmentsElsewhere } from "../../../../test/support/other-disk.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp, SETUP_TOKEN } from "../../../../test/support/test-app.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { newKey } from "../../files/storage/storage.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";

const folder = await makeBackupFolder();

/** An intact backup. */
let file: string;
let filled: Filled;
let expected: Record<string, string>;
before(async () => {
  file = path.join(folder, "whole.backup");
  const t = await openTestApp();
  filled = await fillInstallation(t);
  expected = await collectAnswers(filled.browser, filled.reads);
  await backUpTo(t, file);
  await t.close();
});
const anyFolder = () => path.join(folder, newKey());

type Part = { header: Partial<Header> & { name: string }; content: Buffer };

async function read(archive: string): Promise<Part[]> {
  const parts: Part[] = [];
  const entries = extract();
  const reading = pipeline(createReadStream(archive), createGunzip(), entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    parts.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  await reading;
  return parts;
}

/** Writes an archive with these members. */
async function write(parts: Part[]): Promise<string> {
  const archive = path.join(folder, `${newKey()}.backup`);
  const tar = pack();
  for (const { header, content } of parts)
    tar.entry({ ...header, size: content.length }, content).on("error", () => {});
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  await writeFile(archive, gzipSync(Buffer.concat(chunks)));
  return archive;
}

/** A copy of the archive with a changed manifest. */
async function withManifest(change: (manifest: Manifest) => object): Promise<string> {
  const parts = await read(file);
  return write(
    parts.map((part) =>
      part.header.name === MANIFEST
        ? { ...part, content: Buffer.from(JSON.stringify(change(JSON.parse(part.content.toString("utf8"))))) }
        : part,
    ),
  );
}

const named = (name: string): Part => ({ header: { name }, content: Buffer.from("evil") });

const damages: [string, () => Promise<string>, RegExp][] = [
  [
    "truncated",
    async () => {
      const bytes = await readFile(file);
      const cut = path.join(folder, "cut.backup");
      await writeFile(cut, bytes.subarray(0, bytes.length * 0.7));
      return cut;
    },
    /cut\.backup is damaged or incomplete: unexpected end of file\. Nothing was changed\.$/,
  ],
  [
    "with a flipped bit",
    async () => {
      const bytes = gunzipSync(await readFile(file));
      const at = bytes.indexOf("Totals are wrong");
      assert.ok(at > 0);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const flipped = path.join(folder, "flipped.backup");
      await writeFile(flipped, gzipSync(bytes));
      return flipped;
    },
    /flipped\.backup is damaged or incomplete: tables\/issues\/000000\.copy does not match the manifest/,
  ],
  [
    "without a manifest",
    async () => write((await read(file)).filter((part) => part.header.name !== MANIFEST)),
    /the manifest is missing/,
  ],
  [
    "with a missing member",
    async () => write((await read(file)).filter((part) => part.header.name !== "tables/users/000000.copy")),
    /tables\/users\/000000\.copy does not match the manifest/,
  ],
  [
    "with an extra member",
    async () => write([named(`files/${newKey()}`), ...(await read(file))]),
    /its members do not match the manifest/,
  ],
  [
    "with a duplicate member",
    async () => {
      const [first, ...rest] = await read(file);
      return write([first as Part, first as Part, ...rest]);
    },
    /unexpected member /,
  ],
  [
    "with a member after the manifest",
    async () => write([...(await read(file)), named(`files/${newKey()}`)]),
    /unexpected member /,
  ],
  ...["../evil", "/etc/evil", "files/../../evil", "tables/users/../evil", `files/${newKey()}/x`].map(
    (name): [string, () => Promise<string>, RegExp] => [
      `with a member named ${name}`,
      async () => write([named(name), ...(await read(file))]),
      /is not a member of a backup/,
    ],
  ),
  [
    "with a symlink",
    async () =>
      write([
        {
          header: { name: `files/${newKey()}`, type: "symlink", linkname: "/etc/passwd" },
          content: Buffer.alloc(0),
        },
        ...(await read(file)),
      ]),
    /is not a member of a backup/,
  ],
  [
    "with a wrong row count",
    () =>
      withManifest((manifest) => ({
        ...manifest,
        tables: manifest.tables.map((table) => (table.name === "issues" ? { ...table, rows: 99 } : table)),
      })),
    /The backup's table issues is incomplete/,
  ],
  [
    "with rows that violate a foreign key",
    async () => {
      const name = "tables/workspaces/000000.copy";
      const parts = (await read(file)).filter((part) => part.header.name !== name);
      const archive = await write(parts);
      const { members, tables, ...rest } = JSON.parse(
        parts.find((part) => part.header.name === MANIFEST)?.content.toString("utf8") ?? "",
      ) as Manifest;
      const manifest = {
        ...rest,
        members: members.filter((member) => member.name !== name),
        tables: tables.map((table) => (table.name === "workspaces" ? { ...table, rows: 0 } : table)),
      };
      await rm(archive);
      return write(
        parts.map((part) =>
          part.header.name === MANIFEST ? { ...part, content: Buffer.from(JSON.stringify(manifest)) } : part,
        ),
      );
    },
    /violates foreign key constraint/,
  ],
  [
    "with a newer schema",
    () =>
      withManifest((manifest) => ({
        ...manifest,
        program: "9.9.9",
        migrations: [...manifest.migrations, { version: 9999, name: "9999-later.sql" }],
      })),
    /^The backup has schema 9999 \(Signalbox 9\.9\.9\), but this version only supports schemas up to \d+\. Install/,
  ],
  [
    "with a newer format",
    () => withManifest((manifest) => ({ ...manifest, format: 2 })),
    /was made by a newer version of Signalbox/,
  ],
  [
    "with an unknown column",
    () =>
      withManifest((manifest) => ({
        ...manifest,
        tables: manifest.tables.map((table) =>
          table.name === "labels" ? { ...table, columns: [...table.columns, "shade"] } : table,
        ),
      })),
    /The backup's table labels does not match the schema/,
  ],
  [
    "that is not an archive",
    async () => {
      const none = path.join(folder, "none.backup");
      await writeFile(none, "hello, this is no archive");
      return none;
    },
    /none\.backup is not a backup\.$/,
  ],
  ["that is empty", async () => write([]), /the manifest is missing/],
  ["that does not exist", async () => path.join(folder, "nowhere"), /nowhere cannot be read: ENOENT/],
];

test("a damaged, invalid or newer backup is rejected, and the installation can still be set up", async (t) => {
  const database = await emptyDatabase();
  const dataDir = path.join(folder, "untouched");
  try {
    for (const [name, make, message] of damages)
      await t.test(`a backup ${name}`, async () => {
        await assert.rejects(restoreFrom(await make(), database.url, dataDir), { message });
        const left = (await readdir(dataDir).catch(() => [])).filter((entry) => entry !== "attachments");
        assert.deepEqual(left, []);
        assert.deepEqual(await temporaryFiles({ dataDir }), []);
      });
    await migrate(database.url);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "select (select count(*) from users) + (select count(*) from issues) as rows, count(*) filter (where tgenabled <> 'O') as off from pg_trigger",
    );
    await client.end();
    assert.deepEqual(rows, [{ rows: "0", off: "0" }]);
    const app = await openAppOn(database.url, { DATA_DIR: dataDir });
    const setup = await app.http.get("/api/setup");
    assert.equal(setup.status, 200);
    await app.close();
    // The intact backup can still be restored.
    await restoreFrom(file, database.url, dataDir);
  } finally {
    await database.drop();
  }
});

test("a backup is restored when the attachments folder is on another disk", async () => {
  const database = await emptyDatabase();
  const dataDir = path.join(folder, "two-disks");
  const remove = await attachmentsElsewhere(dataDir);
  try {
    const { files } = await restoreFrom(file, database.url, dataDir);
    assert.equal(files, filled.files);
    assert.deepEqual(await temporaryFiles({ dataDir }), []);
  } finally {
    await remove();
    await database.drop();
  }
});

test("a database owner without further privileges can restore into an installation that was started but not set up", async () => {
  const database = await emptyDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const role = `owner_${newKey().replaceAll("-", "")}`;
  try {
    await admin.query(`create role ${role} login password 'secret' nosuperuser`);
    const url = new URL(database.url);
    await admin.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    await admin.query(`alter schema public owner to ${role}`);
    url.username = role;
    url.password = "secret";
    await migrate(url.href);
    await admin.query("insert into retention_runs (started_at, outcome) values (now(), 'done')");
    const dataDir = path.join(folder, "owner");
    const { rows, files } = await restoreFrom(file, url.href, dataDir);
    assert.ok(rows > 50);
    assert.equal(files, filled.files);
    const app = await openAppOn(url.href, { DATA_DIR: dataDir });
    assert.deepEqual(await collectAnswers(app.http.withCookie(filled.cookie), filled.reads), expected);
    await app.close();
  } finally {
    await admin.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    await admin.end();
    await database.drop();
  }
});

test("a backup with an older schema is loaded with that schema and then migrated", async () => {
  const steps = await readMigrations();
  const older = steps.slice(0, 11);
  const [source, target] = [await emptyDatabase(), await emptyDatabase()];
  try {
    await migrate(source.url, older);
    const client = new pg.Client({ connectionString: source.url });
    await client.connect();
    await client.query(
      "insert into users (username, email, first_name, last_name) values ('old', 'old@example.com', 'Old', 'Hand')",
    );
    await client.end();
    const archive = path.join(folder, "older.backup");
    const storage = await openStorage({ dataDir: folder, storage: undefined });
    await backUpTo({ database: source, storage }, archive);
    const result = await restoreFrom(archive, target.url, anyFolder());
    assert.deepEqual(
      result.steps,
      steps.slice(11).map((step) => step.name),
    );
    assert.deepEqual(await migrate(target.url), []);
    const app = await openAppOn(target.url);
    const [user] = await app.db.selectFrom("users").select(["username", "theme"]).execute();
    assert.deepEqual(user, { username: "old", theme: "system" });
    await app.close();

    const newer = await emptyDatabase();
    await migrate(newer.url);
    await assert.rejects(restoreFrom(archive, newer.url, anyFolder()), {
      message:
        /^The database is empty but has schema \d+, which is newer than the backup's schema 11\. Restore into a new database/,
    });
    await newer.drop();
  } finally {
    await source.drop();
    await target.drop();
  }
});

test("if a restore and the first-run setup race, one succeeds and the other is rejected", async () => {
  const app = await openTestApp();
  try {
    const dataDir = path.join(folder, "race");
    await mkdir(dataDir);
    const [restored, setup] = await Promise.allSettled([
      restoreFrom(file, app.database.url, dataDir),
      app.http.post("/api/setup", {
        setup_token: SETUP_TOKEN,
        workspace_name: "Late",
        first_name: "Bo",
        last_name: "Late",
        username: "late",
        email: "late@example.com",
        password: "correct horse",
      }),
    ]);
    const users = await app.db.selectFrom("users").select("email").execute();
    const won = restored.status === "fulfilled" ? "ada@example.com" : "late@example.com";
    assert.deepEqual(users, [{ email: won }]);
    const status = setup.status === "fulfilled" ? setup.value.status : 0;
    assert.equal(status === 201, restored.status === "rejected");
    if (restored.status === "rejected")
      assert.match(String(restored.reason.message), /^This installation is in use/);
  } finally {
    await app.close();
  }
});
