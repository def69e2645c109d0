import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { newKey } from "../../src/server/files/storage/storage.ts";
import type { TestApp } from "./test-app.ts";

type TestArtifact = {
  name: string;
  content: string | object;
  release?: string;
  debugId?: string;
  /** Of a minified file: the name of its source map. */
  mapName?: string;
};

/** Stores an artifact, as if it had been uploaded. Returns its id. */
export async function addArtifact(
  t: Pick<TestApp, "db" | "storage" | "dataDir">,
  projectId: number,
  { name, content, release, debugId, mapName }: TestArtifact,
): Promise<number> {
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  const key = newKey();
  const file = path.join(t.dataDir, "attachments", key);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  await t.storage.put(key, file);
  const { rows } = await sql<{ id: number }>`
    with stored as (
      insert into artifact_files (project_id, sha256, size, storage_key)
      values (${projectId}, ${createHash("sha256").update(bytes).digest()}, ${bytes.length}, ${key})
      on conflict (project_id, sha256) do update set size = excluded.size returning id
    ), release as (
      insert into releases (project_id, version_hash, version)
      select ${projectId}, sha256(convert_to(v, 'UTF8')), v from (select ${release ?? null}::text) given (v) where v is not null
      on conflict (project_id, version_hash) do update set version = excluded.version returning id
    )
    insert into artifacts (project_id, release_id, file_id, name, type, debug_id, map_name)
    select ${projectId}, (select id from release), stored.id, ${name}, ${name.endsWith(".map") ? "source_map" : "source"},
      ${debugId ?? null}, ${mapName ?? null}
    from stored returning id`.execute(t.db);
  return rows[0]?.id ?? 0;
}

/** Stores debug ids of files with the newest events of the project's groups, as events with `debug_meta` have them. */
export const addDebugImages = (
  t: Pick<TestApp, "db">,
  projectId: number,
  images: { code_file: string; debug_id: string }[],
) =>
  sql`update error_group_details set additions = (coalesce(additions, '{}')::jsonb || ${JSON.stringify({ debug_images: images })}::jsonb)::text
    where group_id in (select id from error_groups where project_id = ${projectId})`.execute(t.db);
