import { sql, CompiledQuery } from "kysely";
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Tx } from "../../db/connect.ts";
import { storeEvents } from "../../intake/error-events/store-events.ts";
import { makeEvents } from "./error-events.ts";
import { type History, makeHistory } from "./error-group-history.ts";
import { at } from "./times.ts";
import type { ProjectTemplate } from "./projects.ts";
import { fork, type Random } from "./seeded-random.ts";

type Options = {
  project: ProjectTemplate;
  projectId: number;
  count: number;
  now: number;
  retentionDays: number;
  resolverIds: number[];
  random: Random;
};

/**
 * Ingests one event per group, then overwrites the groups with a history of earlier days. Counts are consistent: those
 * of days, releases and hosts each sum to the group's total. Returns the groups' ids, most events first.
 */
export async function makeErrorGroups(tx: Tx, options: Options): Promise<number[]> {
  const { project, projectId, count, now, retentionDays, resolverIds, random } = options;
  const events = makeEvents(project, count, random);
  const arrivals = events.map((event) => ({ projectId, event, size: 0 }));
  const stored = await storeEvents(asPool(tx), retentionDays, arrivals);
  const ids = stored.map((group) => group.id).sort((a, b) => a - b);
  // Do not send email about these groups.
  await tx.deleteFrom("new_error_groups").where("error_group_id", "in", ids).execute();
  const groups = ids.map((id) => ({ id, ...makeHistory(project, now, fork(random)) }));
  await writeGroups(tx, groups, () => random.pick(resolverIds));
  await writeReleases(tx, groups);
  await writeHosts(tx, groups);
  await writeUsers(tx, groups);
  await writeCounts(tx, groups);
  return groups.toSorted((a, b) => b.total - a.total).map((group) => group.id);
}

/** Runs the query of `storeEvents`, which expects a pool, in the demo's transaction. */
function asPool(tx: Tx): pg.Pool {
  const query = ({ text, values = [] }: pg.QueryConfig<unknown[]>) =>
    tx.executeQuery(CompiledQuery.raw(text, values));
  return { query } as unknown as pg.Pool;
}

type Group = History & { id: number };

async function writeGroups(tx: Tx, groups: Group[], resolver: () => number) {
  const rows = groups.map((group) => ({
    id: group.id,
    release: group.releases[0]?.name ?? null,
    last_release: group.releases.at(-1)?.name ?? null,
    occurrence_count: group.total,
    daily_counts: group.days,
    status: group.status,
    resolved_at: moment(group.resolvedAt),
    resolved_by_id: group.resolvedAt === null ? null : resolver(),
    resolved_release: group.resolvedAt === null ? null : group.resolvedRelease,
    regressed_at: moment(group.regressedAt),
    reopen_count: group.reopenCount,
    first_seen_at: at(group.first),
    last_seen_at: at(group.last),
    updated_at: at(Math.max(group.last, group.status === 1 ? (group.resolvedAt ?? 0) : 0)),
  }));
  await sql`
    update error_groups g set
      release = r.release, last_release = r.last_release, occurrence_count = r.occurrence_count,
      daily_counts = r.daily_counts, status = r.status, resolved_at = r.resolved_at,
      resolved_by_id = r.resolved_by_id, resolved_release = r.resolved_release, regressed_at = r.regressed_at,
      reopen_count = r.reopen_count, first_seen_at = r.first_seen_at, last_seen_at = r.last_seen_at,
      last_seen_span = date_bin('10 minutes', r.last_seen_at, 'epoch'), updated_at = r.updated_at
    from json_to_recordset(${JSON.stringify(rows)}) as r (id bigint, release text, last_release text,
      occurrence_count bigint, daily_counts integer[], status smallint, resolved_at timestamptz,
      resolved_by_id bigint, resolved_release text, regressed_at timestamptz, reopen_count integer,
      first_seen_at timestamptz, last_seen_at timestamptz, updated_at timestamptz)
    where g.id = r.id`.execute(tx);
}

const moment = (of: number | null) => (of === null ? null : at(of));

async function writeReleases(tx: Tx, groups: Group[]) {
  const rows = groups.flatMap(({ id, releases }) =>
    releases.map(({ name, count, first, last }) => ({
      group_id: id,
      release: name,
      release_hash: createHash("sha256").update(name).digest(),
      occurrence_count: count,
      first_seen_at: at(first),
      last_seen_at: at(last),
    })),
  );
  if (rows.length > 0) await tx.insertInto("error_group_releases").values(rows).execute();
}

async function writeHosts(tx: Tx, groups: Group[]) {
  const rows = groups.flatMap(({ id, hosts }) =>
    hosts.map(({ name, count, last }) => ({ group_id: id, name, count, last_seen_at: at(last) })),
  );
  if (rows.length > 0) await tx.insertInto("error_group_hosts").values(rows).execute();
}

async function writeUsers(tx: Tx, groups: Group[]) {
  const rows = groups.flatMap(({ id, users }) => users.map((user) => ({ id, ...user })));
  await sql`
    insert into error_group_users (group_id, user_hash, last_seen_at)
    select * from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => at(row.last))}::timestamptz[])`.execute(tx);
}

async function writeCounts(tx: Tx, groups: Group[]) {
  await sql`
    insert into error_group_counts (group_id, users, users_seen_since, releases, hosts)
    select g.id, users.count, coalesce(users.since, 'infinity'),
      (select count(*) from error_group_releases r where r.group_id = g.id),
      (select count(*) from error_group_hosts h where h.group_id = g.id)
    from unnest(${groups.map(({ id }) => id)}::bigint[]) as g (id), lateral (
      select count(*), min(last_seen_at) as since from error_group_users u where u.group_id = g.id) users`.execute(
    tx,
  );
}
