import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "../../../db/connect.ts";
import type { ExportManifest } from "../export/manifest.ts";

/** The kinds that `imported_objects` records, and the column that refers to each. */
const RECORDED = { issues: "issue_id", reports: "report_id", error_groups: "error_group_id" } as const;
type RecordedKind = keyof typeof RECORDED;

/** Identifies the exported project: ids of different installations are alike. */
export const originOf = ({ project: { id, created_at } }: ExportManifest) =>
  createHash("sha256").update(`${id} ${created_at}`).digest("hex").slice(0, 12);

/**
 * Creates temporary tables with the ids that the objects of the export have here, and with its people. They belong to the
 * connection. `pg_temp.target` and `pg_temp.person` translate ids, and return null for those that are unknown.
 */
export async function makeSourceIds(db: Db, projectId: number, origin: string): Promise<void> {
  for (const statement of [
    "create temp table source_ids (kind text, source_id bigint, id bigint, is_new boolean, primary key (kind, source_id))",
    "create temp table source_people (source_id bigint primary key, user_id bigint, name text)",
    "create temp table source_links (kind text, source_id bigint, other_id bigint, primary key (kind, source_id, other_id))",
    "create temp table source_files (source_id bigint primary key, line jsonb)",
    `create function pg_temp.target(of_kind text, of_id bigint) returns bigint stable language sql as
      'select id from source_ids where kind = of_kind and source_id = of_id'`,
    `create function pg_temp.person(of_id bigint) returns bigint stable language sql as
      'select user_id from source_people where source_id = of_id'`,
    `create function pg_temp.unmatched(of_id bigint) returns text stable language sql as
      'select name from source_people where source_id = of_id and user_id is null'`,
  ])
    await sql.raw(statement).execute(db);
  for (const [kind, column] of Object.entries(RECORDED))
    await sql`
      insert into source_ids
      select ${kind}, split_part(source_id, ' ', 3)::bigint, ${sql.ref(column)}, false from imported_objects
      where project_id = ${projectId} and kind = 'signalbox' and source_id like ${`${origin} ${kind} %`}`.execute(
      db,
    );
}

/**
 * Notes the last ranks of the lanes and of the queue, after which the import puts its issues and reports. Returns whether the project
 * has only issues of this export.
 */
export async function noteEnds(db: Db, projectId: number): Promise<boolean> {
  const isOther = (kind: string, id: string) =>
    sql`not exists (select from source_ids k where k.kind = ${kind} and k.id = ${sql.ref(id)})`;
  await sql`create temp table lane_ends (lane_id bigint primary key, rank text collate "C")`.execute(db);
  await sql`create temp table queue_end (rank text collate "C")`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    insert into lane_ends select lane_id, max(rank) from issues i
    where project_id = ${projectId} and ${isOther("issues", "i.id")} group by lane_id`.execute(db);
  await sql`
    insert into queue_end select max(rank) from reports r
    where project_id = ${projectId} and ${isOther("reports", "r.id")}`.execute(db);
  return numAffectedRows === 0n;
}

/** The ids of the export that are already here. */
export async function findKnown(db: Db, kind: string, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ source_id: number }>`
    select source_id from source_ids where kind = ${kind} and source_id = any(${ids}::bigint[])`.execute(db);
  return new Set(rows.map(({ source_id }) => source_id));
}

type Names = { author?: string; assignee?: string; voices?: string };

/** Records where the new objects of a batch came from, and the names of people without a user here. */
export async function remember(
  tx: Tx,
  { projectId, origin }: { projectId: number; origin: string },
  { kind, lines, names = {} }: { kind: RecordedKind; lines: string; names?: Names },
): Promise<void> {
  const nameOf = (column: string | undefined) =>
    column === undefined ? sql`null` : sql`pg_temp.unmatched((l ->> ${column})::bigint)`;
  await sql`
    insert into imported_objects (project_id, kind, source_id, ${sql.ref(RECORDED[kind])}, author_name, assignee_name, other_voices)
    select ${projectId}, 'signalbox', ${`${origin} ${kind} `} || s.source_id, s.id, ${nameOf(names.author)},
      ${nameOf(names.assignee)}, ${names.voices === undefined ? sql`0` : sql`coalesce((l ->> ${names.voices})::int, 0)`}
    from jsonb_array_elements(${lines}::jsonb) l
    join source_ids s on s.kind = ${kind} and s.source_id = (l ->> 'id')::bigint and s.is_new
    on conflict do nothing`.execute(tx);
}
