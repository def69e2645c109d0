import { sql, type RawBuilder } from "kysely";
import type { SearchKind, SearchQuery } from "../../shared/search.ts";

export type HitFilters = { [filter in "state" | "author_id"]?: SearchQuery[filter] };

/** Error groups and projects have no author, and projects have no state: with such a filter they are not searched. */
export const isFilteredOut = (kind: SearchKind, { state, author_id }: HitFilters): boolean =>
  (author_id !== undefined && (kind === "error_group" || kind === "project")) ||
  (state !== undefined && kind === "project");

/** The condition on an issue `i`. */
export const issueFilter = ({ state, author_id }: HitFilters): RawBuilder<unknown> =>
  sql`${closedIs(state, sql`i.closed_at is not null`)} ${author(sql`i.created_by`, author_id)}`;

export const epicFilter = ({ state, author_id }: HitFilters): RawBuilder<unknown> =>
  sql`${closedIs(state, sql`t.state = 'done'`)} ${author(sql`t.created_by`, author_id)}`;

export const reportFilter = ({ state, author_id }: HitFilters): RawBuilder<unknown> =>
  sql`${closedIs(state, sql`(t.promoted_at is not null or t.dismissed_at is not null)`)}
    ${author(sql`t.created_by`, author_id)}`;

export const errorGroupFilter = ({ state }: HitFilters): RawBuilder<unknown> =>
  closedIs(state, sql`g.status <> 0`);

/** The condition on a comment `c`: what it is on has the state. */
export const commentFilter = (
  kind: keyof typeof CLOSED_TARGETS,
  { state, author_id }: HitFilters,
): RawBuilder<unknown> => sql`${closedIs(state, CLOSED_TARGETS[kind])} ${author(sql`c.user_id`, author_id)}`;

const CLOSED_TARGETS = {
  issue: sql`exists (select from issues i where i.id = c.issue_id and i.closed_at is not null)`,
  epic: sql`exists (select from epics e where e.id = c.epic_id and e.state = 'done')`,
  error_group: sql`exists (select from error_groups g where g.id = c.error_group_id and g.status <> 0)`,
  report: sql`exists (select from reports r where r.id = c.report_id
    and (r.promoted_at is not null or r.dismissed_at is not null))`,
};

/** Empty without a filter, so that the statement of a plain search stays short. */
function closedIs(state: HitFilters["state"], isClosed: RawBuilder<unknown>): RawBuilder<unknown> {
  if (state === undefined) return sql``;
  return state === "closed" ? sql`and ${isClosed}` : sql`and not ${isClosed}`;
}

const author = (column: RawBuilder<unknown>, authorId: number | undefined): RawBuilder<unknown> =>
  authorId === undefined ? sql`` : sql`and ${column} = ${authorId}`;
