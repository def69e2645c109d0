import { sql } from "kysely";
import { cutCodePoints } from "../../../../shared/cut-code-points.ts";
import type { Db } from "../../../db/connect.ts";
import type { ImportedErrorGroup } from "../import/item.ts";
import { groupOf, keyOf } from "../../../ingest/store/group-identity.ts";

export type OwnGroup = { id: number; exception_class: string; message: string; count: number };

type Scope = { projectId: number; since: Date };

/** Messages are compared as far as this. */
const MESSAGE_CHARACTERS = 1_000;

/** The events since a day, which begins at midnight (UTC). `daily_counts[1]` is the day on which the group was last seen. */
const countSince = (since: Date) => sql<number>`coalesce((
  select sum(count)::float8 from unnest(g.daily_counts) with ordinality as d (count, n)
  where d.n <= (g.last_seen_at at time zone 'UTC')::date - ${since.toISOString().slice(0, 10)}::date + 1), 0)`;

const columnsOf = (since: Date) => sql`
  g.id, g.exception_class, left(g.latest_message, ${MESSAGE_CHARACTERS}) as message, ${countSince(since)} as count`;

/** The groups that were last seen since then. */
export async function readRecentGroups(db: Db, { projectId, since }: Scope): Promise<OwnGroup[]> {
  const { rows } = await sql<OwnGroup>`
    select ${columnsOf(since)} from error_groups g
    where g.project_id = ${projectId} and g.last_seen_at >= ${since.toISOString()}::timestamptz`.execute(db);
  return rows;
}

/** The groups, of any environment, that events with these fingerprints belong to, by the place of the event. */
export async function findByFingerprint(
  db: Db,
  { projectId, since }: Scope,
  groups: readonly ImportedErrorGroup[],
): Promise<Map<number, OwnGroup[]>> {
  const environments = await readEnvironments(db, projectId);
  const keys = groups.flatMap(({ event }, place) =>
    event === null
      ? []
      : [...new Set([...environments, event.environment])].map((environment) => ({
          place,
          key: keyOf(groupOf(projectId, { fingerprint: event.fingerprint, environment })).toString("hex"),
        })),
  );
  const { rows } = await sql<OwnGroup & { place: number }>`
    with sent as materialized (
      select place, decode(key, 'hex') as key from json_to_recordset(${JSON.stringify(keys)}) as s (place integer, key text)
    ), owners as materialized (
      select s.place, g.id from sent s join error_groups g on g.key = s.key
      union
      select s.place, a.group_id from sent s join error_group_aliases a on a.key = s.key
    )
    select o.place, ${columnsOf(since)} from owners o join error_groups g on g.id = o.id
    where g.project_id = ${projectId} order by g.id`.execute(db);
  return Map.groupBy(rows, ({ place }) => place);
}

async function readEnvironments(db: Db, projectId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("error_groups")
    .select("environment")
    .distinct()
    .where("project_id", "=", projectId)
    .limit(100)
    .execute();
  return rows.map(({ environment }) => environment);
}

/** Identifies what a group is about, without its fingerprint. */
export const nameOf = ({ exception_class, message }: { exception_class: string; message: string }): string =>
  `${exception_class}\n${cutCodePoints(message, MESSAGE_CHARACTERS)}`;
