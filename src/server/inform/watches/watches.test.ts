import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard, type Board } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { watch, watchersOf } from "../../../../test/support/inbox.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Issue } from "../../../shared/issues.ts";

let workspace: { id: number; admin: TestUser };
let board: Board;
const t = await useTestApp();

let user: TestUser;
let client: Client;
let issue: Issue;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  board = await openBoard(t, workspace);
  issue = await board.make();
  user = await makeMember(t.db, board.id);
  client = await as(user);
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const issueWatch = (one: { id: number | string } = issue) => `${board.issues}/${one.id}/watch`;
const reportWatch = () => `${board.url}/reports/watch`;
const reportWatchers = async () => (await board.admin.get(reportWatch())).body.report_watcher_ids;

test("each request toggles the caller's watch of an issue, named by id or key", async () => {
  assert.deepEqual((await client.get(issueWatch())).body, { watching: false });
  const first = await client.post(issueWatch());
  assert.deepEqual([first.status, first.body], [200, { watching: true }]);
  assert.deepEqual((await client.get(issueWatch({ id: issue.key }))).body, { watching: true });
  assert.equal((await client.get(`${board.issues}/${issue.id}`)).body.watching, true);
  assert.deepEqual((await client.post(issueWatch({ id: issue.key }), {})).body, { watching: false });
  assert.deepEqual((await client.get(issueWatch())).body, { watching: false });
});

test("each request toggles the caller's watch of the reports and returns all watchers", async () => {
  const other = await makeMember(t.db, board.id);
  assert.deepEqual((await client.get(reportWatch())).body, { report_watcher_ids: [] });
  const first = await client.post(reportWatch());
  assert.deepEqual([first.status, first.body], [200, { report_watcher_ids: [user.id] }]);
  const second = await (await as(other)).post(reportWatch(), {});
  assert.deepEqual(second.body, { report_watcher_ids: [user.id, other.id] });
  assert.deepEqual((await board.admin.post(reportWatch())).body.report_watcher_ids.length, 3);
  assert.deepEqual((await client.post(reportWatch())).body.report_watcher_ids, [board.adminId, other.id]);
});

test("PUT sets the caller's watch of an issue or of the reports, and repeating it changes nothing", async () => {
  for (const watching of [true, true, false, false]) {
    assert.deepEqual((await client.put(issueWatch(), { watching })).body, { watching });
    const { body } = await client.put(reportWatch(), { watching });
    assert.deepEqual(body, { report_watcher_ids: watching ? [user.id] : [] });
  }
  assert.equal((await client.put(issueWatch(), { watching: "no" })).status, 422);
});

for (const [kind, url] of [
  ["issue", () => issueWatch()],
  ["reports", reportWatch],
] as const)
  test(`nine concurrent toggles of watching ${kind} run one after the other`, async () => {
    const lock = `select from users where id = ${user.id} for update`;
    const answers = await collide(t.database, lock, async (waiting) => {
      const requests = Array.from({ length: 9 }, () => client.post(url()));
      await waiting(9);
      return requests;
    });
    const now = answers.map(({ body }) =>
      kind === "issue" ? body.watching : body.report_watcher_ids.includes(user.id),
    );
    assert.deepEqual(now.sort(), [false, false, false, false, true, true, true, true, true]);
  });

test("a user who starts watching an issue while commenting on it watches it", async () => {
  const lock = `insert into issue_watchers (issue_id, user_id) values (${issue.id}, ${user.id})`;
  const [answer] = await collide(t.database, lock, async (waiting) => {
    const request = client.post(issueWatch());
    await waiting(1);
    return [request];
  });
  assert.deepEqual([answer?.status, answer?.body], [200, { watching: true }]);
});

test("an issue of another project, one that does not exist and one just deleted are 404", async () => {
  const elsewhere = await (await openBoard(t, workspace)).make();
  for (const id of [elsewhere.id, elsewhere.key, 999_999, "x"]) {
    assert.equal((await client.get(issueWatch({ id }))).status, 404, String(id));
    assert.equal((await client.post(issueWatch({ id }))).status, 404, String(id));
  }
  const lock = `select from users where id = ${user.id} for update`;
  const [answer] = await collide(t.database, lock, async (waiting) => {
    const request = client.post(issueWatch());
    await waiting(1);
    assert.equal((await board.admin.delete(`${board.issues}/${issue.id}`)).status, 204);
    return [request];
  });
  assert.equal(answer?.status, 404);
});

test("watching needs permission to read", async () => {
  const blind = await as(await makeMember(t.db, board.id, { role: { permissions: ["epics:read"] } }));
  const outsider = await as(await makeWorkspaceMember(t.db, workspace.id));
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  const reader = t.http.as(await makePersonalToken(t.db, user.id, { write: false }));
  for (const url of [issueWatch(), reportWatch()]) {
    for (const one of [blind, outsider, token]) {
      assert.equal((await one.get(url)).status, 403);
      assert.equal((await one.post(url)).status, 403);
    }
    assert.equal((await reader.get(url)).status, 200);
    assert.equal((await reader.post(url)).status, 403);
  }
  assert.ok(!(await watchersOf(t.db, issue.id)).includes(user.id));
});

test("watching reports needs the reports feature, watching issues does not", async () => {
  await board.admin.patch(`/api/workspaces/${workspace.id}`, { features: { reports: false } });
  for (const answer of [await client.get(reportWatch()), await client.post(reportWatch())])
    assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
  assert.equal((await client.post(issueWatch())).status, 200);
});

type Loss = [string, (role_id: number) => Promise<unknown>, boolean];
const members = () => `/api/workspaces/${workspace.id}/members`;
const promote = async () => {
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  assert.equal((await browser.patch(`${members()}/${user.id}`, { is_admin: true })).status, 200);
};
const LOSSES: Loss[] = [
  ["is removed from the project", () => board.admin.delete(`${board.url}/members/${user.id}`), false],
  ["is removed from the workspace", () => board.admin.delete(`${members()}/${user.id}`), false],
  [
    "is removed from the project but is a workspace administrator",
    async () => {
      await promote();
      await board.admin.delete(`${board.url}/members/${user.id}`);
    },
    true,
  ],
  [
    "stops being an administrator but is a member of the project",
    async () => {
      await promote();
      await board.admin.patch(`${members()}/${user.id}`, { is_admin: false });
    },
    true,
  ],
  [
    "had access as an administrator only and stops being one",
    async () => {
      await promote();
      await board.admin.delete(`${board.url}/members/${user.id}`);
      await board.admin.patch(`${members()}/${user.id}`, { is_admin: false });
    },
    false,
  ],
  ["gets another role", (role_id) => board.admin.patch(`${board.url}/members/${user.id}`, { role_id }), true],
];
for (const [loss, happen, isKept] of LOSSES)
  test(`a user who ${loss} ${isKept ? "keeps" : "loses"} their watches there, and other users' watches do not change`, async () => {
    const other = await makeMember(t.db, board.id);
    const elsewhere = await openBoard(t, workspace);
    const theirs = await elsewhere.make();
    await makeMember(t.db, elsewhere.id, { user });
    for (const one of [user, other]) {
      await watch(t.db, issue.id, one);
      assert.equal((await (await as(one)).post(reportWatch())).status, 200);
    }
    await watch(t.db, theirs.id, user);
    await happen(await makeRole(t.db, workspace.id, "Viewer"));
    const kept = isKept ? [user.id, other.id] : [other.id];
    assert.deepEqual(await reportWatchers(), kept);
    assert.deepEqual(
      (await watchersOf(t.db, issue.id)).filter((id) => id !== board.adminId),
      kept,
    );
    const inWorkspace = loss !== "is removed from the workspace";
    assert.equal((await watchersOf(t.db, theirs.id)).includes(user.id), inWorkspace);
  });

test("watches in another workspace stay", async () => {
  const other = await makeWorkspace(t.db);
  const far = await openBoard(t, other);
  const theirs = await far.make();
  await makeMember(t.db, far.id, { user });
  await watch(t.db, theirs.id, user);
  await board.admin.delete(`${members()}/${user.id}`);
  assert.ok((await watchersOf(t.db, theirs.id)).includes(user.id));
});

for (const [name, lock, remove] of [
  [
    "the project",
    () => `select from project_members where user_id = ${user.id} for update`,
    () => board.admin.delete(`${board.url}/members/${user.id}`),
  ],
  [
    "the workspace",
    () => `select from workspace_members where user_id = ${user.id} for update`,
    () => board.admin.delete(`${members()}/${user.id}`),
  ],
] as const)
  for (const isFirst of [true, false])
    test(`a watch added concurrently, just ${isFirst ? "before" : "after"} its watcher is removed from ${name}, does not stay`, async () => {
      const answers = await collide(t.database, lock(), async (waiting) => {
        const start = () => client.post(issueWatch());
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

test("deleting a project deletes its watches", async () => {
  const other = await makeProject(t.db, workspace.id);
  await makeMember(t.db, other.id, { user });
  await client.post(`/api/projects/${other.id}/reports/watch`);
  assert.equal((await board.admin.delete(`/api/projects/${other.id}`)).status, 202);
  const left = await t.db
    .selectFrom("report_watchers")
    .select("project_id")
    .where("user_id", "=", user.id)
    .execute();
  assert.deepEqual(left, []);
});
