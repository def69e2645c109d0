import { sql } from "kysely";
import { Fresh } from "../../access/fresh.ts";
import type { Db } from "../../db/connect.ts";

/** What a project applies to arriving events: its active rules as JSON, or null without any, and its settings. */
export type ProjectRules = { privacyRules: string | null; inboundRules: string | null; keepVars: boolean };

const NONE: ProjectRules = { privacyRules: null, inboundRules: null, keepVars: false };

/** Each database has its own projects; tests open several in one process. */
const caches = new WeakMap<Db, Fresh<ProjectRules>>();

/** The answer may be a second old, unless the change was made through this process. */
export async function readProjectRules(db: Db, projectId: number): Promise<ProjectRules> {
  let cache = caches.get(db);
  if (!cache) caches.set(db, (cache = new Fresh()));
  return (await cache.get(String(projectId), () => read(db, projectId))) ?? NONE;
}

/** The same, if they were read a moment ago. */
export const knownProjectRules = (db: Db, projectId: number): ProjectRules | undefined =>
  caches.get(db)?.known(String(projectId));

/** Makes a change of rules effective at once in this process. */
export async function changeRules<T>(db: Db, change: Promise<T>): Promise<T> {
  const changed = await change;
  caches.delete(db);
  return changed;
}

async function read(db: Db, projectId: number): Promise<ProjectRules | undefined> {
  const { rows } = await sql<ProjectRules>`
    select
      (select json_agg(json_build_object('name', name, 'key_pattern', key_pattern, 'value_pattern', value_pattern)
        order by id)::text from privacy_rules where project_id = ${projectId} and active) as "privacyRules",
      (select json_agg(json_build_object('id', id, 'kind', kind, 'pattern', pattern) order by id)::text
        from inbound_rules where project_id = ${projectId} and active) as "inboundRules",
      keep_vars as "keepVars"
    from projects where id = ${projectId}`.execute(db);
  return rows[0];
}
