import { sql } from "kysely";
import type { ReleaseHealthQuery, ReleaseHealthSeries } from "../../../shared/release-health.ts";
import { MAX_RELEASE_GROUPS, type ReleaseDetail } from "../../../shared/releases.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { selectListItems } from "../groups/list-items.ts";
import { isFixedIn } from "./fixed-groups.ts";
import { compareReleases } from "./health/compare-releases.ts";
import { findReleaseId } from "./find-release-id.ts";
import { readSeries } from "./health/read-series.ts";
import { findRelease } from "./list-releases.ts";
import type { ErrorDb } from "../groups/error-db.ts";

/**
 * The release with the error groups that it introduced, regressed and fixed. 404 if the project has no such release. Events
 * store U+FFFD instead of NUL, so a NUL in the name is replaced as well.
 */
export async function readRelease(
  errorDb: ErrorDb,
  projectId: number,
  { version: name, environment }: { version: string; environment: string | undefined },
): Promise<ReleaseDetail> {
  const version = name.replaceAll("\0", "\uFFFD");
  const release = await findRelease(errorDb.db, projectId, version, { environment });
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
    comparison: await compareReleases(errorDb.db, { id: release.id, projectId, environment }),
    introduced: await selectListItems(errorDb, introduced),
    regressed: await selectListItems(errorDb, regressed),
    resolved: await selectListItems(errorDb, fixed),
  };
}

/** 404 if the project has no such release. */
export async function readReleaseHealth(
  db: Db,
  projectId: number,
  { version, ...query }: ReleaseHealthQuery & { version: string },
): Promise<ReleaseHealthSeries> {
  const id = await findReleaseId(db, { projectId, version });
  if (id === undefined) throw noSuchRelease();
  return { data: await readSeries(db, id, query) };
}

const noSuchRelease = () => notFound("There is no such release.");
