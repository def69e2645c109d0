import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeMember, makePersonalToken, makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("all types and projects are counted, but only the 1,000 issues, reports, epics and errors with the most entries", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  const user = await makeMember(t.db, project.id);
  // Issues 1 to 30 have two entries each, the others one.
  await sql`
    insert into notifications (user_id, type, message, workspace_id, project_id, issue_id, issue_key, issue_title)
    select ${user.id}, 1 + entry, '', ${workspace.id}, ${project.id}, issue, 'KEY-' || issue, 'Title'
    from generate_series(1, 1100) issue cross join generate_series(1, case when issue <= 30 then 2 else 1 end) entry`.execute(
    t.db,
  );
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const { types, projects, things } = (await client.get("/api/notifications/unread-counts")).body;
  assert.deepEqual([types, projects], [{ 2: 1_100, 3: 30 }, { [project.id]: 1_130 }]);
  const counts = Object.entries<number>(things);
  assert.equal(counts.length, 1_000);
  assert.deepEqual(
    Object.fromEntries(counts.filter(([, count]) => count > 1)),
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`issue:${n + 1}`, 2])),
  );
});
