import { sql } from "kysely";
import { MAX_NEAR, MAX_NEAR_CANDIDATES, type Grouping } from "../../../shared/error-grouping.ts";
import type { Db } from "../../db/connect.ts";
import { differingLine } from "./differing-line.ts";
import { explainRule } from "./explain-rule.ts";

/** The most bytes of stack traces and frames to compare. */
const MAX_BYTES = 8 * 1_048_576;

type Group = { id: number; project_id: number; environment: string; exception_class: string };
type Candidate = {
  id: number;
  key: string;
  stack_trace: string;
  additions: string | null;
  exception_class: string;
  latest_message: string;
  occurrence_count: number;
};

/**
 * The groups of the same class and environment whose trace differs from `lines` in one line. Compares only the newest groups
 * of the class, which bounds the time however many groups the project has.
 */
export async function nearGroups(
  db: Db,
  group: Group,
  lines: string[],
): Promise<Pick<Grouping, "near" | "near_groups">> {
  const near: Grouping["near"] = [];
  const near_groups: Grouping["near_groups"] = [];
  for (const { key, stack_trace, additions, ...candidate } of await candidates(db, group)) {
    const { project_id, environment, exception_class } = group;
    const traced = {
      project_id,
      environment,
      classes: [exception_class],
      stack_trace,
      additions,
      keys: [key],
    };
    const explained = explainRule(traced, []);
    const difference = differingLine(lines, countedLines(explained.lines));
    if (difference === undefined) continue;
    near.push({ error_group_id: candidate.id, differs_in: difference });
    near_groups.push(candidate);
    if (near.length === MAX_NEAR) break;
  }
  return { near, near_groups };
}

export const countedLines = (lines: Grouping["lines"]): string[] =>
  lines.map(({ normalized }) => normalized).filter((line) => line !== "");

async function candidates(db: Db, group: Group): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select id, key, stack_trace, additions, exception_class, latest_message, occurrence_count from (
      select g.id, encode(g.key, 'hex') as key, d.stack_trace, d.additions, g.exception_class,
        left(g.latest_message, 255) as latest_message, g.occurrence_count,
        sum(octet_length(d.stack_trace) + coalesce(octet_length(d.additions), 0)) over (order by g.id desc) as bytes
      from (
        select group_id from error_group_classes
        where project_id = ${group.project_id}
          and hashtextextended(exception_class, 0) = hashtextextended(${group.exception_class}, 0)
          and exception_class = ${group.exception_class}
        order by group_id desc limit ${MAX_NEAR_CANDIDATES}
      ) c
      join error_groups g on g.id = c.group_id
      join error_group_details d on d.group_id = g.id
      where g.environment = ${group.environment} and g.id <> ${group.id}
    ) newest
    where bytes <= ${MAX_BYTES} order by id desc`.execute(db);
  return rows;
}
