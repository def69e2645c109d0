import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import {
  inboxOf,
  mailsTo,
  switchOff,
  messagesTo,
  watch,
  watchersOf,
} from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Issue } from "../../../shared/issues.ts";
import { PREFERENCES, type Preference } from "../../../shared/people.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);

let user: TestUser;
let other: TestUser;
beforeEach(async () => {
  user = await makeMember(t.db, board.id);
  other = await makeMember(t.db, board.id);
});

const as = async (one: TestUser): Promise<Client> => t.http.as(await makePersonalToken(t.db, one.id));
const change = async (issue: Issue, changes: object, by = board.admin) => {
  const answer = await by.patch(`${board.issues}/${issue.key}`, changes);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Issue;
};
const move = async (issue: Issue, to: object, by = board.admin) => {
  const answer = await by.post(`${board.issues}/${issue.key}/move`, to);
  assert.equal(answer.status, 200, answer.text);
};
const assigned = ({ key }: Issue, title: string) => [1, `Ada Moss assigned ${key} “${title}” to you`];
const unassigned = ({ key }: Issue, title: string) => [1, `Ada Moss unassigned you from ${key} “${title}”`];
const moved = ({ key }: Issue, title: string, lane: string) => [
  3,
  `Ada Moss moved ${key} “${title}” to ${lane}`,
];

test("the assignee is notified, on creation and later", async () => {
  const issue = await board.make({ title: "Pay", assignee_id: user.id });
  assert.deepEqual(await messagesTo(t, user), [assigned(issue, "Pay")]);
  const [entry] = await inboxOf(t, user);
  assert.deepEqual(
    [entry?.actor?.id, entry?.notifiable],
    [board.adminId, { type: "issue", id: issue.id, key: issue.key, title: "Pay", project_id: board.id }],
  );
  const later = await board.make({ title: "Ship" });
  await change(later, { assignee_id: user.id });
  assert.deepEqual(await messagesTo(t, user), [assigned(later, "Ship"), assigned(issue, "Pay")]);
  const message = `Ada Moss assigned ${later.key} “Ship” to you`;
  assert.deepEqual((await mailsTo(t.db, user))[1], {
    subject: message,
    lines: [`${message}.`],
    preference: "notify_assignment",
    button_path: `/projects/${board.key}/issues/${later.key}`,
  });
});

test("an update that keeps the assignee notifies nobody", async () => {
  const issue = await board.make({ title: "Pay", assignee_id: user.id });
  await change(issue, { assignee_id: user.id, title: "Paid", priority: 0 });
  assert.equal((await inboxOf(t, user)).length, 1);
});

test("users who assign or unassign themselves are not notified, and watch the issue", async () => {
  const client = await as(user);
  const issue = await board.make();
  await change(issue, { assignee_id: user.id }, client);
  assert.ok((await watchersOf(t.db, issue.id)).includes(user.id));
  await change(issue, { assignee_id: null }, client);
  assert.deepEqual([await inboxOf(t, user), await mailsTo(t.db, user)], [[], []]);
});

test("an unassigned user is notified once and keeps watching", async () => {
  const issue = await board.make({ title: "Pay", assignee_id: user.id });
  await change(issue, { assignee_id: null });
  await change(issue, { assignee_id: null, title: "Paid" });
  assert.deepEqual(await messagesTo(t, user), [unassigned(issue, "Pay"), assigned(issue, "Pay")]);
  assert.deepEqual(
    (await mailsTo(t.db, user)).map((mail) => mail.preference),
    ["notify_assignment", "notify_assignment"],
  );
  assert.ok((await watchersOf(t.db, issue.id)).includes(user.id));
});

test("reassigning notifies the previous and the new assignee once each; both watch", async () => {
  const issue = await board.make({ title: "Pay", assignee_id: user.id });
  await change(issue, { assignee_id: other.id });
  assert.deepEqual(await messagesTo(t, user), [unassigned(issue, "Pay"), assigned(issue, "Pay")]);
  assert.deepEqual(await messagesTo(t, other), [assigned(issue, "Pay")]);
  const watchers = await watchersOf(t.db, issue.id);
  assert.deepEqual(
    [user, other].map((one) => watchers.includes(one.id)),
    [true, true],
  );
});

test("an assignee who can no longer read the project's issues is not notified", async () => {
  const issue = await board.make({ assignee_id: user.id });
  await t.db.deleteFrom("notifications").where("user_id", "=", user.id).execute();
  await board.admin.delete(`${board.url}/members/${user.id}`);
  await change(issue, { assignee_id: null });
  const blind = await makeMember(t.db, board.id, { role: { permissions: ["epics:read"] } });
  await change(issue, { assignee_id: blind.id });
  const notified = await t.db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "in", [user.id, blind.id])
    .execute();
  assert.deepEqual(notified, []);
  assert.ok(!(await watchersOf(t.db, issue.id)).includes(blind.id));
});

for (const [name, changeLane] of [
  ["changed", (issue: Issue, lane_id: number, by?: Client) => change(issue, { lane_id }, by)],
  ["moved on the board", (issue: Issue, lane_id: number, by?: Client) => move(issue, { lane_id }, by)],
] as const)
  test(`an issue whose lane is ${name} notifies its watchers, except the user who did it`, async () => {
    const issue = await board.make({ title: "Pay" });
    await watch(t.db, issue.id, user);
    await watch(t.db, issue.id, other);
    await changeLane(issue, board.lanes.doing, await as(other));
    assert.deepEqual(await messagesTo(t, user), [moved(issue, "Pay", "In progress")]);
    assert.deepEqual(await messagesTo(t, other), []);
    await changeLane(issue, board.lanes.doing);
    assert.equal((await inboxOf(t, user)).length, 1, "the same lane is no change");
    await changeLane(issue, board.lanes.done);
    assert.deepEqual(await messagesTo(t, other), [moved(issue, "Pay", "Done")]);
    assert.deepEqual(
      (await mailsTo(t.db, user)).map((mail) => mail.preference),
      ["notify_watched_activity_email", "notify_watched_activity_email"],
    );
  });

test("moving an issue within its lane notifies nobody", async () => {
  const [first, second] = [await board.make(), await board.make()];
  await watch(t.db, second.id, user);
  await move(second, { rank_after_id: first.id });
  assert.deepEqual(await inboxOf(t, user), []);
});

test("when lane and assignee change together, the new assignee is notified only of the assignment", async () => {
  const issue = await board.make({ title: "Pay", assignee_id: user.id });
  await t.db.deleteFrom("notifications").where("user_id", "=", user.id).execute();
  await change(issue, { assignee_id: other.id, lane_id: board.lanes.todo });
  assert.deepEqual(await messagesTo(t, other), [assigned(issue, "Pay")]);
  assert.deepEqual(await messagesTo(t, user), [unassigned(issue, "Pay"), moved(issue, "Pay", "To do")]);
});

test("a refused change notifies nobody", async () => {
  const issue = await board.make();
  await watch(t.db, issue.id, other);
  const answer = await board.admin.patch(`${board.issues}/${issue.id}`, {
    assignee_id: user.id,
    lane_id: board.lanes.done,
    blocks_ids: [issue.id],
  });
  assert.equal(answer.status, 422);
  assert.deepEqual([await inboxOf(t, user), await inboxOf(t, other)], [[], []]);
  assert.deepEqual([await mailsTo(t.db, user), await mailsTo(t.db, other)], [[], []]);
});

const AUTO_WATCHES: [Preference, string, () => Promise<Issue>][] = [
  [
    "auto_watch_on_create",
    "creates an issue",
    async () => (await (await as(user)).post(board.issues, { title: "Mine" })).body,
  ],
  ["auto_watch_on_assigned", "is assigned a new issue", () => board.make({ assignee_id: user.id })],
  [
    "auto_watch_on_assigned",
    "is assigned an existing issue",
    async () => change(await board.make(), { assignee_id: user.id }),
  ],
];
for (const [preference, occasion, bring] of AUTO_WATCHES)
  test(`a user who ${occasion} watches it, unless ${preference} is off`, async () => {
    const isWatched = async () => (await watchersOf(t.db, (await bring()).id)).includes(user.id);
    assert.equal(await isWatched(), true);
    await switchOff(t.db, user, [preference]);
    assert.equal(await isWatched(), false);
    await switchOff(
      t.db,
      user,
      PREFERENCES.filter((one) => one !== preference),
    );
    assert.equal(await isWatched(), true);
  });

test("the creator of an issue immediately sees that they watch it", async () => {
  assert.equal((await board.make()).watching, true);
  assert.equal(
    (await (await as(user)).get(`${board.issues}/${(await board.make()).id}`)).body.watching,
    false,
  );
});

test("an issue created from reports is watched by the user who promoted them", async () => {
  const reports = `${board.url}/reports`;
  const { id } = (await board.admin.post(reports, { title: "Broken", description: "It is" })).body;
  const promotion = { report_ids: [id], title: "Fix", description: "It is", assignee_id: user.id };
  const [{ promoted_issue_id }] = (await board.admin.post(`${reports}/promote`, promotion)).body;
  assert.deepEqual(
    await watchersOf(t.db, promoted_issue_id),
    [board.adminId, user.id].sort((a, b) => a - b),
  );
  assert.deepEqual(
    (await messagesTo(t, user)).map(([type]) => type),
    [1],
  );
});

const MAILED: [Preference, string, () => Promise<unknown>][] = [
  ["notify_assignment", "an assignment", () => board.make({ assignee_id: user.id })],
  [
    "notify_watched_activity_email",
    "another lane",
    async () => {
      const issue = await board.make();
      await watch(t.db, issue.id, user);
      return move(issue, { lane_id: board.lanes.done });
    },
  ],
];
for (const [preference, event, happen] of MAILED)
  test(`${event} is always in the inbox, and emailed if ${preference} and the master switch are on`, async () => {
    const mailed = async (off: readonly Preference[]) => {
      await switchOff(t.db, user, off);
      const before = [(await inboxOf(t, user)).length, (await mailsTo(t.db, user)).length] as const;
      await happen();
      assert.equal((await inboxOf(t, user)).length, before[0] + 1);
      return (await mailsTo(t.db, user)).length - before[1];
    };
    assert.equal(await mailed([]), 1);
    assert.equal(await mailed([preference]), 0);
    assert.equal(await mailed(["email_notifications_enabled"]), 0);
    const others = PREFERENCES.filter((one) => one !== preference && one !== "email_notifications_enabled");
    assert.equal(await mailed(others), 1);
  });
