import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";
import type { ImportedIssue } from "./item.ts";

/** Names without regard to case, as labels are unique. */
const keyOf = (name: string) => name.normalize("NFC").toLowerCase();

type NamedIds = { get(name: string): number };

/**
 * The ids of the project's labels, sprints or epics with these names; creates those that are missing. The caller holds the
 * project's lock.
 */
export async function findOrCreate(
  tx: Tx,
  projectId: number,
  kind: keyof typeof NAMED,
  names: string[],
): Promise<NamedIds> {
  const wanted = new Map(names.map((name) => [keyOf(name), name]));
  if (wanted.size === 0) return { get: missing };
  const { table, column, more, values } = NAMED[kind];
  const found = await sql<{ key: string; id: number }>`
    select lower(normalize(${sql.ref(column)})) as key, min(id) as id from ${sql.table(table)}
    where project_id = ${projectId} and lower(normalize(${sql.ref(column)})) = any(
      select lower(normalize(name)) from unnest(${[...wanted.values()]}::text[]) name)
    group by 1`.execute(tx);
  const ids = new Map(found.rows.map(({ key, id }) => [keyOf(key), id]));
  const absent = [...wanted].flatMap(([key, name]) => (ids.has(key) ? [] : [name]));
  if (absent.length > 0) {
    const created = await sql<{ name: string; id: number }>`
      insert into ${sql.table(table)} (project_id, ${sql.ref(column)}${sql.raw(more)})
      select ${projectId}, name${sql.raw(values)} from unnest(${absent}::text[]) with ordinality as n (name, place)
      order by place returning ${sql.ref(column)} as name, id`.execute(tx);
    for (const { name, id } of created.rows) ids.set(keyOf(name), id);
  }
  return { get: (name) => ids.get(keyOf(name)) ?? missing(name) };
}

function missing(name: string): never {
  throw new Error(`${name} was not looked up`);
}

/** A label gets a color that depends on its name, so that a repeated import into another project looks the same. */
const COLORS = ["#1f6feb", "#8250df", "#bf3989", "#cf222e", "#bc4c00", "#9a6700", "#1a7f37", "#0e7490"];

const NAMED = {
  label: {
    table: "labels",
    column: "name",
    more: ", color",
    values: `, (array['${COLORS.join("','")}'])[1 + (hashtext(name) & 2147483647) % ${COLORS.length}]`,
  },
  sprint: { table: "sprints", column: "name", more: "", values: "" },
  epic: { table: "epics", column: "title", more: "", values: "" },
} as const;

export type Lane = { id: number; name: string; kind: string };

/** From left to right. */
export async function readLanes(tx: Tx, projectId: number): Promise<Lane[]> {
  return tx
    .selectFrom("lanes")
    .select(["id", "name", "kind"])
    .where("project_id", "=", projectId)
    .orderBy("position")
    .execute();
}

/**
 * The lane with the same name, else the first lane of the same kind, else the first lane, so that an import does not rearrange
 * the board. A status of a kind that no lane has gets a new lane at the end.
 */
export async function laneOf(
  tx: Tx,
  projectId: number,
  lanes: Lane[],
  wanted: ImportedIssue["lane"],
): Promise<Lane> {
  const [first] = lanes;
  if (!first) throw new Error("a project has at least one lane");
  if (wanted === null) return first;
  const { name, kind } = wanted;
  const named = lanes.find(
    (lane) => keyOf(lane.name) === keyOf(name) && (kind === null || lane.kind === kind),
  );
  if (named) return named;
  if (kind === null) return first;
  const same = lanes.find((lane) => lane.kind === kind);
  if (same) return same;
  const created = await tx
    .insertInto("lanes")
    .values({ project_id: projectId, name, kind, position: lanes.length })
    .returning(["id", "name", "kind"])
    .executeTakeFirstOrThrow();
  lanes.push(created);
  return created;
}
