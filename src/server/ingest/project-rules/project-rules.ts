import { sql } from "kysely";
import type { AlertConditions } from "../../../shared/alert-rules.ts";
import { CachedLookup, type CachedLookups } from "../../access/cached-lookup.ts";
import { batchedLookup } from "../../db/batched-lookup.ts";
import type { Db } from "../../db/connect.ts";

/** How a project processes arriving events: its active rules as JSON, or null if it has none, and its settings. */
export type ProjectRules = {
  privacyRules: string | null;
  inboundRules: string | null;
  /** Whether any of them has a pattern. */
  hasPatterns: boolean;
  keepVars: boolean;
  /** The HMAC key for hashing the users that programs send. */
  userHashSecret: Uint8Array;
  /** Whether new groups are formed by the original code of minified frames. */
  groupsByMappedFrames: boolean;
  /** Rules that count the project's events by their conditions. Null if there are none. */
  countingRules: readonly CountingRule[] | null;
  /** The ids of events that reports refer to but that have not arrived yet. Null if there are none. */
  awaitedEvents: readonly string[] | null;
};

export type CountingRule = { id: number; if: AlertConditions };

export const NO_RULES: ProjectRules = {
  privacyRules: null,
  inboundRules: null,
  hasPatterns: false,
  keepVars: false,
  userHashSecret: new Uint8Array(),
  groupsByMappedFrames: false,
  countingRules: null,
  awaitedEvents: null,
};

/** Only the ids of the latest reports: events of older ones rarely arrive. */
const MAX_AWAITED = 100;

/** The rules of projects by their ids, up to a second old. */
export type ProjectRulesLookup = CachedLookup<number, ProjectRules>;

export const openProjectRules = (db: Db, lookups: CachedLookups): ProjectRulesLookup =>
  lookups.add(new CachedLookup(batchedLookup((ids: number[]) => readRulesOf(db, ids))));

/** Not cached. */
export const readProjectRules = async (db: Db, projectId: number): Promise<ProjectRules> =>
  (await readRulesOf(db, [projectId]))[0] ?? NO_RULES;

async function readRulesOf(db: Db, projectIds: number[]): Promise<(ProjectRules | undefined)[]> {
  const { rows } = await sql<ProjectRules & { id: number }>`
    select p.id,
      (select json_agg(json_build_object('name', name, 'key_pattern', key_pattern, 'value_pattern', value_pattern)
        order by id)::text from privacy_rules where project_id = p.id and active) as "privacyRules",
      (select json_agg(json_build_object('id', id, 'kind', kind, 'pattern', pattern) order by id)::text
        from inbound_rules where project_id = p.id and active) as "inboundRules",
      exists (select from privacy_rules where project_id = p.id and active)
        or exists (select from inbound_rules where project_id = p.id and active and pattern is not null) as "hasPatterns",
      p.keep_vars as "keepVars", p.user_hash_secret as "userHashSecret",
      p.group_by_mapped_frames as "groupsByMappedFrames",
      (select json_agg(json_build_object('id', id, 'if', "if")) from alert_rules
        where project_id = p.id and active and kind = 'project_events') as "countingRules",
      (select array_agg(replace(error_event_id::text, '-', '')) from (
        select error_event_id from reports
        where project_id = p.id and error_event_id is not null and error_group_id is null
        order by id desc limit ${sql.lit(MAX_AWAITED)}) waiting) as "awaitedEvents"
    from projects p where p.id = any(${projectIds}::bigint[])`.execute(db);
  const found = new Map(rows.map(({ id, ...rules }) => [id, rules]));
  return projectIds.map((id) => found.get(id));
}
