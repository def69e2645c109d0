import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Deletion } from "../../src/shared/deletions.ts";
import type { Db } from "../../src/server/db/connect.ts";
import { openBoard } from "./board.ts";
import { anEvent } from "./error-events.ts";
import { fillErrorTables } from "./fill-error-tables.ts";
import { makeNotification } from "./inbox.ts";
import { makeMember, makeProjectToken, makeTeam, type TestUser } from "./make.ts";
import { upload } from "./multipart.ts";
import type { Client } from "./client.ts";
import type { TestApp } from "./test-app.ts";

/** A project with a bit of everything, and a member who is notified of it. */
export async function fillProject(t: TestApp, workspace: { id: number; admin: TestUser }) {
  const board = await openBoard(t, workspace);
  const member = await makeMember(t.db, board.id);
  await makeTeam(t.db, workspace.id, { members: [await makeMember(t.db, board.id)], projects: [board] });
  const token = await makeProjectToken(t.db, board.id, workspace.admin.id);
  const epic = await board.epic();
  const blocker = await board.make();
  const issue = await board.make({
    title: `Unmistakable ${board.key}`,
    assignee_id: member.id,
    epic_id: epic,
    sprint_id: await board.sprint(),
    label_ids: [await board.label()],
    blocked_by_ids: [blocker.id],
  });
  const comment = await board.admin.post(`${board.issues}/${issue.id}/comments`, { content: "A remark" });
  await board.admin.post(`${board.issues}/${issue.id}/comments`, {
    content: "A reply",
    parent_id: comment.body.id,
  });
  await board.admin.post(`${board.issues}/${issue.id}/comments/${comment.body.id}/like`);
  const report = await board.admin.post(`${board.url}/reports`, { title: "Slow", description: "Very" });
  const attached = await upload(board.admin, `${board.url}/reports/${report.body.id}/attachments`, [
    { name: "file", filename: "notes.txt", content: "What happened" },
  ]);
  assert.equal(attached.status, 201, attached.text);
  const promoted = await board.admin.post(`${board.url}/reports/promote`, {
    report_ids: [report.body.id],
    title: "Promoted",
    description: "It is slow",
  });
  assert.equal(promoted.status, 200, promoted.text);
  const app = t.http.as(token);
  for (const user_hash of ["a", "b"].map((one) => one.repeat(64)))
    assert.equal(
      (await app.post(`${board.url}/error-events`, anEvent({ user_hash, host: "web-1", release: "1.0" })))
        .status,
      202,
    );
  await fillErrorTables(t.db, board.id, member.id);
  await makeNotification(t.db, member, {
    workspace_id: workspace.id,
    project_id: board.id,
    issue: { id: issue.id, key: issue.key, title: issue.title },
  });
  return { board, member, token, issue };
}

/**
 * The number of rows with the project's id, of all tables that have any. Usage is written a moment after the events, and a job deletes
 * rows of `open_counts` whose sums are 0.
 */
export async function rowsOf(db: Db, projectId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'project_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('changes', 'deletions', 'project_usage', 'open_counts')`.execute(db);
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) from ${sql.table(name)} where project_id = ${projectId}`.execute(db);
    if (counted[0]?.count) found[name] = counted[0].count;
  }
  return found;
}

/** The only deletion that the client can see. */
export async function onlyDeletion(client: Client): Promise<Deletion> {
  const { status, body } = await client.get("/api/deletions");
  assert.equal(status, 200);
  assert.equal(body.data.length, 1);
  return body.data[0];
}
