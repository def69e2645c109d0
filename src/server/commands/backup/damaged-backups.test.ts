import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { backUpTo, makeBackupFolder, restoreFrom } from "../../../../test/support/backups.ts";
import { fillInstallation } from "../../../../test/support/filled.ts";
import { temporaryFiles } from "../../../../test/support/files.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp } from "../../../../test/support/test-app.ts";
import { readArchive, writeArchive, type BackupPart } from "../../../../test/support/backup-archive.ts";
import { migrate } from "../../db/migrate.ts";
import { newKey } from "../../files/storage/storage.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";

const folder = await makeBackupFolder();

/** An intact backup. */
let file: string;
before(async () => {
  file = path.join(folder, "whole.backup");
  const t = await openTestApp();
  await fillInstallation(t);
  await backUpTo(t, file);
  await t.close();
});

/** Writes an archive with these members. */
async function write(parts: BackupPart[]): Promise<string> {
  const archive = path.join(folder, `${newKey()}.backup`);
  await writeArchive(archive, parts);
  return archive;
}

/** A copy of the archive with a changed manifest. */
async function withManifest(change: (manifest: Manifest) => object): Promise<string> {
  const parts = await readArchive(file);
  return write(
    parts.map((part) =>
      part.header.name === MANIFEST
        ? { ...part, content: Buffer.from(JSON.stringify(change(JSON.parse(part.content.toString("utf8"))))) }
        : part,
    ),
  );
}

const named = (name: string): BackupPart => ({ header: { name }, content: Buffer.from("evil") });

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
    async () => write((await readArchive(file)).filter((part) => part.header.name !== MANIFEST)),
    /the manifest is missing/,
  ],
  [
    "with a missing member",
    async () =>
      write((await readArchive(file)).filter((part) => part.header.name !== "tables/users/000000.copy")),
    /tables\/users\/000000\.copy does not match the manifest/,
  ],
  [
    "with an extra member",
    async () => write([named(`files/${newKey()}`), ...(await readArchive(file))]),
    /its members do not match the manifest/,
  ],
  [
    "with a duplicate member",
    async () => {
      const [first, ...rest] = await readArchive(file);
      return write([first as BackupPart, first as BackupPart, ...rest]);
    },
    /unexpected member /,
  ],
  [
    "with a member after the manifest",
    async () => write([...(await readArchive(file)), named(`files/${newKey()}`)]),
    /unexpected member /,
  ],
  ...["../evil", "/etc/evil", "files/../../evil", "tables/users/../evil", `files/${newKey()}/x`].map(
    (name): [string, () => Promise<string>, RegExp] => [
      `with a member named ${name}`,
      async () => write([named(name), ...(await readArchive(file))]),
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
        ...(await readArchive(file)),
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
      const parts = (await readArchive(file)).filter((part) => part.header.name !== name);
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
