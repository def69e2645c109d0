import { sql } from "kysely";
import { ERROR_REGRESSED, NEW_ERROR, SNOOZE_ENDED, SPIKE } from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";
import { shorten } from "../../inform/notify/message-parts.ts";
import { nameError, type NotifiedGroup, type NotifiedProject } from "../../inform/notify/notified-groups.ts";
import type { GroupOccasion } from "../../inform/notify/queue-group-notices.ts";

/** Something that happened to a group without a user's action. */
export type Occasion = GroupOccasion | { group_id: number; type: typeof NEW_ERROR; details: object };

/** What each type of occasion means for rules and for webhooks. */
export const MEANING = {
  [NEW_ERROR]: { kind: "new_group", event: "error_group.created" },
  [ERROR_REGRESSED]: { kind: "regression", event: "error_group.regressed" },
  [SPIKE]: { kind: "spike", event: "error_group.spiking" },
  [SNOOZE_ENDED]: { kind: "snooze_ended", event: "error_group.reopened" },
} as const;

/** Occasions of each origin per transaction. */
const AT_ONCE = 200;

/** Takes the next occasions: new groups first, then the others in their order. */
export async function takeOccasions(tx: Tx): Promise<Occasion[]> {
  const { rows } = await sql<Occasion>`
    with created as (
      delete from new_error_groups where error_group_id in (
        select error_group_id from new_error_groups order by error_group_id limit ${AT_ONCE} for update skip locked)
      returning error_group_id as group_id
    ), happened as (
      delete from error_group_notices where id in (
        select id from error_group_notices order by id limit ${AT_ONCE} for update skip locked)
      returning id, group_id, type, details
    )
    select group_id, type, details from (
      select 0 as id, group_id, ${NEW_ERROR}::smallint as type, '{}'::jsonb as details from created
      union all select id, group_id, type, details from happened
    ) occasion order by id, group_id`.execute(tx);
  return rows;
}

/** A sentence without its final period. */
export function describeOccasion(occasion: Occasion, group: NotifiedGroup, project: NotifiedProject): string {
  const error = nameError(group);
  const capitalized = `T${error.slice(1)}`;
  switch (occasion.type) {
    case NEW_ERROR:
      return `New error ${shorten(group.exception_class)} in ${shorten(project.name)}`;
    case ERROR_REGRESSED: {
      const { release } = occasion.details;
      return `${capitalized} came back${release === null ? "" : ` in ${shorten(release)}`}`;
    }
    case SNOOZE_ENDED:
      return `The snooze of ${error} ended`;
    case SPIKE: {
      const { events, usual } = occasion.details;
      const usually = Math.round(usual) < 1 ? "less than one" : Math.round(usual).toLocaleString("en");
      return `${capitalized} is spiking: ${events.toLocaleString("en")} events in 10 minutes, usually ${usually}`;
    }
  }
}
