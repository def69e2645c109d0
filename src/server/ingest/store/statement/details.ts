import { EVENT_FACTS, type FactName } from "../../../../shared/event-facts.ts";
import { at } from "./columns.ts";
import { FIRST_EVENTS } from "./kept-events.ts";

/** Why the newest event of the group in `s` is kept. */
const REASONS = `when s.occurrence_count = 1 then 3 when s.occurrence_count <= ${FIRST_EVENTS} then 2
      when s.count_before >= ${FIRST_EVENTS} and s.is_kept then 1`;

const FACTS = Object.keys(EVENT_FACTS) as FactName[];

const value = (column: Parameters<typeof at>[0]) => at(column, "s.n + 1");

/**
 * Replaces the newest event of each group. If the replaced one must be kept, a trigger stores it in `error_events`. Reads
 * `seen`, and if the batch has further events also `numbered`, so that ids are in the order of arrival.
 */
export const details = (furtherEvents: boolean): string => `
details as (
  insert into error_group_details as d (
    group_id, stack_trace, previous_exceptions, ${FACTS.join(", ")}, runtime_name, runtime_version,
    framework_name, framework_version, context, event, received_at, reason,
    event_id, level, release, host, pseudonym, message, tags, additions, cut, is_release_kept, has_others)
  select s.id, ${value("stack_trace")}, ${value("previous_exceptions")}, ${FACTS.map(value).join(", ")},
    ${value("runtime_name")}, ${value("runtime_version")}, ${value("framework_name")}, ${value("framework_version")},
    ${value("context")},
    ${furtherEvents ? "i.id" : "nextval('error_events_id_seq')"}, s.at,
    case when ${value("is_only_counted")} = 1 then 0 ${REASONS} else 0 end,
    ${value("event_id")}::uuid, ${value("level")}, ${value("last_release")}, ${value("host")}, ${value("pseudonym")},
    ${value("message")}, ${value("tags")}::jsonb, ${value("additions")}, ${value("cut")}::jsonb,
    ${value("is_release_kept")} = 1, ${value("has_others")} = 1
  from seen s${furtherEvents ? " join numbered i on i.n = s.n and i.place is null" : ""}
  on conflict (group_id) do update set
    ${REPLACED}
)`;

const COLUMNS = [
  ...FACTS,
  "runtime_name",
  "runtime_version",
  "framework_name",
  "framework_version",
  "context",
  "event",
  "received_at",
  "reason",
  "event_id",
  "level",
  "release",
  "host",
  "pseudonym",
  "message",
  "tags",
  "additions",
  "cut",
  "is_release_kept",
  "has_others",
];

/** For `set`: the columns of the newest event of a group. */
const REPLACED = `
    -- Most repeats have the same text. Keeping the old value avoids rewriting it in the TOAST table.
    stack_trace = case when d.stack_trace = excluded.stack_trace then d.stack_trace else excluded.stack_trace end,
    previous_exceptions = case when d.previous_exceptions = excluded.previous_exceptions
      then d.previous_exceptions else excluded.previous_exceptions end,
    ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(",\n    ")},
    has_feedback = false`;
