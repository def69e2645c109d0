import { sql } from "kysely";
import { MAX_RELEASE_GROUPS, type ReleaseDetail } from "../../../shared/releases.ts";
import { notFound } from "../../answers/errors.ts";
import { selectListItems } from "../groups/list-items.ts";
import { isFixedIn } from "./fixed-groups.ts";
import { findRelease } from "./list-releases.ts";
import type { ErrorDb } from "../groups/error-db.ts";

/**
 * The release with the error groups that it introduced, regressed and fixed. 404 if the project has no such release. Events
 * store U+FFFD instead of NUL, so a NUL in the name is replaced as well.
 */
export async function readRelease(errorDb: ErrorDb, projectId: number, name: string): Promise<ReleaseDetail> {
  const version = name.replaceAll("\0", "\uFFFD");
  const release = await findRelease(errorDb.db, projectId, version);
  if (!release) throw noSuchRelease();
  const limit = sql.lit(MAX_RELEASE_GROUPS);
  const introduced = sql`
    select * from error_groups
    where project_id = ${projectId} and hashtextextended(release, 0) = hashtextextended(${version}, 0)
      and release = ${version}
    order by last_seen_at desc, id desc limit ${limit}`;
  const regressed = sql`
    select g.* from release_groups o join error_groups g on g.id = o.group_id
    where o.release_id = ${release.id} and o.kind = 'regressed'
    order by g.last_seen_at desc, g.id desc limit ${limit}`;
  const fixed = sql`
    select g.* from error_groups g where ${isFixedIn(sql`${projectId}::bigint`, sql`${version}::text collate "C"`)}
    order by g.last_seen_at desc, g.id desc limit ${limit}`;
  return {
    ...release,
    introduced: await selectListItems(errorDb, introduced),
    regressed: await selectListItems(errorDb, regressed),
    resolved: await selectListItems(errorDb, fixed),
  };
}

const noSuchRelease = () => notFound("There is no such release.");
