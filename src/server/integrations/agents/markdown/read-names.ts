import { sql } from "kysely";
import type { Db } from "../../../db/connect.ts";

type Named = "lanes" | "labels" | "sprints" | "epics" | "issues";

const NAME_OF: Record<Named, string> = {
  lanes: "o.name",
  labels: "o.name",
  sprints: "o.name",
  epics: "o.title",
  issues: "p.key || '-' || o.number",
};

/** The names of objects of a project, in the order of their ids, and the keys of issues. */
export async function readNames(
  db: Db,
  projectId: number,
  kind: Named,
  ids: readonly (number | null)[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.raw(NAME_OF[kind])} as name from ${sql.table(kind)} o join projects p on p.id = o.project_id
    where o.project_id = ${projectId} and o.id = any(${withoutNull(ids)}::bigint[]) order by o.id`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** "Ada Moss (@ada)" by the id of the user. */
export async function readPeople(
  db: Db,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, first_name || ' ' || last_name || ' (@' || username || ')' as name
    from users where id = any(${withoutNull(ids)}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const withoutNull = (ids: readonly (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];
