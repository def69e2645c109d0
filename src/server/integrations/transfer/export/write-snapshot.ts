import { createWriteStream } from "node:fs";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type pg from "pg";
import { StartError } from "../../../config/start-error.ts";
import { copyOut } from "../../../db/copy-streams.ts";
import { EXPORTED_KINDS } from "./kinds.ts";
import type { ExportManifest } from "./manifest.ts";

/** A compressed file of JSON lines. `size` is that of its content in bytes. */
export type SnapshotFile = { kind: string; path: string; size: number; count: number };

type Snapshot = { project: ExportManifest["project"]; made_at: string; files: SnapshotFile[] };

/**
 * JSON has no control characters, so with these as quote and delimiter, PostgreSQL sends each line as it is. Lookups one by one keep
 * PostgreSQL from collecting all rows before it sends the first.
 */
const AS_LINES = "with (format csv, quote e'\\x01', delimiter e'\\x02')";
const ONE_BY_ONE =
  "set local enable_hashjoin = off; set local enable_mergejoin = off; set local work_mem = '16MB'";

/** Writes one file per kind to the folder, all of one snapshot. Throws StartError if there is no such project. */
export async function writeSnapshot(
  client: pg.Client,
  {
    projectId,
    folder,
    onProgress,
  }: { projectId: number; folder: string; onProgress: (text: string) => void },
): Promise<Snapshot> {
  await client.query("begin transaction isolation level repeatable read, read only");
  await client.query(ONE_BY_ONE);
  const { rows } = await client.query<ExportManifest["project"] & { made_at: string }>(
    `select id, key, name, description, created_at, now() as made_at from projects where id = $1 and deleted_at is null`,
    [projectId],
  );
  const [row] = rows;
  if (!row) throw new StartError("There is no such project.");
  const { made_at, ...project } = row;
  const files: SnapshotFile[] = [];
  for (const { name: kind, select } of EXPORTED_KINDS) {
    onProgress(`reading ${kind}`);
    const file = path.join(folder, `${kind}.jsonl.gz`);
    const { chunks, rows: countOf } = copyOut(client, `copy (${select(projectId)}) to stdout ${AS_LINES}`);
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        done(null, chunk);
      },
    });
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await pipeline(chunks, measure, gzip, createWriteStream(file, { mode: 0o600 }));
    files.push({ kind, path: file, size, count: countOf() });
  }
  await client.query("commit");
  return { project, made_at, files };
}
