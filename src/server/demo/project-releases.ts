import { sql } from "kysely";
import { createHash } from "node:crypto";
import type { Tx } from "../db/connect.ts";
import type { DemoErrorGroup } from "./error-groups.ts";
import { makeSessions } from "./release-health.ts";
import { latestAt, type ReleaseTime, releaseTimes } from "./release-times.ts";
import { at } from "./times.ts";
import type { ProjectSetup } from "./workspace.ts";

/** Deploys each release to staging and a few hours later to production, and counts its events, groups and sessions. */
export async function makeReleases(
  tx: Tx,
  { project, template }: ProjectSetup,
  groups: DemoErrorGroup[],
  now: number,
): Promise<void> {
  const times = releaseTimes(template, now);
  const releases = times.map((release, index) => ({
    name: release.name,
    hash: hashOf(release.name),
    first_seen_at: at(release.staged),
    deploys: deploysOf(template.repository, release, times[index - 1]?.name),
  }));
  await tx
    .insertInto("releases")
    .values(
      releases.map(({ name, hash, first_seen_at }) => ({
        project_id: project.id,
        version: name,
        version_hash: hash,
        first_seen_at,
        created_at: first_seen_at,
      })),
    )
    .onConflict((same) =>
      same.columns(["project_id", "version_hash"]).doUpdateSet((update) => ({
        first_seen_at: update.ref("excluded.first_seen_at"),
        created_at: update.ref("excluded.created_at"),
      })),
    )
    .execute();
  const rows = await tx
    .selectFrom("releases")
    .select(["id", "version"])
    .where("project_id", "=", project.id)
    .execute();
  const ids = new Map(rows.map(({ id, version }) => [version, id]));
  await tx
    .insertInto("release_deploys")
    .values(
      releases.flatMap(({ name, deploys }) =>
        deploys.map((deploy) => ({ release_id: ids.get(name) as number, ...deploy })),
      ),
    )
    .execute();
  await writeGroups(tx, ids, groups, times);
  await makeSessions(tx, project.id, ids, { times, now });
  await writeCounts(tx, project.id);
}

const hashOf = (version: string) => createHash("sha256").update(version).digest();

function deploysOf(repository: string, { name, staged, since }: ReleaseTime, before: string | undefined) {
  const commit = createHash("sha1").update(`${repository} ${name}`).digest("hex");
  const url =
    before === undefined ? `${repository}/releases/${name}` : `${repository}/compare/${before}...${name}`;
  return [
    { environment: "staging", deployed_at: at(staged), commit, url },
    { environment: "production", deployed_at: at(since), commit, url },
  ];
}

/** What regressed in a release, and what was resolved while it was the latest one. */
async function writeGroups(tx: Tx, ids: Map<string, number>, groups: DemoErrorGroup[], times: ReleaseTime[]) {
  const rows = groups.flatMap(({ id, resolvedAt, regressedAt, regressedRelease, issue, status }) => [
    ...(regressedAt !== null && regressedRelease !== null
      ? [{ release_id: ids.get(regressedRelease), kind: "regressed", group_id: id, at: at(regressedAt) }]
      : []),
    // A resolution in the next release counts in none.
    ...(resolvedAt !== null && !(issue && status === 1)
      ? [
          {
            release_id: ids.get(latestAt(times, resolvedAt)?.name ?? ""),
            kind: "resolved",
            group_id: id,
            at: at(resolvedAt),
          },
        ]
      : []),
  ]);
  const known = rows.flatMap((row) =>
    row.release_id === undefined ? [] : [{ ...row, release_id: row.release_id }],
  );
  if (known.length > 0) await tx.insertInto("release_groups").values(known).execute();
}

async function writeCounts(tx: Tx, projectId: number) {
  await sql`
    delete from release_counts c using releases r where r.id = c.release_id and r.project_id = ${projectId}`.execute(
    tx,
  );
  await sql`
    insert into release_counts (release_id, slot, events, new_groups, regressed_groups, resolved_groups)
    select r.id, 0,
      (select coalesce(sum(c.occurrence_count), 0) from error_group_releases c join error_groups g on g.id = c.group_id
        where g.project_id = r.project_id and c.release = r.version),
      (select count(*) from error_groups g where g.project_id = r.project_id and g.release = r.version),
      (select count(*) from release_groups g where g.release_id = r.id and g.kind = 'regressed'),
      (select count(*) from release_groups g where g.release_id = r.id and g.kind = 'resolved')
    from releases r where r.project_id = ${projectId}`.execute(tx);
}
