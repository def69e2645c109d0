import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { waitUntil } from "../../../../test/support/eventually.ts";
import { fillErrorTables } from "../../../../test/support/fill-error-tables.ts";
import { makeNotification } from "../../../../test/support/inbox.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeRole,
  makeTeam,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { collectRoutes } from "../../../../test/support/routes.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import type { Deletion } from "../../../shared/deletions.ts";
import { openPool } from "../../db/connect.ts";
import { removeDeletedFiles } from "../../files/storage/remove-deleted-files.ts";
import { queueErrorDigests } from "../../inform/notify/error-digest.ts";
import { notifyOfErrors } from "../../inform/notify/notify-of-errors.ts";
import { renumberLongQueues } from "../../intake/reports/queue.ts";
import { renumberLongLanes } from "../../work/issues/renumber-lanes.ts";
import { deleteHiddenRows, deleteNextBatch } from "./delete-batches.ts";

const [t, routes] = await collectRoutes(() => openTestApp());
after(() => t.close());

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const runJob = () => deleteHiddenRows(t.database.pool, new AbortController().signal);

/** Its connections end after a batch has deleted rows, before the transaction commits. */
const killed = openPool({ ...t.database, onError: () => {}, name: "killed", max: 1, settings: {} });
after(() => killed.end());
await sql`create function kill() returns trigger language plpgsql as
  'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return new; end'`.execute(
  t.db,
);
await sql`create trigger kill before update on deletions for each row
  when (current_setting('application_name') = 'killed') execute function kill()`.execute(t.db);

/** A project with a bit of everything, and a member who is notified of it. */
async function fillProject(workspace: { id: number; admin: TestUser }) {
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

/** The number of rows with the project's id, of all tables that have any. Usage is written a moment after the events. */
async function rowsOf(projectId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'project_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('changes', 'deletions', 'project_usage')`.execute(t.db);
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) from ${sql.table(name)} where project_id = ${projectId}`.execute(t.db);
    if (counted[0]?.count) found[name] = counted[0].count;
  }
  return found;
}

async function onlyDeletion(client: Awaited<ReturnType<typeof as>>): Promise<Deletion> {
  const { status, body } = await client.get("/api/deletions");
  assert.equal(status, 200);
  assert.equal(body.data.length, 1);
  return body.data[0];
}

test("a deleted project is gone at once, on every route and in every list", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board, member, token, issue } = await fillProject(workspace);
  const admin = await as(workspace.admin);
  const mine = await as(member);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const invited = await admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: "new@example.com",
    projects: [{ project_id: board.id, role_id }],
  });
  assert.equal(invited.status, 201, invited.text);
  assert.equal((await mine.get("/api/notifications/unread-count")).body.count > 0, true);

  const deleted = await admin.delete(board.url);
  assert.equal(deleted.status, 202, deleted.text);
  assert.deepEqual(await onlyDeletion(admin), deleted.body);
  assert.notDeepEqual(await rowsOf(board.id), {}, "the rows are still there");

  for (const client of [admin, mine])
    for (const route of routes) {
      // Preflight requests and the protocol of Sentry SDKs do not tell which projects exist.
      if (!route.url.startsWith("/api/projects/:projectId")) continue;
      if (/^(HEAD|OPTIONS)$/.test(String(route.method))) continue;
      for (const ref of [String(board.id), board.key]) {
        const url = route.url.replace(":projectId", ref).replaceAll(/:\w+/g, "1");
        const { status } = await client.send({ method: String(route.method), url });
        assert.equal(status, 404, `${String(route.method)} ${url}`);
      }
    }
  assert.equal((await t.http.as(token).post(`${board.url}/error-events`, anEvent())).status, 401);
  for (const client of [admin, mine]) {
    assert.deepEqual((await client.get("/api/projects")).body.data, []);
    assert.deepEqual((await client.get("/api/issues")).body.data, []);
    assert.deepEqual((await client.get(`/api/issues?project_id=${board.id}`)).body.data, []);
    for (const query of ["Unmistakable", issue.key, board.key, "remark", "RuntimeException"])
      assert.deepEqual((await client.get(`/api/search?query=${query}`)).body.data, [], query);
    assert.deepEqual((await client.get("/api/notifications")).body, []);
    assert.equal((await client.get("/api/notifications/unread-count")).body.count, 0);
  }
  const [team] = (await admin.get(`/api/workspaces/${workspace.id}/teams`)).body.data;
  assert.deepEqual((await admin.get(`/api/workspaces/${workspace.id}/teams/${team.id}`)).body.projects, []);
  const [invitation] = (await admin.get(`/api/workspaces/${workspace.id}/invitations`)).body.data;
  assert.deepEqual(invitation.projects, []);

  const again = await admin.post("/api/projects", { key: board.key, name: "Another" });
  assert.equal(again.status, 201, again.text);
  assert.equal((await admin.get(`/api/projects/${board.key}`)).body.id, again.body.id);
  assert.equal((await admin.get(`/api/projects/${board.key}/issues/${issue.key}`)).status, 404);
  assert.deepEqual((await admin.get(`/api/search?query=${issue.key}`)).body.data, []);
  await runJob();
  assert.equal((await admin.get(`/api/projects/${board.key}`)).body.id, again.body.id);
});

test("the job deletes all rows and files of the project, and nothing of others", async () => {
  const workspace = await makeWorkspace(t.db);
  const other = await fillProject(workspace);
  const { board } = await fillProject(workspace);
  const before = await rowsOf(other.board.id);
  const { storage_key } = await t.db
    .selectFrom("attachments")
    .select("storage_key")
    .where("project_id", "=", board.id)
    .executeTakeFirstOrThrow();
  const lastChange = await sql<{ id: number }>`select max(id) as id from changes`.execute(t.db);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  await runJob();
  await removeDeletedFiles(t.db, t.storage, new AbortController().signal);
  assert.deepEqual(await rowsOf(board.id), {});
  assert.deepEqual(await rowsOf(other.board.id), before);
  assert.equal(await t.storage.open(storage_key), undefined);
  const { rows: announced } = await sql<{ kind: string }>`
    select kind from changes where id > ${lastChange.rows[0]?.id} and project_id = ${board.id}
      -- The change of the events sent above is recorded a moment later.
      and kind <> 'error_group'`.execute(t.db);
  assert.deepEqual(announced, [], "nobody can receive changes of a deleted project");
  const { rows_total, rows_deleted, finished_at, project_key } = await onlyDeletion(board.admin);
  assert.deepEqual([rows_deleted, project_key], [rows_total, board.key]);
  assert.ok(rows_total !== null && rows_total >= 9 && finished_at !== null);
});

test("every table with rows of a project is emptied by the deletion of the project", async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.column_name in ('project_id', 'group_id', 'error_group_id', 'issue_id', 'report_id', 'release_id', 'epic_id', 'rule_id')
      and not exists (
        select from pg_constraint k where k.conrelid = c.table_name::regclass and k.contype = 'f' and k.confdeltype = 'c')
      and not exists (select from pg_inherits where inhrelid = c.table_name::regclass)
    order by 1`.execute(t.db);
  const withoutForeignKey = {
    changes: "are deleted after minutes",
    deletions: "say what was deleted, for a month",
    error_event_ids: "have a step of their own",
  };
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(withoutForeignKey),
  );
});

test("a job that loses its connection at any step continues where it was", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board } = await fillProject(workspace);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  let batches = 0;
  let deletion = await onlyDeletion(board.admin);
  for (; deletion.finished_at === null; batches++) {
    await assert.rejects(deleteNextBatch(killed), /terminat|connection/i);
    assert.deepEqual(await onlyDeletion(board.admin), deletion, "a lost batch changes nothing");
    // Until the killed connection's lock is gone, there is nothing to do.
    await waitUntil(() => deleteNextBatch(t.database.pool));
    deletion = await onlyDeletion(board.admin);
  }
  assert.ok(batches > 10, String(batches));
  assert.deepEqual(await rowsOf(board.id), {});
  assert.equal(deletion.rows_deleted, deletion.rows_total);
});

test("two processes that run the job at the same time share its work", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board } = await fillProject(workspace);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  for (let n = 0; n < 100 && Object.keys(await rowsOf(board.id)).length > 0; n++)
    await Promise.all([deleteNextBatch(t.database.pool), deleteNextBatch(t.database.pool)]);
  await runJob();
  assert.deepEqual(await rowsOf(board.id), {});
  const { rows_total, rows_deleted } = await onlyDeletion(board.admin);
  assert.equal(rows_deleted, rows_total);
});

test("other jobs leave a project alone while its rows are being deleted", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board, token } = await fillProject(workspace);
  await t.db
    .updateTable("issues")
    .set({ rank: "a".repeat(300) })
    .where("project_id", "=", board.id)
    .where("number", "=", 1)
    .execute();
  await t.db
    .updateTable("reports")
    .set({ rank: "a".repeat(300) })
    .where("project_id", "=", board.id)
    .execute();
  assert.equal((await board.admin.delete(board.url)).status, 202);
  // An event that another process accepted before it knew of the deletion.
  await sql`insert into new_error_groups select id, project_id from error_groups where project_id = ${board.id}`.execute(
    t.db,
  );
  const mails = await sql<{ count: number }>`select count(*) from mails`.execute(t.db);
  await notifyOfErrors(t.db);
  await queueErrorDigests(t.db);
  await renumberLongLanes(t.db);
  await renumberLongQueues(t.db);
  assert.deepEqual((await sql`select count(*) from mails`.execute(t.db)).rows, mails.rows);
  assert.ok(token);
  await runJob();
  assert.deepEqual(await rowsOf(board.id), {});
});

test("a second request to delete the same project at the same time returns 404", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const lock = `select from projects where id = ${board.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [board.admin.delete(board.url), board.admin.delete(board.url)];
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 404]);
});

test("an invitation that is accepted while its project is deleted does not lead into the project", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const user = await makeUser(t.db);
  const invited = await board.admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: user.email,
    projects: [{ project_id: board.id, role_id: await makeRole(t.db, workspace.id, "Viewer") }],
  });
  const browser = t.http.withCookie(await makeCookie(t.db, user.id));
  const lock = `select from projects where id = ${board.id} for update`;
  const path = new URL(invited.body.link).pathname;
  const [deleted, accepted] = await collide(t.database, lock, async (waiting) => {
    const first = board.admin.delete(board.url);
    await waiting(1);
    const second = browser.post(`/api${path}`);
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual([deleted?.status, accepted?.status], [202, 200]);
  assert.deepEqual((await rowsOf(board.id))["project_members"], undefined);
});

test("a deleted workspace is gone at once with its projects, members, invitations and queued emails", async () => {
  const workspace = await makeWorkspace(t.db);
  const stays = await makeWorkspace(t.db, { admin: workspace.admin });
  const { board, member, token } = await fillProject(workspace);
  const [admin, mine] = [await as(workspace.admin), await as(member)];
  const url = `/api/workspaces/${workspace.id}`;
  assert.equal((await mine.delete(url)).status, 403);
  const invited = await admin.post(`${url}/invitations`, { email: "new@example.com" });
  const deleted = await admin.delete(url);
  assert.equal(deleted.status, 202, deleted.text);
  assert.deepEqual(await onlyDeletion(admin), deleted.body);
  for (const client of [admin, mine])
    for (const route of routes)
      if (route.url.startsWith("/api/workspaces/:workspaceId") && route.method !== "HEAD") {
        const path = route.url.replace(":workspaceId", String(workspace.id)).replaceAll(/:\w+/g, "1");
        const { status } = await client.send({ method: String(route.method), url: path });
        assert.equal(status, 404, `${String(route.method)} ${path}`);
      }
  const link = `/api${new URL(invited.body.link).pathname}`;
  assert.equal((await t.http.get(link)).status, 404);
  assert.equal((await t.http.as(token).post(`${board.url}/error-events`, anEvent())).status, 401);
  assert.equal((await admin.get(board.url)).status, 404);
  assert.deepEqual(
    (await admin.get("/api/workspaces")).body.data.map((one: { id: number }) => one.id),
    [stays.id],
  );
  assert.deepEqual((await mine.get("/api/workspaces")).body.data, []);
  assert.deepEqual((await mine.get("/api/notifications")).body, []);
  assert.deepEqual((await mine.post("/api/projects", { key: "LATE", name: "Late" })).body.errors, {
    workspace_id: ["is required: you belong to no workspace"],
  });
  const queued = () =>
    t.db
      .selectFrom("mails")
      .select("id")
      .where("workspace_id", "=", workspace.id)
      .where("state", "=", "queued")
      .execute();
  assert.deepEqual(await queued(), []);
  await runJob();
  assert.deepEqual(await rowsOf(board.id), {});
  const left = await sql`
    select id from workspaces where id = ${workspace.id}
    union all select id from projects where workspace_id = ${workspace.id}
    union all select id from roles where workspace_id = ${workspace.id}
    union all select id from mails where workspace_id = ${workspace.id}`.execute(t.db);
  assert.deepEqual(left.rows, []);
  const { rows_total, rows_deleted, finished_at } = await onlyDeletion(admin);
  assert.equal(rows_deleted, rows_total);
  assert.ok(finished_at);
});

test("a user sees deletions that they requested, and those in workspaces that they administer", async () => {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const owner = await makeMember(t.db, board.id, { is_owner: true });
  const other = await makeMember(t.db, board.id, { role: "Manager" });
  const { body: deletion } = await (await as(owner)).delete(board.url);
  assert.equal(deletion.requested_by, owner.id);
  assert.deepEqual(await onlyDeletion(await as(owner)), deletion);
  assert.deepEqual(await onlyDeletion(board.admin), deletion);
  assert.deepEqual((await (await as(other)).get("/api/deletions")).body.data, []);
});

test("the only workspace cannot be deleted, also if two requests delete the last two", async () => {
  await sql`update workspaces set deleted_at = now()`.execute(t.db);
  const one = await makeWorkspace(t.db);
  const admin = await as(one.admin);
  const refused = await admin.delete(`/api/workspaces/${one.id}`);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [422, "This is the only workspace. Create another one before you delete it."],
  );
  const two = await makeWorkspace(t.db, { admin: one.admin });
  const answers = await collide(t.database, "select from workspaces for update", async (waiting) => {
    const requests = [one, two].map(({ id }) => admin.delete(`/api/workspaces/${id}`));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 422]);
  assert.equal((await admin.get("/api/workspaces")).body.data.length, 1);
});
