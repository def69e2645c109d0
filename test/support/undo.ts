import { sql } from "kysely";
import type { Client } from "./client.ts";
import type { TestUser } from "./make.ts";
import { openProject, type TestProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

export const BULK_STATUS = "/api/error-groups/bulk-status";

export const undo = (client: Client, change_id: string) =>
  client.post("/api/error-groups/undo", { change_id });

/** Everything that shows the state of a project's groups. */
export async function readState(t: TestApp, project: TestProject) {
  const get = async (path: string) => (await project.admin.get(path)).body;
  const { data } = await get(project.groups);
  const groups = [];
  for (const { id } of data) {
    const { updated_at: _, ...group } = await get(`${project.groups}/${id}`);
    groups.push({
      ...group,
      activity: await get(`${project.groups}/${id}/activity`),
      watch: await get(`${project.groups}/${id}/watch`),
    });
  }
  const { rows } = await sql`
    select id, status, resolved_release, resolved_after_release, resolved_by_issue_id, regressed_release, snooze_ends_at,
      snooze_ends_count, snooze_users
    from error_groups where project_id = ${project.id} order by id`.execute(t.db);
  const { data: releases } = await get(`/api/projects/${project.id}/releases`);
  return { groups, rows, releases };
}

/** A group that an event of 1.1.0 opened again. */
export async function openRegressed(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
): Promise<{ project: TestProject; id: number }> {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  await project.admin.post(`${project.groups}/${id}/resolve`);
  await project.send({ release: "1.1.0" });
  return { project, id };
}
