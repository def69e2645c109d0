import { ALIASES_ARE_CURRENT } from "./statement/aliases.ts";
import { at, numberParameters, sent, type Columns, type Numbered } from "./statement/columns.ts";
import { details } from "./statement/details.ts";
import { ACTIVITY, NOTICES, REGRESSIONS } from "./statement/group-changes.ts";
import { GROUPS } from "./statement/groups.ts";
import { hosts, releases, ROW_COUNTS, users } from "./statement/counted-rows.ts";
import { FIRST_EVENTS, KEPT_EVENTS, REPLACED_BYTES } from "./statement/kept-events.ts";
import { ONE_EVENT, type OneEvent } from "./statement/one-event.ts";
import { OPEN_GROUPS } from "./statement/open-groups.ts";
import { PROJECT_RELEASES, RELEASE_EVENTS } from "./statement/project-releases.ts";

/**
 * Inserts the ids of the events with their groups. A duplicate id fails the statement, and `without-duplicates.ts` then
 * removes the event, so that events with new ids need no other query. Reads `seen`: the groups are locked first, so two
 * batches with the same ids cannot deadlock.
 */
const EVENT_IDS = `
event_ids as (
  insert into error_event_ids (project_id, event_id, group_id, received_at)
  select s.project_id, c.event_id::uuid, s.id, s.at
  from ${sent("batch_event_ids", "c")} join seen s using (n)
  order by s.project_id, c.event_id
)`;

/** The SQLSTATE of a batch whose groups differ from what this process has cached. */
export const UNEXPECTED_CHANGES = "SB002";

/** A cached group was deleted or split off and created again, so the batch lacks first events that must be kept. */
const BEGINS_ANEW = `
exists (select from seen s where s.count_before < ${FIRST_EVENTS} and ${at("omits_first_events", "s.n + 1")} = 1)`;

/** True if the parts for known groups are not enough: a group is new, not open or full, or a release is new. */
const HAS_CHANGES = `
(select bool_or(is_new or status <> 0 or releases or hosts or users) from seen)
  or exists (select from known_releases where first_seen_at is null)
  or ${BEGINS_ANEW.trim()}`;

/** Which statement stores a batch. */
type Contents = {
  /** Whether more events than the newest one of each group may be kept. */
  furtherEvents: boolean;
  /** Whether groups may be new, resolved, ignored or full, or releases new. If false, such a batch fails. */
  changes: boolean;
};

/**
 * Stores a batch of events in one statement. Its parameters are listed in `statement/columns.ts`; each part of the
 * statement is one or more common table expressions and says what it reads and provides. PostgreSQL prepares every part for
 * each batch, so expensive ones without rows are left out. Cheap ones stay, because each combination is another statement.
 *
 * The lock on a group's row protects all rows that belong to it. The time of an event is the database's clock, but always
 * later than the group's last event, so the batch that gets the lock last has both the latest time and the latest content.
 */
function storeEventsSql({ furtherEvents, changes }: Contents): string {
  const parts = [
    changes ? GROUPS : OPEN_GROUPS,
    ...(furtherEvents ? [KEPT_EVENTS] : []),
    details(furtherEvents),
    releases(changes),
    hosts(changes),
    users(changes),
    ROW_COUNTS,
    EVENT_IDS,
    ...(changes ? [PROJECT_RELEASES, ACTIVITY, NOTICES, REGRESSIONS] : [RELEASE_EVENTS]),
  ];
  const conditions = [
    ALIASES_ARE_CURRENT,
    `case when ${changes ? BEGINS_ANEW : HAS_CHANGES} then fail_for_unexpected_changes() else true end`,
  ];
  const kept = furtherEvents ? " + (select count(*) from further f where f.n = seen.n)" : "";
  return `
with ${parts.map((part) => part.trim()).join(",\n")}
select n, id, project_id, is_new, is_regressed, occurrence_count - count_before as stored, is_kept::int${kept} as kept,
  occurrence_count >= ${FIRST_EVENTS} as is_past_first,
  status = 0 and (releases or hosts or users) is not true as is_ordinary, ${REPLACED_BYTES} as replaced
from seen where ${conditions.join(" and ")}`;
}

/** A statement with a name, so that each connection prepares it only once. */
type Prepared<Values> = Numbered<Values> & { name: string };

const statementOf = (name: string, contents: Contents): Prepared<Columns> => ({
  name,
  ...numberParameters<Columns>(storeEventsSql(contents)),
});

const OPEN = statementOf("store-events", { furtherEvents: false, changes: false });
const OPEN_FURTHER = statementOf("store-events-further", { furtherEvents: true, changes: false });
const CHANGES = statementOf("store-events-changes", { furtherEvents: false, changes: true });
const CHANGES_FURTHER = statementOf("store-events-changes-further", { furtherEvents: true, changes: true });

export function storeEventsStatement({ furtherEvents, changes }: Contents): Prepared<Columns> {
  if (changes) return furtherEvents ? CHANGES_FURTHER : CHANGES;
  return furtherEvents ? OPEN_FURTHER : OPEN;
}

export const STORE_EVENT: Prepared<OneEvent> = { name: "store-event", ...numberParameters(ONE_EVENT) };
