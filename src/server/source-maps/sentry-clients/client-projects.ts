import { sql } from "kysely";
import { projectsWhere } from "../../access/access-queries.ts";
import type { Authority } from "../../access/authority.ts";
import type { Caller } from "../../access/caller.ts";
import type { ProjectAccess } from "../../access/project-access.ts";
import { refusalOf, type RouteNeeds } from "../../access/refusal.ts";
import { badRequest, notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

export type ClientProject = ProjectAccess["project"];

/** What a caller needs in each project that a request is about. */
const NEEDS: RouteNeeds = {
  needs: "error-groups:update",
  feature: "error_tracking",
  projectToken: "read_write",
  area: "errors",
  reads: false,
};

const MAX_PROJECTS = 20;

type Asked = { authority: Authority; caller: Caller };

/**
 * The projects that a request names by key or id, if the caller may upload to all of them; the token's own if it names none. 403 for any
 * other project than the token's own, 404 for one that does not exist, 400 if a personal token's request names none.
 */
export async function clientProjects(
  { authority, caller }: Asked,
  named: readonly (string | number)[] | undefined,
): Promise<ClientProject[]> {
  const own = caller.kind === "project" ? [caller.project_id] : [];
  const refs = [...new Set((named?.length ? named : own).map(String))];
  if (refs.length === 0) throw badRequest("projects is required, unless the token is one of a project.");
  if (refs.length > MAX_PROJECTS) throw badRequest(`projects must name at most ${MAX_PROJECTS} projects.`);
  const projects: ClientProject[] = [];
  for (const ref of refs) {
    const found = await authority.project(ref, caller.user_id);
    if (!found) throw notFound(`There is no project ${ref}.`);
    const refusal = refusalOf(caller, found, NEEDS);
    if (refusal) throw refusal;
    projects.push(found.project);
  }
  return [...new Map(projects.map((project) => [project.id, project])).values()];
}

/**
 * The projects for a request that names a release but no project: the token's own, or those of a personal token's user that have the
 * release and that the user may change. 404 if there is none.
 */
export async function projectsWithRelease(asked: Asked, db: Db, version: string): Promise<ClientProject[]> {
  const { caller } = asked;
  if (caller.kind === "project") return clientProjects(asked, undefined);
  const { rows } = await sql<ClientProject>`
    select p.id, p.workspace_id, p.key from releases r join projects p on p.id = r.project_id
    where r.version_hash = sha256(convert_to(${version}, 'UTF8'))
      and r.project_id in (${projectsWhere(caller, "error-groups:update", "error_tracking")})
    order by p.id limit ${sql.lit(MAX_PROJECTS)}`.execute(db);
  if (rows.length === 0) throw notFound("There is no such release.");
  return rows;
}
