import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { announce } from "../../record/live-changes.ts";
import { findReleaseId } from "../../errors/releases/find-release-id.ts";

/** Deletes an artifact of a release, and its file if no other artifact uses it. 404 if there is none. */
export async function deleteArtifact(
  db: Db,
  release: { projectId: number; version: string },
  artifactId: number,
): Promise<void> {
  const { projectId, version } = release;
  await db.transaction().execute(async (tx) => {
    const releaseId = await findReleaseId(tx, release);
    const deleted = await tx
      .deleteFrom("artifacts")
      .where("id", "=", artifactId)
      .where("release_id", "=", releaseId ?? 0)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!deleted || releaseId === undefined) throw noSuchArtifact();
    await recordAudit(tx, {
      kind: "source_maps.deleted",
      project_id: projectId,
      subject: { type: "release", id: releaseId, name: version },
      details: { file: deleted.name },
    });
    await announce(tx, [{ kind: "release", project_id: projectId, id: releaseId }]);
  });
}

export const noSuchArtifact = () => notFound("There is no such artifact.");
