import { sql } from "kysely";
import type { z } from "zod";
import type { deployBody, Release } from "../../../shared/releases.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { announce } from "../../record/live-changes.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { verifyFixesAgain } from "../groups/verify-fixes.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { findRelease } from "./list-releases.ts";
import { findShipment, shipCommits } from "./ship-commits.ts";

/**
 * Records a deploy and marks the release as seen; creates the release if the project does not have it. Ignores a second deploy
 * with the same environment and time. A release deployed in the future counts as seen now. What the deploy's commit contains
 * gets the release.
 */
export async function recordDeploy(
  db: Db,
  projectId: number,
  body: z.output<typeof deployBody>,
): Promise<{ release: Release; deployId: number; isNew: boolean }> {
  return db.transaction().execute(async (tx) => {
    const { version, environment = null, commit = null, url = null, deployed_at = null } = body;
    await lockProject(tx, projectId);
    const shipped = commit ?? (await commitOfRelease(tx, projectId, version));
    const shipment = shipped === null ? undefined : await findShipment(tx, projectId, shipped);
    const at = sql`coalesce(${deployed_at}::timestamptz, now())`;
    const { rows } = await sql<{ id: number; is_new: boolean }>`
      insert into releases as r (project_id, version_hash, version, first_seen_at)
      select ${projectId}, sha256(convert_to(${version}, 'UTF8')), ${version}, least(${at}, now())
      on conflict (project_id, version_hash) do update set
        first_seen_at = least(r.first_seen_at, excluded.first_seen_at)
      returning id, (xmax = 0) as is_new`.execute(tx);
    const [{ id, is_new } = { id: 0, is_new: false }] = rows;
    if (deployed_at !== null) await verifyFixesAgain(tx, projectId, deployed_at);
    const put = await sql<{ id: number; is_new: boolean }>`
      insert into release_deploys as d (release_id, environment, deployed_at, commit, url)
      values (${id}, ${environment}, ${at}, ${commit}, ${url})
      on conflict (release_id, environment, deployed_at) do update set release_id = d.release_id
      returning id, (xmax = 0) as is_new`.execute(tx);
    const deploy = put.rows[0] as { id: number; is_new: boolean };
    if (deploy.is_new) {
      await announce(tx, [{ kind: "release", project_id: projectId, id }]);
      noteChange(tx, { type: "release.deployed", kind: "release", id });
    }
    const release = (await findRelease(tx, projectId, version)) as Release;
    if (shipment) await shipCommits(tx, release, shipment);
    return { release, deployId: deploy.id, isNew: is_new };
  });
}

/** The commit that Sentry's clients have named for the release. */
async function commitOfRelease(tx: Tx, projectId: number, version: string): Promise<string | null> {
  const { rows } = await sql<{ commit: string | null }>`
    select commit from releases
    where project_id = ${projectId} and version_hash = sha256(convert_to(${version}, 'UTF8'))`.execute(tx);
  return rows[0]?.commit ?? null;
}
