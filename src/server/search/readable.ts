import { sql } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import type { SearchKind } from "../../shared/search.ts";
import { accessibleProjects } from "../access/access-queries.ts";
import { holds, projectReaders } from "../access/project-access.ts";
import type { Feature } from "../access/features.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";

/** Ids of the projects in which the caller may read each kind; a comment is read with what it is on. */
export type Readable = Record<Exclude<SearchKind, "comment">, number[]>;

/**
 * Read before the search, so that it is planned for these very projects. A project token reads reports and error groups
 * of its project alone (decisions.md 6).
 */
export async function readableProjects(
  db: Db,
  caller: Caller,
  projectId: number | undefined,
): Promise<Readable> {
  const accessible = await idsOf(db, caller, projectId);
  const readers = await projectReaders(db, accessible, [caller.user_id]);
  const where = (permission: Permission, feature?: Feature) =>
    readers
      .filter(
        ({ access, features }) => holds(access, permission) && (feature === undefined || features[feature]),
      )
      .map(({ project_id }) => project_id);
  const isToken = caller.kind === "project";
  return {
    issue: isToken ? [] : where("issues:read"),
    epic: isToken ? [] : where("epics:read"),
    report: where("reports:read", "reports"),
    error_group: where("error-groups:read", "error_tracking"),
    project: isToken ? [] : accessible,
  };
}

async function idsOf(db: Db, caller: Caller, projectId: number | undefined): Promise<number[]> {
  if (caller.kind === "project" && !caller.active) return [];
  const { rows } = await sql<{ id: number }>`
    select id from (${accessibleProjects(caller.user_id)}) accessible
    where (${projectId ?? null}::bigint is null or id = ${projectId ?? null})
      and (${caller.kind !== "project"} or id = ${caller.kind === "project" ? caller.project_id : null})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}
