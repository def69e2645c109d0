import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { announce } from "../../record/live-changes.ts";

/** Announces the issues and error groups whose commits or requests have changed, and notes the event of the issues for webhooks. */
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
  for (const id of issueIds) noteChange(tx, { type: "issue.development_changed", kind: "issue", id });
}
