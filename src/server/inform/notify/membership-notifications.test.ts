import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { inboxOf, mailsTo, switchOff, messagesTo } from "../../../../test/support/inbox.ts";
import {
  makeCookie,
  makePersonalToken,
  makeProject,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Preference } from "../../../shared/people.ts";
import { notifyProjectMembership, notifyTeamMembership } from "./membership-notifications.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const role_id = await makeRole(t.db, workspace.id, "Member");

let user: TestUser;
beforeEach(async () => {
  user = await makeWorkspaceMember(t.db, workspace.id);
});

const add = (one: TestUser) => board.admin.post(`${board.url}/members`, { user_id: one.id, role_id });

test("a user who is added to a project is notified", async () => {
  assert.equal((await add(user)).status, 201);
  const message = `Ada Moss added you to the project Project ${board.key}`;
  const [entry, ...more] = await inboxOf(t, user);
  assert.deepEqual(
    [entry?.type, entry?.message, entry?.actor?.id, entry?.notifiable, more],
    [5, message, board.adminId, { type: "project", id: board.id, name: `Project ${board.key}` }, []],
  );
  assert.deepEqual(await mailsTo(t.db, user), [
    {
      subject: message,
      lines: [`${message}.`],
      preference: "notify_project_membership",
      button_path: `/projects/${board.key}`,
    },
  ]);
});

test("adding an existing member notifies nobody", async () => {
  await add(user);
  assert.equal((await add(user)).status, 422);
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await browser.patch(`${board.url}/members/${user.id}`, { is_owner: true });
  assert.equal((await inboxOf(t, user)).length, 1);
});

test("users who add themselves or create a project are not notified", async () => {
  assert.equal((await add(workspace.admin)).status, 201);
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await client.post("/api/projects", { key: `N${user.id}`, name: "New" })).status, 201);
  assert.deepEqual([await inboxOf(t, workspace.admin), await inboxOf(t, user)], [[], []]);
});

type Invited = { user: TestUser; accept: () => Promise<void> };

async function invite(projects: number[], invited = user): Promise<Invited> {
  const made = await board.admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: invited.email,
    projects: projects.map((project_id) => ({ project_id, role_id })),
  });
  assert.equal(made.status, 201, made.text);
  const token = new URL(made.body.link).pathname.split("/").at(-1);
  return {
    user: invited,
    accept: async () => {
      const browser = t.http.withCookie(await makeCookie(t.db, invited.id));
      const answer = await browser.post(`/api/invitations/${token}`);
      assert.equal(answer.status, 200, answer.text);
    },
  };
}

test("accepting an invitation notifies the user of each project they were not in, with the inviter as actor", async () => {
  const second = await makeProject(t.db, workspace.id);
  const third = await makeProject(t.db, workspace.id);
  await add(user);
  const { accept } = await invite([board.id, second.id, third.id]);
  await accept();
  const inbox = await inboxOf(t, user);
  assert.deepEqual(
    inbox.map(({ type, actor, notifiable }) => [type, actor?.id, notifiable.id]),
    [
      [5, board.adminId, third.id],
      [5, board.adminId, second.id],
      [5, board.adminId, board.id],
    ],
  );
  assert.equal((await mailsTo(t.db, user)).filter((mail) => mail.preference !== null).length, 3);
});

test("a new user is notified too", async () => {
  const email = `new${user.id}@example.com`;
  const made = await board.admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email,
    projects: [{ project_id: board.id, role_id }],
  });
  const token = new URL(made.body.link).pathname.split("/").at(-1);
  const person = {
    first_name: "Kim",
    last_name: "Lee",
    username: `new${user.id}`,
    password: "correct horse",
  };
  const accepted = await t.http.post(`/api/invitations/${token}`, person);
  assert.equal(accepted.status, 201, accepted.text);
  const types = (await messagesTo(t, accepted.body)).map(([type]) => type);
  assert.deepEqual(types, [5]);
});

test("adding a team to a project notifies all its members", async () => {
  const members = await Promise.all([1, 2, 3].map(() => makeWorkspaceMember(t.db, workspace.id)));
  for (const one of members.slice(0, 2)) await add(one);
  const { id } = board;
  const before = await Promise.all(members.map(async (one) => (await inboxOf(t, one)).length));
  const userIds = [...members.map((one) => one.id), workspace.admin.id];
  await t.db
    .transaction()
    .execute((tx) => notifyProjectMembership(tx, { projectId: id, userIds, actorId: workspace.admin.id }));
  const more = await Promise.all(
    members.map(async (one, index) => (await inboxOf(t, one)).length - (before[index] ?? 0)),
  );
  assert.deepEqual(more, [1, 1, 0], "people without access to the project are not notified");
  assert.deepEqual(await inboxOf(t, workspace.admin), []);
});

test("a user who is added to a team is notified if they belong to its workspace", async () => {
  const outsider = await makeUser(t.db);
  const team = { id: 3, name: "Core", workspace_id: workspace.id };
  const userIds = [user.id, outsider.id];
  await t.db
    .transaction()
    .execute((tx) => notifyTeamMembership(tx, { team, userIds, actorId: workspace.admin.id }));
  assert.deepEqual(await messagesTo(t, user), [[6, "Ada Moss added you to the team Core"]]);
  const [mail, ...more] = await mailsTo(t.db, user);
  assert.deepEqual([mail?.preference, more], ["notify_team_membership", []]);
  const rows = await t.db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", outsider.id)
    .execute();
  assert.deepEqual([rows, await mailsTo(t.db, outsider)], [[], []]);
});

const KINDS: [Preference, (one: TestUser) => Promise<unknown>][] = [
  ["notify_project_membership", (one) => add(one)],
  [
    "notify_team_membership",
    (one) =>
      t.db.transaction().execute((tx) =>
        notifyTeamMembership(tx, {
          team: { id: 4, name: "Core", workspace_id: workspace.id },
          userIds: [one.id],
          actorId: workspace.admin.id,
        }),
      ),
  ],
];
for (const [preference, happen] of KINDS)
  for (const [off, mails] of [
    [[preference], 0],
    [["email_notifications_enabled"], 0],
    [["notify_mentions", "notify_assignment"], 1],
  ] as [Preference[], number][])
    test(`with ${off.join(", ")} off, ${preference} sends ${mails} email, and the entry is in the inbox`, async () => {
      await switchOff(t.db, user, off);
      await happen(user);
      assert.deepEqual([(await inboxOf(t, user)).length, (await mailsTo(t.db, user)).length], [1, mails]);
    });
