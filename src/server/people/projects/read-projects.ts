import { sql } from "kysely";
import { DONE_MESSAGE, DONE_SUBJECT } from "../../../shared/feedback.ts";
import { PERMISSIONS, type Permission } from "../../../shared/permissions.ts";
import type { Project, ProjectDetail } from "../../../shared/projects.ts";
import { maskSentryDsn } from "../../../shared/sentry-dsn.ts";
import { accessibleProjects, grantsOf } from "../../access/access-queries.ts";
import type { Caller } from "../../access/caller.ts";
import { featuresOfW } from "../../access/features.ts";
import { forToken, scopeOf } from "../../access/token-limits.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";
import { noSuchProject } from "./lock-project.ts";

/** The projects of all workspaces that the caller can access. Administrators see every project of their workspace. */
export function listProjects(
  db: Db,
  caller: Caller,
  publicUrl: string,
  query: PageQuery,
): Promise<Page<Project>> {
  const projects = projectsOf(db, caller.user_id, publicUrl, permissionsOf(caller)).where(
    sql<boolean>`${forToken(caller, sql`p.id`)}`,
  );
  return readPage(projects, query, "p.id");
}

/** The project as this user sees it. 404 if they cannot access it. */
export async function readProject(
  db: Db,
  projectId: number,
  userId: number,
  publicUrl: string,
): Promise<ProjectDetail> {
  const row = await projectsOf(db, userId, publicUrl)
    .select(["p.code_owners", "p.forward_dsn"])
    .where("p.id", "=", projectId)
    .executeTakeFirst();
  if (!row) throw noSuchProject();
  const { forward_dsn } = row;
  const isShown = forward_dsn !== null && row.permissions.includes("project:update");
  return { ...row, forward_dsn: isShown ? maskSentryDsn(forward_dsn) : null };
}

const permissionsOf = (caller: Caller): readonly Permission[] =>
  PERMISSIONS.filter((permission) => scopeOf(caller)?.permissions.has(permission) ?? true);

/** With those of the user's permissions that are in `permissions`. */
function projectsOf(
  db: Db,
  userId: number,
  publicUrl: string,
  permissions: readonly Permission[] = PERMISSIONS,
) {
  const allPermissions = sql`${[...permissions]}::text[]`;
  return db
    .selectFrom("projects as p")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .leftJoin("project_members as pm", (on) =>
      on.onRef("pm.project_id", "=", "p.id").on("pm.user_id", "=", userId),
    )
    .where(sql<boolean>`p.id in (${accessibleProjects(userId)})`)
    .select(["p.id", "p.workspace_id", "p.key", "p.name", "p.description"])
    .select([
      featuresOfW.as("features"),
      sql<Project["lifecycle"]>`json_build_object('close_resolves', p.close_resolves,
        'regression_reopens', p.regression_reopens, 'ship_tells_reporters', p.ship_tells_reporters)`.as(
        "lifecycle",
      ),
      sql<Project["spike"]>`json_build_object('events', p.spike_events, 'times', p.spike_times)`.as("spike"),
      sql<Project["feedback"]>`json_build_object('public_form', p.form_key is not null,
        'form_url', ${`${publicUrl}/f/`}::text || p.form_key, 'done_message', coalesce(p.done_message, ${DONE_MESSAGE}),
        'done_subject', coalesce(p.done_subject, ${DONE_SUBJECT}))`.as("feedback"),
      sql<boolean>`coalesce(pm.is_owner, false)`.as("is_owner"),
      sql<string[]>`(
        select array(select one from unnest(${allPermissions}) as one where g.is_all or one = any(g.permissions))
        from (${grantsOf(userId)}) g)`.as("permissions"),
    ])
    .select([
      "p.keep_vars",
      "p.keep_debug_events",
      "p.group_by_mapped_frames",
      "p.repository_url_pattern",
      "p.created_at",
      "p.updated_at",
    ]);
}
