import { sql } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import type { Artifact } from "../../../shared/source-maps.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { findReleaseId } from "../../errors/releases/find-release-id.ts";

/** The artifacts of a release, the newest first. 404 if the project has no such release. */
export async function listArtifacts(
  db: Db,
  release: { projectId: number; version: string },
  query: PageQuery,
): Promise<Page<Artifact>> {
  const releaseId = await findReleaseId(db, release);
  if (releaseId === undefined) throw notFound("There is no such release.");
  const rows = selectArtifacts(db).where("a.release_id", "=", releaseId);
  return readPage(rows, query, "a.id", { newestFirst: true });
}

export const selectArtifacts = (db: Db | Tx) =>
  db
    .selectFrom("artifacts as a")
    .innerJoin("artifact_files as f", "f.id", "a.file_id")
    .select([
      "a.id",
      "a.name",
      sql<Artifact["type"]>`a.type`.as("type"),
      "f.size",
      "a.debug_id",
      "a.created_at",
    ]);
