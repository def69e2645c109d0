import { sql, CompiledQuery } from "kysely";
import { createHash } from "node:crypto";
import type { Tx } from "../db/connect.ts";
import type { Query } from "../db/query-keeping-connection.ts";
import type { ReadingOptions } from "../ingest/read/read-event.ts";
import { storeEvents } from "../ingest/store/store-events.ts";
import { indexLocationsOf } from "../errors/groups/location-index.ts";
import { indexMessagesOf } from "../errors/groups/message-index.ts";
import { indexTagsOf } from "../errors/groups/tag-index.ts";
import { draftEvents, draftMerged, type EventDraft } from "./error-events.ts";
import { type History, makeHistory } from "./error-group-history.ts";
import { type DemoEvent, makeGroupEvents } from "./group-events.ts";
import type { DemoIssue } from "./issues.ts";
import type { DemoPerson } from "./people.ts";
import type { ProjectTemplate } from "./samples/projects.ts";
import { fork, type Random } from "./samples/seeded-random.ts";
import type { Story } from "./samples/story.ts";
import { at, DAY, moment } from "./times.ts";

type Options = {
  project: ProjectTemplate;
  projectId: number;
  count: number;
  now: number;
  retentionDays: number;
  resolvers: DemoPerson[];
  /** The project's privacy rules. */
  reading: ReadingOptions;
  random: Random;
};

export type DemoErrorGroup = History & {
  id: number;
  projectId: number;
  exception_class: string;
  message: string;
  story: Story | undefined;
  /** True for a group that is to be merged into the one of its story. */
  isMerged: boolean;
  /** Those that are kept in full, oldest first. */
  events: DemoEvent[];
  resolver: DemoPerson | undefined;
  /** Set when the group is linked to it. */
  issue?: DemoIssue;
};

/**
 * Ingests the kept events of each group, then overwrites the groups with a history of earlier days. Counts are consistent:
 * those of days, releases and hosts each sum to the group's total. Returns the groups, most events first.
 */
export async function makeErrorGroups(tx: Tx, options: Options): Promise<DemoErrorGroup[]> {
  const { project, projectId, now, retentionDays, random } = options;
  const drafted = draftGroups(options).map((draft) => {
    const history = makeHistory(project, now, fork(random), draft.story?.fate);
    return { draft, history, events: makeGroupEvents(draft, history, options.reading, fork(random)) };
  });
  const arrivals = drafted.flatMap(({ events }) =>
    events.map(({ event }) => ({ projectId, event, size: 0 })),
  );
  await storeEvents(queryIn(tx), retentionDays, arrivals);
  const idOf = await readGroupIds(tx, projectId);
  const groups = drafted.map(({ draft, history, events }): DemoErrorGroup => ({
    ...history,
    id: idOf.get(events[0]?.event_id) as number,
    projectId,
    exception_class: draft.exception_class,
    message: draft.message,
    story: draft.story,
    isMerged: draft.isMerged,
    events,
    resolver: history.resolvedAt === null ? undefined : random.pick(options.resolvers),
  }));
  await forgetIngestion(tx, groups);
  await writeGroups(tx, groups);
  await writeEventTimes(tx, groups);
  await writeReleases(tx, groups);
  await writeHosts(tx, groups);
  await writeUsers(tx, groups);
  await writeCounts(tx, projectId, groups);
  // The jobs that do this only consider recently seen groups.
  const ids = groups.map(({ id }) => id);
  await indexTagsOf(tx, ids);
  await indexMessagesOf(tx, ids);
  await indexLocationsOf(tx, ids);
  return groups.toSorted((a, b) => b.total - a.total);
}

/** The groups that are merged into a story's group are additional ones. */
function draftGroups({ project, count, random }: Options): (EventDraft & { isMerged: boolean })[] {
  const drafts = draftEvents(project, count, random).map((draft) => ({ ...draft, isMerged: false }));
  const merged = project.stories.flatMap((story) =>
    story.merged ? { ...draftMerged(story, story.merged), story, isMerged: true } : [],
  );
  return [...drafts, ...merged];
}

/** For statements in the demo's transaction. */
const queryIn =
  (tx: Tx): Query =>
  ({ text, values = [] }) =>
    tx.executeQuery(CompiledQuery.raw(text, values));

async function readGroupIds(tx: Tx, projectId: number): Promise<Map<string | undefined, number>> {
  const { rows } = await sql<{ event_id: string; group_id: number }>`
    select replace(event_id::text, '-', '') as event_id, group_id from error_event_ids where project_id = ${projectId}`.execute(
    tx,
  );
  return new Map(rows.map(({ event_id, group_id }) => [event_id, group_id]));
}

/** Removes what the events caused now, so that it can be written with the times of the history, and so that no email is sent. */
async function forgetIngestion(tx: Tx, groups: DemoErrorGroup[]) {
  const ids = groups.map(({ id }) => id);
  await tx.deleteFrom("new_error_groups").where("error_group_id", "in", ids).execute();
  await tx.deleteFrom("error_group_activity").where("group_id", "in", ids).execute();
  await tx.deleteFrom("error_group_releases").where("group_id", "in", ids).execute();
  await tx.deleteFrom("error_group_hosts").where("group_id", "in", ids).execute();
  await tx.deleteFrom("error_group_users").where("group_id", "in", ids).execute();
  await tx.deleteFrom("error_group_counts").where("group_id", "in", ids).execute();
}

async function writeGroups(tx: Tx, groups: DemoErrorGroup[]) {
  const rows = groups.map((group) => ({
    id: group.id,
    release: group.releases[0]?.name ?? null,
    last_release: group.releases.at(-1)?.name ?? null,
    occurrence_count: group.total,
    daily_counts: group.days,
    status: group.status,
    resolved_at: moment(group.resolvedAt),
    resolved_by_id: group.resolver?.id ?? null,
    resolved_release: group.resolvedAt === null ? null : group.resolvedRelease,
    regressed_at: moment(group.regressedAt),
    regressed_release: group.regressedRelease,
    reopen_count: group.reopenCount,
    snoozed_until: group.snoozedUntil,
    // Some of the events that end the snooze have already happened.
    snooze_ends_count: group.snoozedUntil?.occurrences
      ? group.total + Math.ceil(group.snoozedUntil.occurrences * 0.6)
      : null,
    first_seen_at: at(group.first),
    last_seen_at: at(group.last),
    updated_at: at(Math.max(group.last, group.status === 1 ? (group.resolvedAt ?? 0) : 0)),
  }));
  await sql`
    update error_groups g set
      release = r.release, last_release = r.last_release, occurrence_count = r.occurrence_count,
      daily_counts = r.daily_counts, status = r.status, resolved_at = r.resolved_at,
      resolved_by_id = r.resolved_by_id, resolved_release = r.resolved_release, regressed_at = r.regressed_at,
      regressed_release = r.regressed_release, reopen_count = r.reopen_count, snoozed_until = r.snoozed_until,
      snooze_ends_at = (r.snoozed_until ->> 'at')::timestamptz, snooze_ends_count = r.snooze_ends_count,
      snooze_users = case when r.snoozed_until ->> 'users' is not null then '{}'::bigint[] end,
      first_seen_at = r.first_seen_at, last_seen_at = r.last_seen_at, last_kept_at = r.last_seen_at,
      last_seen_span = date_bin('10 minutes', r.last_seen_at, 'epoch'), span_count = 1, updated_at = r.updated_at
    from json_to_recordset(${JSON.stringify(rows)}) as r (id bigint, release text, last_release text,
      occurrence_count bigint, daily_counts integer[], status smallint, resolved_at timestamptz,
      resolved_by_id bigint, resolved_release text, regressed_at timestamptz, regressed_release text,
      reopen_count integer, snoozed_until jsonb, snooze_ends_count bigint, first_seen_at timestamptz,
      last_seen_at timestamptz, updated_at timestamptz)
    where g.id = r.id`.execute(tx);
}

/** Ids of events are remembered for seven days. */
const REMEMBERED = 7 * DAY;

/** Marks the first event as a first event, and the others like those that are kept once a minute. */
async function writeEventTimes(tx: Tx, groups: DemoErrorGroup[]) {
  const rows = groups.flatMap(({ id, events, total }) =>
    events.map(({ event_id, at: received }, index) => ({
      group_id: id,
      event_id,
      at: at(received),
      reason: index === 0 && (events.length > 1 || total === 1) ? 3 : 1,
    })),
  );
  const rowsSql = sql`json_to_recordset(${JSON.stringify(rows)})
    as r (group_id bigint, event_id uuid, at timestamptz, reason smallint)`;
  await sql`
    update error_events e set received_at = r.at, reason = r.reason from ${rowsSql}
    where e.group_id = r.group_id and e.event_id = r.event_id`.execute(tx);
  await sql`
    update error_group_details d set received_at = r.at, reason = r.reason from ${rowsSql}
    where d.group_id = r.group_id and d.event_id = r.event_id`.execute(tx);
  await sql`
    update error_event_ids i set received_at = r.at from ${rowsSql}
    where i.group_id = r.group_id and i.event_id = r.event_id`.execute(tx);
  const ids = groups.map(({ id }) => id);
  await sql`
    delete from error_event_ids
    where group_id = any(${ids}::bigint[]) and received_at < now() - ${REMEMBERED} * interval '1 millisecond'`.execute(
    tx,
  );
}

async function writeReleases(tx: Tx, groups: DemoErrorGroup[]) {
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

async function writeHosts(tx: Tx, groups: DemoErrorGroup[]) {
  const rows = groups.flatMap(({ id, hosts }) =>
    hosts.map(({ name, count, last }) => ({ group_id: id, name, count, last_seen_at: at(last) })),
  );
  if (rows.length > 0) await tx.insertInto("error_group_hosts").values(rows).execute();
}

async function writeUsers(tx: Tx, groups: DemoErrorGroup[]) {
  const rows = groups.flatMap(({ id, users }) => users.map((user) => ({ id, ...user })));
  await sql`
    insert into error_group_users (group_id, user_hash, last_seen_at)
    select * from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => at(row.last))}::timestamptz[])`.execute(tx);
}

async function writeCounts(tx: Tx, projectId: number, groups: DemoErrorGroup[]) {
  await sql`
    insert into error_group_counts (group_id, project_id, users, users_seen_since, releases, hosts)
    select g.id, ${projectId}, users.count, coalesce(users.since, 'infinity'),
      (select count(*) from error_group_releases r where r.group_id = g.id),
      (select count(*) from error_group_hosts h where h.group_id = g.id)
    from unnest(${groups.map(({ id }) => id)}::bigint[]) as g (id), lateral (
      select count(*), min(last_seen_at) as since from error_group_users u where u.group_id = g.id) users`.execute(
    tx,
  );
}
