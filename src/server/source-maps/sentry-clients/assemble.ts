import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { z } from "zod";
import { releaseName } from "../../../shared/error-groups.ts";
import { MAX_ARTIFACT_UPLOAD_BYTES } from "../../../shared/source-maps.ts";
import { optional } from "../../../shared/text.ts";
import { HttpError, tooLarge } from "../../answers/errors.ts";
import type { Db, Outside } from "../../db/connect.ts";
import type { Storage } from "../../files/storage/storage.ts";
import type { Uploads } from "../../files/uploads.ts";
import { indexArtifacts } from "../grouping/index-artifacts.ts";
import type { SourceMapReader } from "../mapping/map-reader.ts";
import { storeArtifacts } from "../artifacts/store-artifacts.ts";
import { readArchive } from "../unpack/read-archive.ts";
import { checksums, isOwnedBy, type ChunkOwner } from "./chunks.ts";
import type { ClientProject } from "./client-projects.ts";

const sha1 = z
  .string()
  .regex(/^[0-9a-f]{40}$/i, "must be a SHA-1 checksum")
  .transform((hex) => hex.toLowerCase());

/** The most chunks of an upload: more would be smaller than clients make them. */
const MAX_CHUNKS = 1_000;

export const clientProjectRefs = z.array(z.union([z.string(), z.number()])).max(100);

export const assembleBody = z.object({
  checksum: sha1,
  chunks: z.array(sha1).max(MAX_CHUNKS, `must be at most ${MAX_CHUNKS} checksums`),
  projects: optional(clientProjectRefs),
  version: optional(releaseName),
  dist: optional(z.string()),
});

/** What a client gets that asks to put its chunks together. */
export type Assembly = {
  state: "not_found" | "ok" | "error";
  missingChunks: string[];
  detail: string | null;
};

type Parts = {
  db: Outside;
  storage: Storage;
  uploads: Uploads;
  sourceMaps: SourceMapReader;
  quota: number | undefined;
};

/**
 * Puts the chunks together, unpacks the archive that they are, and stores its files in the projects. `not_found` names the chunks that
 * the sender has to send first. `error` says why nothing was stored. May be repeated: the result is the same.
 */
export async function assemble(
  parts: Parts,
  owner: ChunkOwner,
  {
    checksum,
    chunks,
    version,
    projects,
  }: Omit<z.output<typeof assembleBody>, "projects"> & { projects: ClientProject[] },
): Promise<Assembly> {
  const stored = await readChunks(parts.db, owner, chunks);
  const missingChunks = [...new Set(chunks)].filter((chunk) => !stored.has(chunk));
  if (missingChunks.length > 0 || chunks.length === 0)
    return {
      state: "not_found",
      missingChunks: missingChunks.length > 0 ? missingChunks : [checksum],
      detail: null,
    };
  const files = chunks.map((chunk) => stored.get(chunk) as StoredChunk);
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_ARTIFACT_UPLOAD_BYTES) throw tooLarge();
  try {
    for (const { id } of projects) {
      const stored = await storeBundle(parts, { files, checksum, version, projectId: id });
      await indexArtifacts(
        parts,
        id,
        stored.map((artifact) => artifact.id),
      );
    }
    return { state: "ok", missingChunks: [], detail: null };
  } catch (error) {
    if (error instanceof HttpError && error.status < 500)
      return { state: "error", missingChunks: [], detail: error.message };
    throw error;
  }
}

type StoredChunk = { storage_key: string; size: number };

async function readChunks(db: Db, owner: ChunkOwner, wanted: string[]): Promise<Map<string, StoredChunk>> {
  const { rows } = await sql<StoredChunk & { sha1: string }>`
    select encode(sha1, 'hex') as sha1, storage_key, size from artifact_chunks
    where ${isOwnedBy(owner)} and sha1 = any(${checksums(wanted)})`.execute(db);
  return new Map(rows.map(({ sha1, ...chunk }) => [sha1, chunk]));
}

type Bundle = { files: StoredChunk[]; checksum: string; version: string | undefined; projectId: number };

async function storeBundle(
  { db, storage, uploads, quota }: Parts,
  { files, checksum, version, projectId }: Bundle,
) {
  return uploads.useFolder(async (folder) => {
    const archive = path.join(folder, "archive");
    const hash = createHash("sha1");
    await pipeline(
      Readable.from(
        contentOf(storage, files, (chunk) => hash.update(chunk)),
        { objectMode: false },
      ),
      createWriteStream(archive),
    );
    if (hash.digest("hex") !== checksum) throw new HttpError(400, "The upload has another checksum.");
    const artifacts = await readArchive(archive, folder);
    const stored = await storeArtifacts(db, storage, { projectId, version, artifacts, quota });
    if (stored.length === 0)
      throw new HttpError(
        400,
        "The upload has no files, or it names no release and its files have no debug ids.",
      );
    return stored;
  });
}

async function* contentOf(storage: Storage, files: StoredChunk[], onChunk: (chunk: Buffer) => void) {
  for (const { storage_key } of files) {
    const stream = await storage.open(storage_key);
    if (!stream) throw new Error(`the file ${storage_key} of a chunk is not in storage`);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onChunk(chunk);
      yield chunk;
    }
  }
}
