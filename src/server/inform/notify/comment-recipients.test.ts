import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
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
  makeProject,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { PREFERENCES, type Preference } from "../../../shared/people.ts";
import { notifyComment, type CommentEvent } from "./comment-notifications.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const issue = await board.make({ title: "Checkout fails" });
const epicId = (await board.admin.post(`${board.url}/epics`, { title: "Launch" })).body.id;
const author = await makeMember(t.db, board.id);

type On = "issue" | "epic";
type Said = { on?: On; under?: number; by?: TestUser; mentioning?: TestUser[]; content?: string };

/** Creates a comment like `createComment`, in one transaction with its notifications. */
async function say(said: Said = {}): Promise<CommentEvent> {
  const { on = "issue", under = null, by = author, mentioning = [], content = "Have a look." } = said;
  return t.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto("comments")
      .values({
        project_id: board.id,
        issue_id: on === "issue" ? issue.id : null,
        epic_id: on === "epic" ? epicId : null,
        parent_id: under,
        user_id: by.id,
        content,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const event: CommentEvent = {
      project: { id: board.id, key: board.key, workspace_id: workspace.id },
      target: on === "issue" ? { kind: "issue", id: issue.id } : { kind: "epic", id: epicId },
      comment: { id, parent_id: under, content },
      actorId: by.id,
      mentioned: mentioning.map((user) => user.id),
    };
    await notifyComment(tx, event);
    return event;
  });
}

/** A root comment created without notifications. */
async function rootOf(user: TestUser, on: On): Promise<number> {
  const { id } = await t.db
    .insertInto("comments")
    .values({
      project_id: board.id,
      issue_id: on === "issue" ? issue.id : null,
      epic_id: on === "epic" ? epicId : null,
      user_id: user.id,
      content: "First",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

type Relation = "mentioned" | "replied to" | "watching";
type Rule = { on: On; relations: Relation[]; type?: number; words?: string; switch?: Preference };

const MENTION = { type: 4, words: "mentioned you on", switch: "notify_mentions" } as const;
const REPLY = {
  type: 2,
  words: "replied to your comment on",
  switch: "notify_watched_activity_email",
} as const;
const WATCH = { type: 2, words: "commented on", switch: "notify_watched_activity_email" } as const;

const RULES: Rule[] = [
  { on: "issue", relations: [] },
  { on: "issue", relations: ["watching"], ...WATCH },
  { on: "issue", relations: ["replied to"], ...REPLY },
  { on: "issue", relations: ["replied to", "watching"], ...REPLY },
  { on: "issue", relations: ["mentioned"], ...MENTION },
  { on: "issue", relations: ["mentioned", "watching"], ...MENTION },
  { on: "issue", relations: ["mentioned", "replied to"], ...MENTION },
  { on: "issue", relations: ["mentioned", "replied to", "watching"], ...MENTION },
  { on: "epic", relations: [] },
  { on: "epic", relations: ["replied to"], ...REPLY },
  { on: "epic", relations: ["mentioned"], ...MENTION },
  { on: "epic", relations: ["mentioned", "replied to"], ...MENTION },
];

async function sayTo(user: TestUser, { on, relations }: Rule): Promise<CommentEvent> {
  if (relations.includes("watching")) await watch(t.db, issue.id, user);
  const under = relations.includes("replied to") ? { under: await rootOf(user, on) } : {};
  return say({ on, ...under, mentioning: relations.includes("mentioned") ? [user] : [] });
}

for (const rule of RULES) {
  const relation = rule.relations.join(", ") || "not involved";
  const outcome = rule.words === undefined ? "not notified" : `notified once that someone ${rule.words} it`;
  test(`a comment on an ${rule.on}: a user who is ${relation} is ${outcome}`, async () => {
    const user = await makeMember(t.db, board.id);
    const { comment } = await sayTo(user, rule);
    const inbox = await inboxOf(t, user);
    const mails = await mailsTo(t.db, user);
    if (rule.words === undefined) {
      assert.deepEqual([inbox, mails], [[], []]);
      return;
    }
    const what = rule.on === "issue" ? `${issue.key} “Checkout fails”` : "the epic “Launch”";
    const message = `Ada Moss ${rule.words} ${what}`;
    assert.deepEqual(
      inbox.map(({ type, message, read_at, actor }) => ({ type, message, read_at, actor: actor?.id })),
      [{ type: rule.type, message, read_at: null, actor: author.id }],
    );
    assert.deepEqual(
      inbox[0]?.notifiable,
      rule.on === "issue"
        ? { type: "issue", id: issue.id, key: issue.key, title: "Checkout fails", project_id: board.id }
        : { type: "project", id: board.id, name: `Project ${board.key}` },
    );
    const place = rule.on === "issue" ? `issues/${issue.key}` : `epics/${epicId}`;
    assert.deepEqual(mails, [
      {
        subject: message,
        lines: [`${message}.`, "Have a look."],
        preference: rule.switch,
        button_path: `/projects/${board.key}/${place}#comment-${comment.id}`,
      },
    ]);
  });
}

const SWITCHES: [string, (own: Preference) => readonly Preference[], boolean][] = [
  ["its own switch off", (own) => [own], false],
  ["the master switch off", () => ["email_notifications_enabled"], false],
  [
    "every other switch off",
    (own) => PREFERENCES.filter((one) => one !== own && one !== "email_notifications_enabled"),
    true,
  ],
];

for (const rule of RULES.filter((one) => one.relations.length === 1))
  for (const [name, off, isMailed] of SWITCHES)
    test(`on an ${rule.on}, ${rule.relations[0]}, ${name}: an inbox entry ${isMailed ? "with" : "without"} an email`, async () => {
      const user = await makeMember(t.db, board.id);
      await switchOff(t.db, user, off(rule.switch as Preference));
      await sayTo(user, rule);
      assert.equal((await inboxOf(t, user)).length, 1);
      assert.equal((await mailsTo(t.db, user)).length, isMailed ? 1 : 0);
    });

test("the preference for the entry's type decides about the email: for a mentioned watcher it is notify_mentions", async () => {
  const rule: Rule = { on: "issue", relations: ["mentioned", "watching"] };
  const [first, second] = [await makeMember(t.db, board.id), await makeMember(t.db, board.id)];
  await switchOff(t.db, first, ["notify_mentions"]);
  await switchOff(t.db, second, ["notify_watched_activity_email"]);
  await sayTo(first, rule);
  await sayTo(second, rule);
  assert.equal(
    (await mailsTo(t.db, first)).filter((mail) => mail.preference === "notify_mentions").length,
    0,
  );
  assert.equal((await mailsTo(t.db, second)).length, 1);
});

test("authors are not notified of their own comment, even if they watch, mention themselves and reply to themselves", async () => {
  const user = await makeMember(t.db, board.id);
  await watch(t.db, issue.id, user);
  const { comment } = await say({ by: user });
  await say({ by: user, under: comment.id, mentioning: [user] });
  assert.deepEqual(await inboxOf(t, user), []);
  assert.deepEqual(await mailsTo(t.db, user), []);
});

test("users are notified of every comment, once per comment", async () => {
  const users = await Promise.all([1, 2, 3].map(() => makeMember(t.db, board.id)));
  for (const user of users) await watch(t.db, issue.id, user);
  await say({ mentioning: users.slice(0, 2) });
  await say({ mentioning: users.slice(0, 1) });
  const types = await Promise.all(
    users.map(async (user) => (await messagesTo(t, user)).map(([type]) => type)),
  );
  assert.deepEqual(types, [
    [4, 4],
    [2, 4],
    [2, 2],
  ]);
});

test("users who cannot read the comment are not notified, even if it concerns them", async () => {
  const outsider = await makeUser(t.db);
  const colleague = await makeWorkspaceMember(t.db, workspace.id);
  const elsewhere = await makeMember(t.db, (await makeProject(t.db, workspace.id)).id);
  const blind = await makeMember(t.db, board.id, { role: { permissions: ["reports:read"] } });
  const users = [outsider, colleague, elsewhere, blind];
  for (const user of users) {
    await watch(t.db, issue.id, user);
    await say({ under: await rootOf(user, "issue"), mentioning: users });
  }
  // This built-in role can read issues but not epics.
  const reporter = await makeMember(t.db, board.id, { role: "Reporter" });
  await say({ on: "epic", under: await rootOf(reporter, "epic"), mentioning: [reporter] });
  for (const user of [...users, reporter]) {
    const rows = await t.db.selectFrom("notifications").select("id").where("user_id", "=", user.id).execute();
    assert.deepEqual([rows, await mailsTo(t.db, user)], [[], []]);
  }
  await say({ mentioning: [reporter] });
  assert.equal((await inboxOf(t, reporter)).length, 1);
});

test("a workspace administrator is notified without being a member of the project", async () => {
  const admin = await makeWorkspaceMember(t.db, workspace.id, { is_admin: true });
  await say({ mentioning: [admin] });
  assert.equal((await inboxOf(t, admin)).length, 1);
});

test("commenting on an issue makes the author watch it if their preference says so; being mentioned does not", async () => {
  const [willing, unwilling, mentioned] = await Promise.all([1, 2, 3].map(() => makeMember(t.db, board.id)));
  assert.ok(willing && unwilling && mentioned);
  await switchOff(t.db, unwilling, ["auto_watch_on_commented"]);
  await say({ by: willing, mentioning: [mentioned] });
  await say({ by: unwilling });
  await say({ by: willing });
  const watchers = await watchersOf(t.db, issue.id);
  assert.deepEqual(
    [willing, unwilling, mentioned].map((user) => watchers.includes(user.id)),
    [true, false, false],
  );
});

test("a long title is shortened, and so is a long comment in the email", async () => {
  const user = await makeMember(t.db, board.id);
  const title = `${"😀".repeat(100)} end`;
  const long = await board.make({ title });
  await t.db.transaction().execute((tx) =>
    notifyComment(tx, {
      project: { id: board.id, key: board.key, workspace_id: workspace.id },
      target: { kind: "issue", id: long.id },
      comment: { id: 1_000_000, parent_id: null, content: "word ".repeat(2000) },
      actorId: author.id,
      mentioned: [user.id],
    }),
  );
  const [entry] = await inboxOf(t, user);
  assert.equal(entry?.message, `Ada Moss mentioned you on ${long.key} “${"😀".repeat(79)}…”`);
  assert.equal(entry?.notifiable.type === "issue" && entry.notifiable.title, title);
  const [mail] = await mailsTo(t.db, user);
  assert.match(mail?.lines[1] ?? "", /^(?:word )+word…$/);
  assert.ok((mail?.lines[1]?.length ?? 0) <= 500);
});

test("a comment that is rolled back notifies nobody", async () => {
  const user = await makeMember(t.db, board.id);
  const undone = new Error("undone");
  await assert.rejects(
    t.db.transaction().execute(async (tx) => {
      await notifyComment(tx, {
        project: { id: board.id, key: board.key, workspace_id: workspace.id },
        target: { kind: "issue", id: issue.id },
        comment: { id: 1_000_001, parent_id: null, content: "No" },
        actorId: author.id,
        mentioned: [user.id],
      });
      throw undone;
    }),
    undone,
  );
  assert.deepEqual([await inboxOf(t, user), await mailsTo(t.db, user)], [[], []]);
});

test("each entry is announced to its owner only", async () => {
  const user = await makeMember(t.db, board.id);
  await say({ mentioning: [user] });
  const [entry] = await inboxOf(t, user);
  const changes = await t.db
    .selectFrom("changes")
    .select(["kind", "project_id", "target_id", "user_id"])
    .where("user_id", "=", user.id)
    .where("kind", "<>", "profile")
    .execute();
  assert.deepEqual(changes, [
    { kind: "notification", project_id: board.id, target_id: entry?.id, user_id: user.id },
  ]);
});
