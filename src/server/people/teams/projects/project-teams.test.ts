import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard, type Board } from "../../../../../test/support/board.ts";
import { type Answer, type Client, refusalOf } from "../../../../../test/support/client.ts";
import { collide } from "../../../../../test/support/collide.ts";
import { anEvent } from "../../../../../test/support/error-events.ts";
import { inboxOf, mailsTo, messagesTo, watch, watchersOf } from "../../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeTeam,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();

let workspace: { id: number; admin: TestUser };
let board: Board;
let roles: { manager: number; member: number; viewer: number };
let user: TestUser;
let client: Client;
let team: { id: number; name: string };
let path: string;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  board = await openBoard(t, workspace);
  roles = {
    manager: await makeRole(t.db, workspace.id, "Manager"),
    member: await makeRole(t.db, workspace.id, "Member"),
    viewer: await makeRole(t.db, workspace.id, "Viewer"),
  };
  user = await makeWorkspaceMember(t.db, workspace.id);
  client = await as(user);
  team = await makeTeam(t.db, workspace.id, { members: [user] });
  path = `${board.url}/teams/${team.id}`;
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const give = async (role_id = roles.member) => {
  const answer = await board.admin.put(path, { role_id });
  assert.ok([200, 201].includes(answer.status), answer.text);
  return answer;
};

test("giving a team a project gives its members access with the role, until it is removed", async () => {
  assert.equal((await client.get(board.url)).status, 403);
  const given = await give();
  const { created_at, ...rest } = given.body;
  assert.match(created_at, /\.\d{6}Z$/);
  assert.deepEqual(
    [given.status, rest],
    [201, { team_id: team.id, name: team.name, role_id: roles.member, members_count: 1 }],
  );
  assert.equal((await client.get(board.url)).status, 200);
  assert.equal((await client.post(board.issues, { title: "X" })).status, 201);
  assert.deepEqual((await client.get(`${board.url}/teams`)).body, {
    data: [given.body],
    meta: { next_cursor: null },
  });
  const narrowed = await give(roles.viewer);
  assert.deepEqual([narrowed.status, narrowed.body], [200, { ...given.body, role_id: roles.viewer }]);
  assert.equal((await client.post(board.issues, { title: "X" })).status, 403);
  assert.equal((await board.admin.delete(path)).status, 204);
  assert.equal((await client.get(board.url)).status, 403);
  assert.equal((await board.admin.delete(path)).status, 404);
  assert.deepEqual((await board.admin.get(`${board.url}/teams`)).body.data, []);
});

test("permissions are the union of a member's own role and their teams' roles", async () => {
  await makeMember(t.db, board.id, { user, role: { permissions: ["issues:create"] } });
  assert.equal((await client.get(board.issues)).status, 403);
  await give(roles.viewer);
  await makeTeam(t.db, workspace.id, {
    members: [user],
    projects: [board],
    role: { permissions: ["project:update"] },
  });
  const { body } = await client.get(board.url);
  assert.deepEqual(
    [body.is_owner, body.permissions],
    [
      false,
      [
        "reports:read",
        "issues:create",
        "issues:read",
        "epics:read",
        "error-groups:read",
        "notifications:update",
        "notifications:delete",
        "project:update",
      ],
    ],
  );
  assert.equal((await client.get(board.issues)).status, 200);
  assert.equal((await client.post(board.issues, { title: "X" })).status, 201);
  assert.equal((await client.patch(board.url, { name: "Y" })).status, 200);
  assert.deepEqual(
    (await client.get("/api/projects")).body.data.map((project: { id: number }) => project.id),
    [board.id],
  );
  const listed = await client.get("/api/issues");
  assert.equal(listed.body.data.length, 1, "an issue is listed once however many ways lead to it");
});

test("a member through a team can be assigned, mentioned and notified, can watch, and can send events", async () => {
  await give();
  const assigned = await board.admin.post(board.issues, { title: "X", assignee_id: user.id });
  assert.equal(assigned.status, 201, assigned.text);
  const comments = `${board.issues}/${assigned.body.id}/comments`;
  await board.admin.post(comments, { content: `Look, @${user.username}` });
  assert.deepEqual(
    (await messagesTo(t, user)).map(([type]) => type),
    [4, 1, 5],
  );
  assert.ok((await watchersOf(t.db, assigned.body.id)).includes(user.id));
  assert.equal((await client.post(`${board.url}/reports/watch`)).status, 200);
  assert.equal((await client.post(`${board.url}/error-events`, anEvent())).status, 202);
  assert.equal((await client.get(`/api/error-groups`)).body.data.length, 1);
  const token = t.http.as(await makeProjectToken(t.db, board.id, user.id));
  assert.equal((await token.post(`${board.url}/error-events`, anEvent())).status, 202);
  await board.admin.delete(path);
  assert.equal((await token.post(`${board.url}/error-events`, anEvent())).status, 403);
  assert.equal((await client.post(`${board.url}/error-events`, anEvent())).status, 403);
  const again = await board.admin.post(board.issues, { title: "X", assignee_id: user.id });
  assert.deepEqual(refusalOf(again), [422, "assignee_id"]);
});

test("only team members who had no access before are notified, once", async () => {
  const [owner, gone] = [await makeMember(t.db, board.id), await makeWorkspaceMember(t.db, workspace.id)];
  const byOther = await makeWorkspaceMember(t.db, workspace.id);
  const members = [owner, gone, byOther, workspace.admin].map((one) => ({
    team_id: team.id,
    workspace_id: workspace.id,
    user_id: one.id,
  }));
  await t.db.insertInto("team_members").values(members).execute();
  await makeTeam(t.db, workspace.id, { members: [byOther], projects: [board] });
  await board.admin.patch(`/api/workspaces/${workspace.id}/members/${gone.id}`, { active: false });
  await give();
  const message = `Ada Moss added you to the project Project ${board.key}`;
  assert.deepEqual(await messagesTo(t, user), [[5, message]]);
  assert.equal((await mailsTo(t.db, user)).length, 1);
  await give(roles.viewer);
  assert.equal((await inboxOf(t, user)).length, 1);
  const rows = await t.db
    .selectFrom("notifications")
    .select("user_id")
    .where("project_id", "=", board.id)
    .execute();
  assert.deepEqual(rows, [{ user_id: user.id }]);
});

test("a role or team of another workspace counts as unknown, and missing or wrong fields return 422", async () => {
  const other = await makeWorkspace(t.db);
  const foreignRole = await makeRole(t.db, other.id, "Viewer");
  const foreign = await makeTeam(t.db, other.id, { members: [other.admin] });
  for (const body of [{}, undefined, { role_id: null }, { role_id: "1" }, { role_id: 0 }, { role_id: 1.5 }])
    assert.deepEqual(
      refusalOf(await board.admin.put(path, body)),
      [422, "role_id"],
      JSON.stringify(body) ?? "none",
    );
  for (const role_id of [foreignRole, 999_999, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(refusalOf(await board.admin.put(path, { role_id })), [422, "role_id"]);
  for (const id of [foreign.id, 999_999, "x", "0"]) {
    const wrong = `${board.url}/teams/${id}`;
    assert.equal((await board.admin.put(wrong, { role_id: "wrong" })).status, 404, wrong);
    assert.equal((await board.admin.put(wrong, { role_id: roles.viewer })).status, 404, wrong);
    assert.equal((await board.admin.delete(wrong)).status, 404, wrong);
  }
  assert.deepEqual((await board.admin.get(`${board.url}/teams`)).body.data, []);
});

test("everybody with access can list the teams, and project:update permits assigning roles up to one's own", async () => {
  await give(roles.viewer);
  const member = await as(await makeMember(t.db, board.id, { role: "Member" }));
  const outsider = await as(await makeWorkspaceMember(t.db, workspace.id));
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  assert.equal((await member.get(`${board.url}/teams`)).status, 200);
  for (const one of [member, outsider, token]) {
    assert.equal((await one.put(path, { role_id: roles.viewer })).status, 403);
    assert.equal((await one.delete(path)).status, 403);
  }
  for (const one of [outsider, token]) assert.equal((await one.get(`${board.url}/teams`)).status, 403);
  const keeper = await as(
    await makeMember(t.db, board.id, { role: { permissions: ["project:update", "reports:read"] } }),
  );
  assert.equal((await keeper.put(path, { role_id: roles.manager })).status, 403);
  const narrow = await makeRole(t.db, workspace.id, { permissions: ["reports:read"] });
  assert.equal((await keeper.put(path, { role_id: narrow })).status, 200);
  assert.equal((await keeper.delete(path)).status, 204);
});

test("a list of a project's teams has pages by cursor", async () => {
  await give();
  const second = await makeTeam(t.db, workspace.id, { projects: [board] });
  const first = await board.admin.get(`${board.url}/teams?limit=1`);
  assert.deepEqual(first.body.data[0].team_id, team.id);
  const next = await board.admin.get(`${board.url}/teams?limit=1&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual([next.body.data[0].team_id, next.body.meta.next_cursor], [second.id, null]);
});

type Loss = [string, () => Promise<Answer>];
const members = () => `/api/workspaces/${workspace.id}/members/${user.id}`;
const teams = () => `/api/workspaces/${workspace.id}/teams/${team.id}`;
const noReading = () => makeRole(t.db, workspace.id, { permissions: ["epics:read"] });
const LOSSES: Loss[] = [
  ["is taken out of the team", () => board.admin.delete(`${teams()}/members/${user.id}`)],
  ["sees the team deleted", () => board.admin.delete(teams())],
  ["sees the project taken from the team", () => board.admin.delete(path)],
  ["sees the team get a role that reads nothing", async () => give(await noReading())],
  ["is deactivated", () => board.admin.patch(members(), { active: false })],
  ["is taken out of the workspace", () => board.admin.delete(members())],
];
for (const [loss, happen] of LOSSES)
  test(`a member who ${loss} loses their watches there, unless they have access of their own`, async () => {
    await give();
    const both = await makeMember(t.db, board.id);
    await t.db
      .insertInto("team_members")
      .values({ team_id: team.id, workspace_id: workspace.id, user_id: both.id })
      .execute();
    const elsewhere = await openBoard(t, workspace);
    await makeMember(t.db, elsewhere.id, { user });
    const [issue, other] = [await board.make(), await elsewhere.make()];
    for (const one of [user, both]) {
      await watch(t.db, issue.id, one);
      assert.equal((await (await as(one)).post(`${board.url}/reports/watch`)).status, 200);
    }
    await watch(t.db, other.id, user);
    const answer = await happen();
    assert.ok(answer.status < 300, answer.text);
    assert.deepEqual(await watchersOf(t.db, issue.id), [workspace.admin.id, both.id]);
    const { report_watcher_ids } = (await board.admin.get(`${board.url}/reports/watch`)).body;
    assert.deepEqual(report_watcher_ids, [both.id]);
    const isOut = loss === "is deactivated" || loss === "is taken out of the workspace";
    assert.equal((await watchersOf(t.db, other.id)).includes(user.id), !isOut);
  });

test("a member who loses both ways of access at once keeps no watch", async () => {
  await give();
  await makeMember(t.db, board.id, { user });
  const issue = await board.make();
  await watch(t.db, issue.id, user);
  const lock = `select from workspaces where id = ${workspace.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [board.admin.delete(path), board.admin.delete(`${board.url}/members/${user.id}`)];
    await waiting(2);
    return requests;
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 204],
  );
  assert.ok(!(await watchersOf(t.db, issue.id)).includes(user.id));
});

for (const [name, table, remove] of [
  ["their team", "team_members", () => board.admin.delete(`${teams()}/members/${user.id}`)],
  ["the project with their team", "project_teams", () => board.admin.delete(path)],
] as const)
  for (const isFirst of [true, false])
    test(`a watch added ${isFirst ? "before" : "after"} its watcher is removed from ${name}, concurrently, does not stay`, async () => {
      await give();
      const issue = await board.make();
      const lock = `select from ${table} where team_id = ${team.id} for update`;
      const answers = await collide(t.database, lock, async (waiting) => {
        const start = () => client.post(`${board.issues}/${issue.id}/watch`);
        const one = isFirst ? start() : remove();
        await waiting(1);
        const other = isFirst ? remove() : start();
        await waiting(2);
        return [one, other];
      });
      assert.deepEqual(
        answers.map((answer) => answer.status),
        isFirst ? [200, 204] : [204, 403],
      );
      assert.ok(!(await watchersOf(t.db, issue.id)).includes(user.id));
    });

test("giving a team a project while it is deleted returns 404", async () => {
  const project = await makeProject(t.db, workspace.id);
  const lock = `select from projects where id = ${project.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const first = board.admin.delete(`/api/projects/${project.id}`);
    await waiting(1);
    const second = board.admin.put(`/api/projects/${project.id}/teams/${team.id}`, {
      role_id: roles.viewer,
    });
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [202, 404],
  );
});
