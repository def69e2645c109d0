import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openSearched } from "../../../test/support/search.ts";
import { makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { SearchHit } from "../../shared/search.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const first = await openSearched(t, workspace);

/** 120 further projects with issues, epics and comments, one of which in ten is about wrens and one in twenty about both birds. */
await sql`
  with made as (
    insert into projects (workspace_id, key, name) select ${workspace.id}, 'WREN' || n, n from generate_series(1, 120) n
    returning id, name::int as n
  ), lane as (
    insert into lanes (project_id, name, kind, position) select id, 'To do', 'todo', 0 from made returning id, project_id
  ), issue as (
    insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select made.id, i, case when (made.n + i) % 10 = 0 then 'Wren ' else 'Owl ' end
      || case when (made.n + i) % 20 = 0 then 'dipper' else '' end, 0, 2, lane.id, lpad(i::text, 5, '0')
    from made join lane on lane.project_id = made.id cross join generate_series(1, 12) i order by i, made.id
    returning id, project_id, title
  ), epic as (
    insert into epics (project_id, title, created_by)
    select id, case when n % 10 = 0 then 'Wren' else 'Owl' end, ${first.adminId} from made
  )
  insert into comments (project_id, issue_id, user_id, content)
  select project_id, id, ${first.adminId}, title from issue where id % 12 = 0`.execute(t.db);
await sql`analyze`.execute(t.db);

const find = async (query: string, kind: string): Promise<number[]> => {
  const { body } = await first.admin.get(`/api/search?query=${query}&kind=${kind}&limit=50`);
  return body.data.map(({ id }: SearchHit) => id);
};
const newest = async (table: "issues" | "epics" | "comments", pattern: string): Promise<number[]> => {
  const text = sql.ref(table === "comments" ? "content" : "title");
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} t join projects p on p.id = t.project_id
    where p.workspace_id = ${workspace.id} and ${text} ilike ${pattern} order by t.id desc limit 50`.execute(
    t.db,
  );
  return rows.map(({ id }) => id);
};
const check = async () => {
  const byId = (ids: number[]) => ids.toSorted((a, b) => b - a);
  assert.deepEqual(byId(await find("wren", "issue")), await newest("issues", "%wren%"));
  assert.deepEqual(byId(await find("wren dipper", "issue")), await newest("issues", "%wren%dipper%"));
  assert.deepEqual(await find("wren owl", "issue"), []);
  assert.deepEqual(byId(await find("wren", "epic")), await newest("epics", "%wren%"));
  assert.deepEqual(byId(await find("dipper", "comment")), await newest("comments", "%dipper%"));
};

test("a search in more than a hundred projects finds the newest matches of all of them", check);

test("a search in many projects finds the same if other workspaces have all of the newest issues", async () => {
  const other = await openSearched(t, await makeWorkspace(t.db));
  const { lane_id } = await other.make({ title: "Wren" });
  await sql`insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select ${other.id}, 100 + n, 'Wren dipper', 0, 2, ${lane_id}, 'x' || lpad(n::text, 6, '0')
    from generate_series(1, 3500) n`.execute(t.db);
  await check();
});
