import { sql } from "kysely";
import type { Artifact } from "../../../shared/source-maps.ts";
import type { Db } from "../../db/connect.ts";
import { putFiles } from "../../files/storage/put-files.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import type { NewArtifact } from "../unpack/new-artifact.ts";
import { FilesGone, insertArtifacts, type Content, type Upload } from "./insert-artifacts.ts";

/**
 * Stores the files of an upload, all or none. Content that the project has already is not stored again. A file with the same name in the
 * release is replaced. 422 on `files` beyond the quota.
 */
export async function storeArtifacts(db: Db, storage: Storage, upload: Upload): Promise<Artifact[]> {
  const artifacts = uniqueIn(upload);
  if (artifacts.length === 0) return [];
  const contents = contentsOf(artifacts);
  let toPut = await withoutKnown(db, upload.projectId, contents);
  for (;;) {
    for (const content of toPut) content.isPut = true;
    const result = await putFiles(storage, toPut, () => commit(db, { ...upload, artifacts }, contents));
    if (!(result instanceof FilesGone)) return result;
    toPut = result.contents;
  }
}

/** The last file of each name in a release. Without a release, the last one of each debug id. */
function uniqueIn({ artifacts, version }: Upload): NewArtifact[] {
  if (version !== undefined) return [...new Map(artifacts.map((one) => [one.name, one])).values()];
  const withId = artifacts.filter(({ debug_id }) => debug_id !== null);
  return [...new Map(withId.map((one) => [`${one.debug_id} ${one.type}`, one])).values()];
}

function contentsOf(artifacts: NewArtifact[]): Content[] {
  const byHash = new Map<string, Content>();
  for (const { sha256, size, path } of artifacts) {
    const hash = sha256.toString("hex");
    if (!byHash.has(hash)) byHash.set(hash, { hash, size, path, storage_key: newKey(), isPut: false });
  }
  return [...byHash.values()];
}

async function withoutKnown(db: Db, projectId: number, contents: Content[]): Promise<Content[]> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256, 'hex') as hash from artifact_files
    where project_id = ${projectId}
      and sha256 = any(array(select decode(h, 'hex') from unnest(${contents.map(({ hash }) => hash)}::text[]) h))`.execute(
    db,
  );
  const known = new Set(rows.map(({ hash }) => hash));
  return contents.filter(({ hash }) => !known.has(hash));
}

async function commit(db: Db, upload: Upload, contents: Content[]): Promise<Artifact[] | FilesGone> {
  try {
    return await db.transaction().execute((tx) => insertArtifacts(tx, upload, contents));
  } catch (error) {
    if (error instanceof FilesGone) return error;
    throw error;
  }
}
