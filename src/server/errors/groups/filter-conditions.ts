import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupFilters } from "../../../shared/error-groups.ts";
import { hasText } from "./groups-with-text.ts";

/** The conditions on groups `g` for all filters except `tag`. `callerId` is the assignee that `me` stands for. */
export function filterConditions(
  filters: Omit<ErrorGroupFilters, "project_id" | "tag">,
  callerId: number,
): RawBuilder<unknown> {
  const { ids, environment, release, query, status, assignee_id, level, regressed, first_release } = filters;
  return sql.join(
    [
      sql``,
      ...(ids === undefined ? [] : [sql`and g.id = any(${ids}::bigint[])`]),
      ...(environment === undefined ? [] : [sql`and g.environment = ${environment}`]),
      ...(status === undefined ? [] : [sql`and g.status = ${status}`]),
      // A literal, so that PostgreSQL can use the index of the groups whose level is not `error`.
      ...(level === undefined ? [] : [sql`and g.level = ${sql.lit(level)}`]),
      ...(regressed === undefined
        ? []
        : [
            regressed
              ? sql`and g.status = 0 and g.regressed_at is not null`
              : sql`and g.regressed_at is null`,
          ]),
      ...(first_release === undefined
        ? []
        : [
            sql`and hashtextextended(g.release, 0) = hashtextextended(${first_release}, 0)
              and g.release = ${first_release}`,
          ]),
      ...(assignee_id === undefined ? [] : [assignedTo(assignee_id === "me" ? callerId : assignee_id)]),
      ...(query === undefined ? [] : [sql`and ${hasText(query)}`]),
      ...(release === undefined
        ? []
        : [
            sql`and exists (select from error_group_releases r where r.group_id = g.id
              and r.release_hash = sha256(convert_to(${release}, 'UTF8')))`,
          ]),
    ],
    sql` `,
  );
}

const assignedTo = (userId: number | null) =>
  userId === null ? sql`and g.assignee_id is null` : sql`and g.assignee_id = ${userId}`;
