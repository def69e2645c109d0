import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { deleteHiddenRows } from "../../../../test/support/delete-hidden-rows.ts";
import { openBoard } from "../../../../test/support/board.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeRole,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { collectRoutes } from "../../../../test/support/routes.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { fillProject, onlyDeletion, rowsOf } from "../../../../test/support/deletions.ts";

const [t, routes] = await collectRoutes(() => openTestApp());
after(() => t.close());

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

const runJob = () => deleteHiddenRows(t);

test("a deleted project is gone at once, on every route and in every list", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board, member, token, issue } = await fillProject(t, workspace);
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
  assert.notDeepEqual(await rowsOf(t.db, board.id), {}, "the rows are still there");

  for (const client of [admin, mine])
    for (const route of routes) {
      // Preflight requests, the protocol of Sentry SDKs, and feedback without an ingest key do not tell which projects exist.
      if (!route.url.startsWith("/api/projects/:projectId")) continue;
      if (route.url === "/api/projects/:projectId/feedback") continue;
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

test("a deleted workspace is gone at once with its projects, members, invitations and queued emails", async () => {
  const workspace = await makeWorkspace(t.db);
  const stays = await makeWorkspace(t.db, { admin: workspace.admin });
  const { board, member, token } = await fillProject(t, workspace);
  const [admin, mine] = [await as(workspace.admin), await as(member)];
  const url = `/api/workspaces/${workspace.id}`;
  assert.equal((await mine.delete(url)).status, 403);
  const invited = await admin.post(`${url}/invitations`, { email: "new@example.com" });
  const byToken = await admin.delete(url);
  assert.deepEqual(
    [byToken.status, byToken.body.message],
    [403, "Only a browser session may delete a workspace."],
  );
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const deleted = await browser.delete(url);
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
  assert.deepEqual(await rowsOf(t.db, board.id), {});
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
