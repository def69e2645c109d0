import { sql } from "kysely";
import type { Issue } from "../../../shared/issues.ts";
import type { Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { queueWebhookEvents } from "../../record/webhook-events.ts";
import { issueColumns, withTasks } from "./read-issue.ts";

/** Announces the issues and error groups whose commits or requests have changed, and queues the webhook event of the issues. */
export async function announceDevelopment(tx: Tx, projectId: number, changeIds: number[]): Promise<void> {
  if (changeIds.length === 0) return;
  const { rows } = await sql<{ issue_id: number | null; group_id: number | null }>`
    select distinct issue_id, group_id from git_links where change_id = any(${changeIds}::bigint[])
    order by issue_id, group_id`.execute(tx);
  const issueIds = rows.flatMap(({ issue_id }) => issue_id ?? []);
  const groupIds = rows.flatMap(({ group_id }) => group_id ?? []);
  await announce(tx, [
    ...issueIds.map((id) => ({ kind: "issue" as const, project_id: projectId, id })),
    ...groupIds.map((id) => ({ kind: "error_group" as const, project_id: projectId, id })),
  ]);
  if (issueIds.length === 0) return;
  await queueWebhookEvents(tx, { projectId, actorId: null }, async () => {
    const issues = await sql<Omit<Issue, "tasks">>`
      select ${issueColumns(0)} from issues i join projects p on p.id = i.project_id
      where i.id = any(${issueIds}::bigint[]) order by i.id`.execute(tx);
    return issues.rows.map((row) => {
      const { watching: _, ...data } = withTasks(row);
      return { type: "issue.development_changed" as const, kind: "issue" as const, id: row.id, data };
    });
  });
}
