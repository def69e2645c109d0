import { createReadStream } from "node:fs";
import { utimes } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import type pg from "pg";
import { VERSION } from "../../../config/version.ts";
import { connectWithoutTimeouts } from "../../../db/connect-without-timeouts.ts";
import type { Storage } from "../../../files/storage/storage.ts";
import { attached } from "./kinds.ts";
import { EXPORT_FORMAT, MANIFEST, type ExportManifest } from "./manifest.ts";
import { writeSnapshot, type SnapshotFile } from "./write-snapshot.ts";

type Source = {
  url: string;
  storage: Storage;
  projectId: number;
  /** A temporary folder for the objects, which need about as much space as the archive. */
  folder: string;
  signal?: AbortSignal;
  onProgress?: (text: string) => void;
};

type ExportResult = {
  counts: Record<string, number>;
  files: number;
  /** Names of attachments whose files are missing. */
  missing: string[];
};

/** Attachments read from the database at a time. */
const BATCH = 500;

/**
 * Writes everything in a project to `destination`, as a gzipped tar archive of one snapshot. An archive says the size of a file
 * before its content, so the objects are first written to temporary files; slow readers do not hold the snapshot open.
 */
export async function exportProject(source: Source, destination: Writable): Promise<ExportResult> {
  const { url, storage, projectId, folder, signal, onProgress = () => {} } = source;
  const client = await connectWithoutTimeouts(url, "signalbox export");
  const stop = () => void client.end().catch(() => {});
  signal?.addEventListener("abort", stop);
  const archive = pack();
  try {
    signal?.throwIfAborted();
    const { project, made_at, files } = await writeSnapshot(client, { projectId, folder, onProgress });
    const counts = Object.fromEntries(files.map(({ kind, count }) => [kind, count]));
    const written = pipeline(archive, createGzip(), destination, { signal });
    const manifest: ExportManifest = { format: EXPORT_FORMAT, program: VERSION, made_at, project, counts };
    const members = addMembers({ archive, client, storage, projectId, folder, onProgress }, manifest, files);
    // If the destination fails, no more members are accepted, and their error says less.
    members.catch(() => {});
    const result = await Promise.race([members, written.then(() => members)]);
    archive.finalize();
    await written;
    return { counts, ...result };
  } finally {
    archive.destroy();
    signal?.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

type Archive = Required<Pick<Source, "storage" | "projectId" | "folder" | "onProgress">> & {
  archive: Pack;
  client: pg.Client;
};

async function addMembers(to: Archive, manifest: ExportManifest, files: SnapshotFile[]) {
  const { archive, folder, onProgress } = to;
  archive.entry({ name: MANIFEST, mode: 0o600 }, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { kind, path, size } of files) {
    onProgress(`writing ${kind}`);
    const entry = archive.entry({ name: `${kind}.jsonl`, size, mode: 0o600 });
    await pipeline(createReadStream(path), createGunzip(), entry);
    await keepFolder(folder);
  }
  return addAttachments(to);
}

/** Temporary folders that have not changed for an hour are deleted. */
const keepFolder = (folder: string) => utimes(folder, new Date(), new Date());

/** A file may have been deleted after the snapshot. It is missing then, and named in the result. */
async function addAttachments({ archive, client, storage, projectId, folder, onProgress }: Archive) {
  const missing: string[] = [];
  let [files, lastId] = [0, 0];
  for (;;) {
    const { rows } = await client.query<{ id: number; storage_key: string; filename: string; size: number }>(
      `select t.id, t.storage_key, t.filename, t.size from attachments t
      where ${attached(projectId)} and t.id > $1 order by t.id limit ${BATCH}`,
      [lastId],
    );
    for (const { id, storage_key, filename, size } of rows) {
      lastId = id;
      const content = await storage.open(storage_key);
      if (content === undefined) {
        missing.push(filename);
        continue;
      }
      onProgress(`writing file ${++files}`);
      await pipeline(content, archive.entry({ name: `files/${id}`, size, mode: 0o600 }));
      await keepFolder(folder);
    }
    if (rows.length < BATCH) return { files, missing };
  }
}
