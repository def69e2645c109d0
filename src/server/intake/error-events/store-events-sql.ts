import { ALIASES_ARE_CURRENT } from "./statement/aliases.ts";
import { ACTIVITY } from "./statement/activity.ts";
import { numberParameters, type Numbered } from "./statement/columns.ts";
import { DETAILS } from "./statement/details.ts";
import { EVENT_IDS } from "./statement/event-ids.ts";
import { GROUPS } from "./statement/groups.ts";
import { HOSTS } from "./statement/hosts.ts";
import { FIRST_EVENTS, KEPT_EVENTS, NEWEST_EVENTS } from "./statement/kept-events.ts";
import { NOTICES } from "./statement/notices.ts";
import { PROJECT_RELEASES } from "./statement/project-releases.ts";
import { RELEASES } from "./statement/releases.ts";
import { ROW_COUNTS } from "./statement/row-counts.ts";
import { USERS } from "./statement/users.ts";

/** Read later by the job that reopens issues, so that storing does not wait for an issue that is being edited. */
const REGRESSIONS = `
regressions as (
  insert into issue_regressions (group_id, release, regressed_at)
  select g.id, g.regressed_release, g.last_seen_at
  from groups g join projects p on p.id = g.project_id and p.regression_reopens
  where g.is_regressed and g.linked_issue_id is not null
)`;

/** What a batch contains besides the newest event of each group. Most batches contain none of it. */
type Contents = { furtherEvents: boolean; eventIds: boolean; aliases: boolean };

/**
 * Stores a batch of events in one statement. Its parameters are listed in `statement/columns.ts`; each part of the
 * statement is one or more common table expressions and says what it reads and provides. Parts without rows are left out,
 * because PostgreSQL prepares every part for each batch.
 *
 * The lock on a group's row covers all rows that belong to it. The time of an event is the database's clock, but always
 * later than the group's last event. The batch that gets the lock last is therefore the latest, both in time and in content.
 */
function storeEventsSql({ furtherEvents, eventIds, aliases }: Contents): string {
  const parts = [
    GROUPS,
    furtherEvents ? KEPT_EVENTS : NEWEST_EVENTS,
    DETAILS,
    RELEASES,
    HOSTS,
    USERS,
    ROW_COUNTS,
    PROJECT_RELEASES,
    ...(eventIds ? [EVENT_IDS] : []),
    ACTIVITY,
    NOTICES,
    REGRESSIONS,
  ];
  const kept = furtherEvents ? " + (select count(*) from further f where f.n = seen.n)" : "";
  return `
with ${parts.map((part) => part.trim()).join(",\n")}
select n, id, project_id, is_new, is_regressed, occurrence_count - count_before as stored, is_kept::int${kept} as kept,
  occurrence_count >= ${FIRST_EVENTS} as is_past_first
from seen${aliases ? ` where ${ALIASES_ARE_CURRENT.trim()}` : ""}`;
}

const statements = new Map<string, Numbered & { name: string }>();

/** The statement for such a batch, under the name by which each connection prepares it once. */
export function storeEventsStatement(contents: Contents): Numbered & { name: string } {
  const { furtherEvents, eventIds, aliases } = contents;
  const name = `store-events${furtherEvents ? "-further" : ""}${eventIds ? "-ids" : ""}${aliases ? "-aliases" : ""}`;
  let statement = statements.get(name);
  if (!statement) {
    statement = { name, ...numberParameters(storeEventsSql(contents)) };
    statements.set(name, statement);
  }
  return statement;
}
