import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { sql, type RawBuilder } from "kysely";
import type { Caller } from "../../access/caller.ts";
import { badRequest, type HttpError } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { deleteInBatches, batchOf, BATCH_ROWS } from "../../db/delete-in-batches.ts";
import type { ExpectedParts, UploadedFile } from "../../files/read-multipart.ts";
import { putFiles } from "../../files/storage/put-files.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import type { Uploader } from "../../files/uploader.ts";
import type { Uploads } from "../../files/uploads.ts";

export const CHUNK_BYTES = 8 * 1_048_576;
export const CHUNKS_PER_REQUEST = 64;
export const REQUEST_BYTES = 32 * 1_048_576;

/** What compression may add to content that cannot be compressed, and multipart to a request. */
const MARGIN_BYTES = 1_048_576;

/** The most bytes of chunks that a sender keeps. Beyond them, the oldest are deleted. */
const MAX_KEPT_BYTES = 2 * 1_073_741_824;

const MAX_AGE_HOURS = 24;

const EXPECTED: ExpectedParts = {
  fields: [],
  fileField: (name) => (name === "file" || name === "file_gzip" ? name : undefined),
  files: CHUNKS_PER_REQUEST,
  fileBytes: CHUNK_BYTES + MARGIN_BYTES,
  bodyBytes: REQUEST_BYTES + MARGIN_BYTES,
  nameOf: (sent) => sent.toLowerCase(),
};

/** Who sent chunks: the project of a token, or the user of a personal token. Nobody else can use them. */
export type ChunkOwner = { project_id: number } | { user_id: number };

export const chunkOwner = (caller: Caller): ChunkOwner =>
  caller.kind === "project" ? { project_id: caller.project_id } : { user_id: caller.user_id };

export const isOwnedBy = (owner: ChunkOwner): RawBuilder<boolean> =>
  "project_id" in owner ? sql`project_id = ${owner.project_id}` : sql`user_id = ${owner.user_id}`;

type Chunk = { sha1: string; size: number; path: string; storage_key: string };

/** Reads a multipart body of chunks, each named by its checksum, and stores those that are new. 400 for a wrong checksum or size. */
export function receiveChunks(
  { uploads, storage, db }: { uploads: Uploads; storage: Storage; db: Db },
  request: IncomingMessage,
  uploader: Uploader,
  owner: ChunkOwner,
): Promise<void> {
  return uploads.read(request, uploader, EXPECTED, async ({ files, tooMany }) => {
    if (tooMany) throw badRequest(`A request may have at most ${CHUNKS_PER_REQUEST} chunks.`);
    const chunks = new Map<string, Chunk>();
    for (const file of files) chunks.set(file.filename, await unpack(file));
    await store({ storage, db }, owner, [...chunks.values()]);
  });
}

async function unpack(file: UploadedFile): Promise<Chunk> {
  const unpacked = file.field === "file_gzip" ? `${file.path}.unpacked` : file.path;
  const hash = createHash("sha1");
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > CHUNK_BYTES ? tooLong(file) : null, chunk);
    },
  });
  if (file.tooLarge) throw tooLong(file);
  const source = createReadStream(file.path);
  if (unpacked === file.path) await pipeline(source, count.resume());
  else
    await pipeline(source, createGunzip(), count, createWriteStream(unpacked)).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code?.startsWith("Z_")
          ? badRequest(`Chunk ${file.filename} is not valid gzip data.`)
          : error;
      },
    );
  if (hash.digest("hex") !== file.filename) throw badRequest(`Chunk ${file.filename} has another checksum.`);
  return { sha1: file.filename, size, path: unpacked, storage_key: newKey() };
}

const tooLong = ({ filename }: UploadedFile): HttpError =>
  badRequest(`Chunk ${filename} is larger than ${CHUNK_BYTES} bytes.`);

async function store({ storage, db }: { storage: Storage; db: Db }, owner: ChunkOwner, chunks: Chunk[]) {
  const { rows } = await sql<{ sha1: string }>`
    update artifact_chunks set created_at = clock_timestamp()
    where ${isOwnedBy(owner)} and sha1 = any(${checksums(chunks.map(({ sha1 }) => sha1))})
    returning encode(sha1, 'hex') as sha1`.execute(db);
  const known = new Set(rows.map(({ sha1 }) => sha1));
  const fresh = chunks.filter(({ sha1 }) => !known.has(sha1));
  await putFiles(storage, fresh, () =>
    db.transaction().execute(async (tx) => {
      await insertChunks(tx, owner, fresh);
      await sql`
        delete from artifact_chunks where id in (
          select id from (
            select id, sum(size) over (order by created_at desc, id desc) as newer from artifact_chunks where ${isOwnedBy(owner)}
          ) c where newer > ${MAX_KEPT_BYTES})`.execute(tx);
    }),
  );
}

/** If another request has stored the same chunk meanwhile, its file stays and ours is deleted. */
async function insertChunks(tx: Tx, owner: ChunkOwner, chunks: Chunk[]) {
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(chunks)}) as g (sha1 text, size bigint, storage_key text)
    ), added as (
      insert into artifact_chunks (project_id, user_id, sha1, size, storage_key)
      select ${"project_id" in owner ? owner.project_id : null}, ${"user_id" in owner ? owner.user_id : null},
        decode(sha1, 'hex'), size, storage_key
      from given order by sha1
      on conflict do nothing returning storage_key
    )
    insert into file_deletions (storage_key)
    select storage_key from given where storage_key not in (select storage_key from added)`.execute(tx);
}

/** The array of the checksums' bytes. */
export const checksums = (hex: readonly string[]): RawBuilder<Buffer[]> =>
  sql`array(select decode(h, 'hex') from unnest(${hex}::text[]) h)`;

/** Deletes chunks that were sent more than a day ago and returns how many. */
export function deleteOldChunks(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from artifact_chunks where id in (
            select id from artifact_chunks where created_at < now() - make_interval(hours => ${MAX_AGE_HOURS})
            limit ${sql.lit(BATCH_ROWS)} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
