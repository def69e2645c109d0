import { sql } from "kysely";
import { NEW_ERROR, type NotificationType } from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";
import { MAX_THING_TEXT } from "./describe-group.ts";
import { shorten } from "./message-parts.ts";

export type NotifiedProject = { id: number; workspace_id: number; key: string; name: string };

export type NotifiedGroup = { id: number; exception_class: string; message: string };

/**
 * The groups with these ids by project, in the order of the ids. Leaves out deleted projects, and projects whose workspace has
 * turned error tracking off.
 */
export async function readNotifiedGroups(
  tx: Tx,
  ids: number[],
): Promise<{ project: NotifiedProject; groups: Map<number, NotifiedGroup> }[]> {
  const { rows } = await sql<{ project: NotifiedProject; group: NotifiedGroup }>`
    select json_build_object('id', p.id, 'workspace_id', p.workspace_id, 'key', p.key, 'name', p.name) as project,
      json_build_object('id', g.id, 'exception_class', g.exception_class,
        'message', left(g.latest_message, ${sql.lit(MAX_THING_TEXT)})) as "group"
    from error_groups g
    join projects p on p.id = g.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.error_tracking_enabled
    where g.id = any(${ids}::bigint[]) order by g.id`.execute(tx);
  return [...Map.groupBy(rows, ({ project }) => project.id).values()].map((own) => ({
    project: (own[0] as (typeof own)[number]).project,
    groups: new Map(own.map(({ group }) => [group.id, group])),
  }));
}

export const nameError = ({ exception_class }: { exception_class: string }) =>
  `the error ${shorten(exception_class)}`;

/** The page that lists a project's errors, the newest first. */
const newErrorsPath = ({ key }: Pick<NotifiedProject, "key">): string =>
  `/projects/${key}/errors?sort=first_seen`;

/** The page that an entry is about. */
export function pathOfEntry(
  project: NotifiedProject,
  {
    type,
    group_id,
    report_id,
  }: { type: NotificationType; group_id: number | null; report_id: number | null },
): string {
  if (report_id !== null) return `/projects/${project.key}/reports/${report_id}`;
  if (group_id !== null) return `/projects/${project.key}/errors/${group_id}`;
  return type === NEW_ERROR ? newErrorsPath(project) : `/projects/${project.key}/errors`;
}
