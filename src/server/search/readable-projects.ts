import { sql, type RawBuilder } from "kysely";
import { MANY_PROJECTS } from "../access/first-of-projects.ts";
import { accessThrough, readerOfProjects } from "../access/project-access.ts";
import type { Caller } from "../access/caller.ts";
import { isForProject } from "../access/token-limits.ts";
import { mayProjectTokenRead, mayRead, type ReadableKind } from "../access/readable-kinds.ts";
import type { Db } from "../db/connect.ts";

/** Ids of the projects in which the caller may read each kind. Monitors are not searched. */
export type ReadableProjects = Record<Exclude<ReadableKind, "monitor">, number[]>;

/**
 * The projects to search for each kind. Read before the search rather than joined to it, so that PostgreSQL plans the
 * search for these projects.
 */
export async function readableProjects(
  db: Db,
  caller: Caller,
  projectId: number | undefined,
): Promise<ReadableProjects> {
  const readers = (await readerOfProjects(db, caller.user_id, projectId)).filter(
    ({ project_id }) => isForProject(caller, project_id) && (caller.kind !== "project" || caller.active),
  );
  const idsFor = (kind: ReadableKind) =>
    caller.kind === "project" && !mayProjectTokenRead(kind)
      ? []
      : readers
          .filter(({ access, features }) =>
            mayRead({ access: accessThrough(caller, access), features }, kind),
          )
          .map(({ project_id }) => project_id);
  return {
    issue: idsFor("issue"),
    epic: idsFor("epic"),
    report: idsFor("report"),
    error_group: idsFor("error_group"),
    release: idsFor("release"),
    project: idsFor("project"),
  };
}

/**
 * The condition that a column is one of the projects. For a few projects, PostgreSQL estimates how many rows match. For
 * a thousand, the estimate would take longer than the search, so this form makes it assume half of the rows.
 */
export function isIn(column: RawBuilder<unknown>, ids: number[]): RawBuilder<unknown> {
  const isOne = sql`${column} = any(${ids}::bigint[])`;
  return ids.length < MANY_PROJECTS ? isOne : sql`case when ${isOne} then true else false end`;
}
