import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { mergeErrorGroups } from "../errors/grouping/merge-groups.ts";
import type { DemoErrorGroup } from "./error-groups.ts";
import { inTransaction } from "./in-transaction.ts";
import type { DemoPerson } from "./people.ts";
import { latestAt, type ReleaseTime, releaseTimes } from "./release-times.ts";
import type { Random } from "./samples/seeded-random.ts";
import { at, HOUR, moment } from "./times.ts";
import type { ProjectSetup } from "./workspace.ts";

/** What people and the passage of time did with a group, besides its status. */
export type WorkedGroup = DemoErrorGroup & {
  assignment: { to: DemoPerson; by: DemoPerson; at: number } | undefined;
  verified: { at: number; release: string } | undefined;
};

/**
 * Assigns groups, sets how the resolved ones were resolved and which of them are verified, and writes their watchers and
 * history. The groups of closed issues count as resolved in the next release by who closed the issue.
 */
export async function makeErrorWork(
  tx: Tx,
  setup: ProjectSetup,
  { groups, now, random }: { groups: DemoErrorGroup[]; now: number; random: Random },
): Promise<WorkedGroup[]> {
  const releases = releaseTimes(setup.template, now);
  const worked = groups.map((group): WorkedGroup => ({
    ...group,
    resolver: closerOf(group) ?? group.resolver,
    assignment: assign(group, setup.people, now, random),
    verified: verify(group, releases, now),
  }));
  await writeWork(tx, worked, releases);
  await writeWatchers(tx, worked);
  await writeHistory(tx, worked, random.pick(setup.people.slice(0, 5)));
  return worked;
}

const isClosedByIssue = ({ issue, status }: DemoErrorGroup) => issue !== undefined && status === 1;

const closerOf = (group: DemoErrorGroup): DemoPerson | undefined =>
  isClosedByIssue(group) ? (group.issue?.assignee ?? group.issue?.creator) : undefined;

function assign(
  { first, resolvedAt, status, story, issue, isMerged }: DemoErrorGroup,
  people: DemoPerson[],
  now: number,
  random: Random,
): WorkedGroup["assignment"] {
  if (isMerged || (!story && !random.chance(status === 2 ? 0.05 : 0.3))) return undefined;
  const until = status === 1 ? (resolvedAt ?? now) : now;
  const to = issue?.assignee ?? random.pick(people.slice(0, 7));
  const by = random.chance(0.4) ? to : random.pick(people.slice(0, 5));
  return { to, by, at: first + Math.floor(random.fraction() * 0.5 * (until - first)) };
}

/** A newer release has run for 48 hours without the error. */
function verify(
  { status, resolvedAt }: DemoErrorGroup,
  releases: ReleaseTime[],
  now: number,
): WorkedGroup["verified"] {
  if (status !== 1 || resolvedAt === null) return undefined;
  const newer = releases[releases.findLastIndex(({ staged }) => staged <= resolvedAt) + 1];
  if (!newer) return undefined;
  const verifiedAt = Math.max(newer.staged, resolvedAt) + 48 * HOUR;
  return verifiedAt < now ? { at: verifiedAt, release: newer.name } : undefined;
}

async function writeWork(tx: Tx, groups: WorkedGroup[], releases: ReleaseTime[]) {
  const rows = groups.map((group) => ({
    id: group.id,
    assignee_id: group.assignment?.to.id ?? null,
    resolved_by_id: group.resolver?.id ?? null,
    resolved_in: isClosedByIssue(group) ? "next_release" : null,
    resolved_after_release:
      group.resolvedAt === null ? null : (latestAt(releases, group.resolvedAt)?.name ?? null),
    resolved_by_issue_id: isClosedByIssue(group) ? group.issue?.id : null,
    linked_at: moment(group.issue?.createdAt ?? null),
    verified_at: moment(group.verified?.at ?? null),
  }));
  await sql`
    update error_groups g set assignee_id = r.assignee_id, resolved_by_id = r.resolved_by_id,
      resolved_in = r.resolved_in, resolved_after_release = r.resolved_after_release,
      resolved_by_issue_id = r.resolved_by_issue_id, linked_at = r.linked_at, verified_at = r.verified_at
    from json_to_recordset(${JSON.stringify(rows)}) as r (id bigint, assignee_id bigint, resolved_by_id bigint,
      resolved_in text, resolved_after_release text, resolved_by_issue_id bigint, linked_at timestamptz,
      verified_at timestamptz)
    where g.id = r.id`.execute(tx);
}

async function writeWatchers(tx: Tx, groups: WorkedGroup[]) {
  const rows = groups.flatMap(({ id, assignment, resolver, issue }) =>
    [...new Set([assignment?.to.id, resolver?.id, issue?.creator.id])].flatMap((user_id) =>
      user_id === undefined ? [] : [{ group_id: id, user_id }],
    ),
  );
  if (rows.length > 0) await tx.insertInto("error_group_watchers").values(rows).execute();
}

async function writeHistory(tx: Tx, groups: WorkedGroup[], ignorer: DemoPerson) {
  const rows = groups
    .flatMap((group) => historyOf(group, ignorer).map((entry) => ({ group_id: group.id, ...entry })))
    .filter(({ time }) => time !== null)
    .sort((a, b) => (a.time ?? 0) - (b.time ?? 0))
    .map(({ time, ...row }) => ({ ...row, at: moment(time) }));
  await sql`
    insert into error_group_activity (group_id, actor_id, kind, "from", "to", created_at)
    select group_id, actor_id, kind, nullif("from", 'null'), nullif("to", 'null'), at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (group_id bigint, actor_id bigint, kind text,
      "from" jsonb, "to" jsonb, at timestamptz)`.execute(tx);
}

type Entry = { kind: string; actor_id: number | null; from?: unknown; to?: unknown; time: number | null };

function historyOf(group: WorkedGroup, ignorer: DemoPerson): Entry[] {
  const { assignment, issue, resolver, verified, resolvedRelease, regressedRelease, snoozedUntil } = group;
  const entries: (Entry | undefined)[] = [
    { kind: "first_seen", actor_id: null, to: group.releases[0]?.name, time: group.first },
    assignment && {
      kind: "assigned",
      actor_id: assignment.by.id,
      to: assignment.to.id,
      time: assignment.at,
    },
    issue && { kind: "linked", actor_id: issue.creator.id, to: issue.id, time: issue.createdAt },
    resolver && {
      kind: "resolved",
      actor_id: resolver.id,
      to: isClosedByIssue(group) ? { mode: "next_release", release: null } : resolvedRelease,
      time: group.resolvedAt,
    },
    {
      kind: "regressed",
      actor_id: null,
      from: resolvedRelease,
      to: regressedRelease,
      time: group.regressedAt,
    },
    snoozedUntil === null
      ? { kind: "ignored", actor_id: ignorer.id, time: group.ignoredAt }
      : { kind: "snoozed", actor_id: ignorer.id, to: snoozedUntil, time: group.ignoredAt },
    verified && { kind: "verified", actor_id: null, to: verified.release, time: verified.at },
  ];
  return entries.flatMap((entry) => entry ?? []);
}

type Merging = { groups: WorkedGroup[]; actorId: number; retentionDays: number; now: number };

/** Merges each group that is to be merged into the one of its story. Returns the groups that are left. */
export async function mergeGroups(
  tx: Tx,
  { project }: ProjectSetup,
  { groups, actorId, retentionDays, now }: Merging,
): Promise<WorkedGroup[]> {
  for (const source of groups.filter(({ isMerged }) => isMerged)) {
    const target = groups.find(({ story, isMerged }) => story === source.story && !isMerged);
    if (!target) continue;
    await mergeErrorGroups({ db: inTransaction(tx), retentionDays }, project, {
      targetId: target.id,
      ids: [source.id],
      actorId,
    });
    const mergedAt = at(now - HOUR);
    await sql`
      update error_group_activity set created_at = ${mergedAt} where group_id = ${target.id} and kind = 'merged'`.execute(
      tx,
    );
    await sql`update error_group_aliases set merged_at = ${mergedAt} where group_id = ${target.id}`.execute(
      tx,
    );
  }
  return groups.filter(({ isMerged }) => !isMerged);
}
