import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";
import { StartError } from "../../config/start-error.ts";
import { uploadsFolder } from "../../files/storage/open-storage.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { checkArchive, members, type OpenMember } from "./archive-reader.ts";
import { readApplied } from "./catalog.ts";
import { loadTables, refuseInUse, type Load } from "./load.ts";
import { kindOf, type Manifest } from "./manifest.ts";
import type { Progress } from "./progress.ts";

export type RestoreOptions = {
  file: string;
  /** Asked for once the archive has been found whole. */
  openDatabase: () => Promise<{ url: string }>;
  storage: Storage;
  dataDir: string;
  progress: Progress;
};

export type RestoreResult = { manifest: Manifest; rows: number; files: number; steps: string[] };

/**
 * Puts a backup into an empty installation: files first, then all rows in one transaction, so that whatever ends it
 * leaves an empty installation or a whole one, then the migrations that are newer than the backup. Throws StartError,
 * having changed nothing, when the archive is damaged or newer than the program, or the installation is not empty.
 */
export async function restore({
  file,
  openDatabase,
  storage,
  dataDir,
  progress,
}: RestoreOptions): Promise<RestoreResult> {
  progress.tell("checking the archive");
  const manifest = await checkArchive(file);
  const upTo = await stepsOf(manifest);
  const { url } = await openDatabase();
  const client = await connectWithoutTimeouts(url, "signalbox restore", { connectionTimeoutMillis: 5_000 });
  try {
    await client.query("set lock_timeout = '10s'");
    // Before the migrations, too, which a database in use would not expect.
    await refuseInUse(client);
    await refuseOtherShape(client, manifest);
    await migrate(url, upTo);
    const load = await loadTables(client, manifest);
    await refuseOtherShape(client, manifest);
    const { files } = await putAll({ file, manifest, load, storage, dataDir, progress });
    const rows = await load.commit();
    const steps = await migrate(url);
    await client.query("analyze");
    return { manifest, rows, files, steps };
  } finally {
    // Ends a transaction that was not committed, too.
    await client.end();
  }
}

/** The program's migrations up to the archive's. */
async function stepsOf(manifest: Manifest) {
  const steps = await readMigrations();
  const same = manifest.migrations.every((step, place) => steps[place]?.name === step.name);
  if (same) return steps.slice(0, manifest.migrations.length);
  throw new StartError(
    `The backup is of schema ${manifest.migrations.at(-1)?.version} (Signalbox ${manifest.program}), this version knows ${steps.at(-1)?.version}: install the version that made it, or a newer one.`,
  );
}

async function refuseOtherShape(client: pg.Client, manifest: Manifest) {
  const applied = await readApplied(client);
  if (applied.length <= manifest.migrations.length) return;
  throw new StartError(
    `The database is empty but of schema ${applied.at(-1)?.version}, the backup of ${manifest.migrations.at(-1)?.version}: restore into a database of its own, or a new DATA_DIR. It is brought to this version afterwards.`,
  );
}

type Put = Pick<RestoreOptions, "file" | "storage" | "dataDir" | "progress"> & {
  manifest: Manifest;
  load: Load;
};

async function putAll({ file, manifest, load, storage, dataDir, progress }: Put) {
  const uploads = uploadsFolder(dataDir);
  await mkdir(uploads, { recursive: true });
  const folder = await mkdtemp(path.join(uploads, "restore-"));
  let files = 0;
  try {
    for await (const member of members(file, manifest.members)) {
      const kind = kindOf(member.name);
      if (kind === undefined || kind === "manifest") await skip(member);
      else if ("table" in kind) {
        progress.tell(`table ${kind.table}`);
        await load.add(kind.table, member.body);
      } else {
        const temporary = path.join(folder, kind.file);
        await pipeline(member.body, createWriteStream(temporary, { flags: "wx" }));
        await storage.put(kind.file, temporary);
        await rm(temporary, { force: true });
        progress.tell(`file ${++files} of ${manifest.members.length}`);
      }
    }
    return { files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function skip({ body }: OpenMember) {
  for await (const _ of body);
}
