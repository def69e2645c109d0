import { sql } from "kysely";
import { EVENT_FACT_ENTRIES, EVENT_FACTS } from "../../../../shared/event-facts.ts";
import type { Tx } from "../../../db/connect.ts";
import { indexLocationsOf } from "../../../errors/groups/location-index.ts";
import { indexMessagesOf } from "../../../errors/groups/message-index.ts";
import { indexTagsOf } from "../../../errors/groups/tag-index.ts";
import { readLevel } from "../../../ingest/read/event-additions.ts";
import { truncateMessage } from "../../../ingest/read/read-event.ts";
import { toKeptEvent } from "../../../ingest/store/kept-event.ts";
import type { ImportedErrorGroup } from "./item.ts";
import { environmentOf, type PlannedItem } from "./plan-batch.ts";
import type { ImportedRow } from "./remember-objects.ts";
import type { ImportTarget } from "./import-target.ts";

/** Creates error groups with their total, but without counts of days, which the other tracker does not tell. */
export async function writeErrorGroups(
  tx: Tx,
  { project, people }: ImportTarget,
  planned: PlannedItem<ImportedErrorGroup>[],
): Promise<ImportedRow[]> {
  if (planned.length === 0) return [];
  const rows = planned.map(({ item, groupKey }, n) => ({
    n,
    key: (groupKey as Buffer).toString("hex"),
    ...groupColumns(item),
    assignee_id: people.userOf(item.assignee),
    ...detailColumns(item),
  }));
  const ids = await insertGroups(tx, project.id, rows);
  const all = [...ids.values()];
  // The jobs that do this only consider recently seen groups.
  await indexTagsOf(tx, all);
  await indexMessagesOf(tx, all);
  await indexLocationsOf(tx, all);
  return planned.map(({ item, sourceId }, n) => ({
    item,
    sourceId,
    target: { issue_id: null, report_id: null, error_group_id: ids.get(n) as number },
  }));
}

const RESOLVED = 1;

function groupColumns(item: ImportedErrorGroup) {
  const { event, status, last_seen_at } = item;
  return {
    environment: event?.environment ?? environmentOf(item),
    exception_class: event?.exception_class ?? item.exception_class,
    message: event?.message ?? truncateMessage(item.message),
    release: item.release,
    last_release: event?.release ?? item.release,
    context_kind: event?.context?.kind ?? null,
    context_label: event?.context_label ?? null,
    level: event?.level ?? readLevel(item.level),
    status,
    resolved_at: status === RESOLVED ? (item.resolved_at ?? last_seen_at) : null,
    occurrence_count: Math.max(1, Math.trunc(item.occurrence_count) || 1),
    first_seen_at: item.first_seen_at < last_seen_at ? item.first_seen_at : last_seen_at,
    last_seen_at,
  };
}

/** The latest event, as if it had been received when the group was last seen. */
function detailColumns({ event }: ImportedErrorGroup) {
  if (event === null) return { stack_trace: "", previous_exceptions: "[]", has_event: false };
  const { cut: _cut, ...kept } = toKeptEvent(event);
  return {
    stack_trace: event.stack_trace,
    previous_exceptions: JSON.stringify(event.previous_exceptions),
    ...event.facts,
    runtime_name: event.runtime.name,
    runtime_version: event.runtime.version,
    framework_name: event.framework.name,
    framework_version: event.framework.version,
    context: event.context && JSON.stringify(event.context),
    event_id: event.event_id,
    host: event.host,
    ...kept,
    has_event: true,
  };
}

const FACTS = Object.keys(EVENT_FACTS);
const FACT_TYPES = EVENT_FACT_ENTRIES.map(([name, kind]) => `${name} ${kind === "name" ? "text" : "bigint"}`);

/**
 * By the places of the rows. In the order of the keys, like ingestion, to avoid deadlocks; if an event creates the same group
 * meanwhile, that one is used and keeps its counts.
 */
async function insertGroups(tx: Tx, projectId: number, rows: object[]): Promise<Map<number, number>> {
  const facts = sql.join(FACTS.map((fact) => sql.ref(fact)));
  const { rows: inserted } = await sql<{ id: number; n: number }>`
    with sent as materialized (
      select decode(r.key, 'hex') as group_key, r.* from json_to_recordset(${JSON.stringify(rows)}) as r (n integer, key text,
        environment text, exception_class text, message text, release text, last_release text, context_kind text,
        context_label text, level text, status smallint, resolved_at timestamptz, occurrence_count bigint,
        first_seen_at timestamptz, last_seen_at timestamptz, assignee_id bigint, stack_trace text,
        previous_exceptions text, ${sql.raw(FACT_TYPES.join(", "))}, runtime_name text, runtime_version text,
        framework_name text, framework_version text, context text, event_id text, host text, pseudonym text, tags text,
        additions text, has_event boolean)
    ),
    added as (
      insert into error_groups as g (project_id, environment, key, exception_class, release, last_release, latest_message,
        context_kind, context_label, occurrence_count, daily_counts, status, resolved_at, resolved_release, first_seen_at,
        last_seen_at, updated_at, last_seen_span, level, last_kept_at, assignee_id)
      select ${projectId}, environment, group_key, exception_class, release, last_release, message, context_kind, context_label,
        occurrence_count, array_fill(0, array[90]), status, resolved_at, case when resolved_at is not null then last_release end,
        first_seen_at, last_seen_at, last_seen_at, date_bin('10 minutes', last_seen_at, 'epoch'), level,
        case when has_event then last_seen_at end, assignee_id
      from sent order by group_key
      on conflict (key) do update set updated_at = g.updated_at
      returning g.id, g.key, g.project_id, (xmax = 0) as is_new
    ),
    new_groups as materialized (select a.id, s.* from added a join sent s on s.group_key = a.key where a.is_new),
    details as (
      insert into error_group_details (group_id, stack_trace, previous_exceptions, ${facts}, runtime_name, runtime_version,
        framework_name, framework_version, context, event, received_at, reason, event_id, level, release, host, pseudonym,
        message, tags, additions)
      select id, stack_trace, previous_exceptions, ${facts}, runtime_name, runtime_version, framework_name,
        framework_version, context, case when has_event then nextval('error_events_id_seq') end,
        case when has_event then last_seen_at end, case when has_event then 2 else 0 end, event_id::uuid, level,
        last_release, host, pseudonym, message, tags::jsonb, additions
      from new_groups
    ),
    counts as (
      insert into error_group_counts (group_id, project_id, users_seen_since)
      select id, ${projectId}, 'infinity' from new_groups
    ),
    history as (
      insert into error_group_activity (group_id, kind, "to", created_at)
      select id, 'first_seen', to_jsonb(release), first_seen_at from new_groups order by id
    )
    select a.id, s.n from added a join sent s on s.group_key = a.key`.execute(tx);
  return new Map(inserted.map(({ id, n }) => [n, id]));
}
