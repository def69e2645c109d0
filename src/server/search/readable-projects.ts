import { sql } from "kysely";
import { accessibleProjects } from "../access/access-queries.ts";
import { projectReaders } from "../access/project-access.ts";
import type { Caller } from "../access/caller.ts";
import { mayProjectTokenRead, mayRead, type ReadableKind } from "../access/readable-kinds.ts";
import type { Db } from "../db/connect.ts";

/** Ids of the projects in which the caller may read each kind. */
export type ReadableProjects = Record<ReadableKind, number[]>;

/**
 * The projects to search for each kind. Read before the search rather than joined to it, so that PostgreSQL plans the
 * search for these projects.
 */
export async function readableProjects(
  db: Db,
  caller: Caller,
  projectId: number | undefined,
): Promise<ReadableProjects> {
  const accessible = await accessibleIds(db, caller, projectId);
  const readers = await projectReaders(db, accessible, [caller.user_id]);
  const idsFor = (kind: ReadableKind) =>
    caller.kind === "project" && !mayProjectTokenRead(kind)
      ? []
      : readers.filter((reader) => mayRead(reader, kind)).map(({ project_id }) => project_id);
  return {
    issue: idsFor("issue"),
    epic: idsFor("epic"),
    report: idsFor("report"),
    error_group: idsFor("error_group"),
    release: idsFor("release"),
    project: idsFor("project"),
  };
}

async function accessibleIds(db: Db, caller: Caller, projectId: number | undefined): Promise<number[]> {
  if (caller.kind === "project" && !caller.active) return [];
  const { rows } = await sql<{ id: number }>`
    select id from (${accessibleProjects(caller.user_id)}) accessible
    where (${projectId ?? null}::bigint is null or id = ${projectId ?? null})
      and (${caller.kind !== "project"} or id = ${caller.kind === "project" ? caller.project_id : null})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}
