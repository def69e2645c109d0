import { sql } from "kysely";
import {
  DETAIL_DAYS,
  MAX_HOSTS,
  MAX_RELEASES,
  type ErrorGroup,
  type NameAndVersion,
} from "../../../shared/error-groups.ts";
import { EVENT_FACTS } from "../../../shared/event-facts.ts";
import { notFound } from "../../answers/errors.ts";
import { gitLinksField } from "../../record/git-links.ts";
import { missingGroup, NO_SUCH_GROUP } from "../../record/merged-groups.ts";
import { affectedUsers, sharedColumns } from "./columns.ts";
import { dailyCounts, recentDays } from "./daily-counts.ts";
import { topAppFile } from "./frame-paths.ts";
import { findOwners } from "./owners-of-group.ts";
import { withUtcOffset, withUtcOffsets } from "./utc-offset.ts";
import type { ErrorDb } from "./error-db.ts";

type DetailRow = Omit<ErrorGroup, "daily_counts" | "runtime" | "framework"> & {
  recent_days: string;
  runtime_name: string | null;
  runtime_version: string | null;
  framework_name: string | null;
  framework_version: string | null;
};

/** The full resource. 404 if the project has no such group. */
export async function readErrorGroup(
  { db, retentionDays }: ErrorDb,
  projectId: number,
  groupId: number,
): Promise<ErrorGroup> {
  const [group] = await readErrorGroups({ db, retentionDays }, projectId, [groupId]);
  if (!group) throw await missingGroup(db, projectId, groupId);
  return group;
}

/** The project's groups with these ids. Unknown ids are left out. */
export async function readErrorGroups(
  { db, retentionDays }: ErrorDb,
  projectId: number,
  ids: number[],
): Promise<ErrorGroup[]> {
  const { rows } = await sql<Omit<DetailRow, "owners"> & { owners: string | null }>`
    select ${sharedColumns}, g.latest_message, d.stack_trace as latest_stack_trace,
      d.previous_exceptions::json as previous_exceptions, ${facts},
      d.runtime_name, d.runtime_version, d.framework_name, d.framework_version,
      d.context::json as context,
      ${recentDays(DETAIL_DAYS, retentionDays)}, ${affectedUsers(retentionDays)}, ${releases}, ${hosts(retentionDays)},
      ${keptEvents(retentionDays)}, g.linked_at, ${gitLinksField("group_id", sql`g.id`)},
      (select code_owners from projects p where p.id = g.project_id) as owners
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.project_id = ${projectId} and g.id = any(${ids}::bigint[])`.execute(db);
  const codeOwners = rows[0]?.owners ?? null;
  const owners =
    codeOwners === null
      ? []
      : await findOwners(db, projectId, {
          codeOwners,
          files: rows.map(({ latest_stack_trace }) => topAppFile(latest_stack_trace)),
        });
  return rows.map((row, n) => toErrorGroup({ ...row, owners: owners[n] ?? [] }));
}

const facts = sql.join(Object.keys(EVENT_FACTS).map((name) => sql.ref(`d.${name}`)));

export const noSuchGroup = () => notFound(NO_SUCH_GROUP);

/** The latest releases in order of first appearance. As JSON, because a release may contain any character. */
const releases = sql`
  (select coalesce(json_agg(json_build_object(
      'release', r.release, 'occurrence_count', r.occurrence_count,
      'first_seen_at', ${isoTime("r.first_seen_at")}, 'last_seen_at', ${isoTime("r.last_seen_at")})
    order by r.first_seen_at, r.appearance), '[]')
  from (
    select * from error_group_releases where group_id = g.id
    order by first_seen_at desc, appearance desc limit ${sql.lit(MAX_RELEASES)}
  ) r) as releases,
  (select count(*) from error_group_releases r where r.group_id = g.id) as releases_count`;

function isoTime(column: string) {
  return sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Hosts seen within the retention window, most occurrences first. Names are compared byte by byte. */
function hosts(retentionDays: number) {
  return sql`
    (select coalesce(json_agg(json_build_object('name', h.name, 'count', h.count) order by h.count desc, h.name), '[]')
    from (
      select name, count from error_group_hosts
      where group_id = g.id and last_seen_at > now() - make_interval(days => ${retentionDays}::int)
      order by count desc, name limit ${sql.lit(MAX_HOSTS)}
    ) h) as hosts`;
}

function keptEvents(retentionDays: number) {
  return sql`
    (select count(*) from kept_events e
    where e.group_id = g.id and e.received_at > now() - make_interval(days => ${retentionDays}::int)) as kept_events_count`;
}

function toErrorGroup(row: DetailRow): ErrorGroup {
  const { recent_days, runtime_name, runtime_version, framework_name, framework_version, ...rest } = row;
  return {
    ...withUtcOffsets(rest),
    daily_counts: dailyCounts(recent_days, DETAIL_DAYS),
    linked_at: rest.linked_at && withUtcOffset(rest.linked_at),
    runtime: nameAndVersion(runtime_name, runtime_version),
    framework: nameAndVersion(framework_name, framework_version),
    releases: rest.releases.map((entry) => ({
      ...entry,
      first_seen_at: withUtcOffset(entry.first_seen_at),
      last_seen_at: withUtcOffset(entry.last_seen_at),
    })),
  };
}

const nameAndVersion = (name: string | null, version: string | null): NameAndVersion => ({ name, version });
