import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { furtherMessagesTo, mailsTo } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { queueErrorDigests } from "./error-digest.ts";
import { notifyOfErrors } from "../../integrations/alert-rules/notify-of-errors.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let project: TestProject;
let ada: TestUser;
beforeEach(async () => {
  project = await openProject(t, workspace);
  await t.db.deleteFrom("report_watchers").where("project_id", "=", project.id).execute();
  ada = await watcher();
});

async function watcher(): Promise<TestUser> {
  const user = await makeMember(t.db, project.id);
  await t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: workspace.id, user_id: user.id })
    .execute();
  return user;
}

let sent = 0;
async function sendNewErrors(count: number) {
  for (let n = 0; n < count; n++) await project.send({ exception_class: `Failed${sent++}` });
}

const runJobs = () => Promise.all([1, 2, 3].map(() => notifyOfErrors(t.db, { retentionDays: 90 })));

async function inboxOf(user: TestUser): Promise<Notification[]> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  return (await client.get("/api/notifications?include=all&type=10")).body;
}

const messagesOf = async (user: TestUser) => (await inboxOf(user)).map(({ message }) => message);

const summary = async (count: number) => {
  const { name } = await t.db
    .selectFrom("projects")
    .select("name")
    .where("id", "=", project.id)
    .executeTakeFirstOrThrow();
  return `${count} new ${count === 1 ? "error" : "errors"} in ${name}`;
};

/** As if the minutes had passed since the entries of the project were created. */
const letPass = (minutes: number) =>
  sql`
  update notifications set created_at = created_at - make_interval(mins => ${minutes})
  where project_id = ${project.id}`.execute(t.db);

test("from the tenth new error in ten minutes, a watcher gets one entry for all further ones", async () => {
  await sendNewErrors(9);
  await runJobs();
  assert.equal((await inboxOf(ada)).length, 9);
  await sendNewErrors(8);
  await runJobs();
  const inbox = await inboxOf(ada);
  assert.equal(inbox.length, 10);
  const [entry] = inbox;
  assert.equal(entry?.message, await summary(8));
  assert.deepEqual([entry.type, entry.read_at, entry.notifiable.type], [10, null, "project"]);
  assert.equal(entry.notifiable.type === "project" && entry.notifiable.id, project.id);
});

test("in a flood that several processes handle, each watcher gets nine entries and one summary", async () => {
  const kim = await watcher();
  await sendNewErrors(20);
  await Promise.all([sendNewErrors(20), runJobs(), runJobs()]);
  await runJobs();
  for (const user of [ada, kim]) {
    const messages = await messagesOf(user);
    assert.equal(messages.length, 10);
    assert.equal(messages[0], await summary(31));
  }
});

test("further new errors make a summary unread and the newest entry again", async () => {
  await sendNewErrors(12);
  await runJobs();
  const http = t.http.as(await makePersonalToken(t.db, ada.id));
  const [before] = await inboxOf(ada);
  assert.ok(before);
  await http.post("/api/notifications/bulk-read", { notification_ids: [before.id] });
  await sendNewErrors(2);
  await runJobs();
  const [after, ...others] = await inboxOf(ada);
  assert.deepEqual([after?.message, after?.read_at], [await summary(5), null]);
  assert.ok(after && after.id > before.id);
  assert.equal(others.length, 9);
});

test("while a summary is the newest entry and unread, further new errors update it without another push or email", async () => {
  await sendNewErrors(12);
  await runJobs();
  const [before] = await inboxOf(ada);
  await queueErrorDigests(t.db);
  const [mail] = await mailsTo(t.db, ada);
  assert.match(String(mail?.subject), /12 new errors$/);
  await sendNewErrors(3);
  await runJobs();
  const [after] = await inboxOf(ada);
  assert.deepEqual([after?.id, after?.message], [before?.id, await summary(6)]);
  const waiting = t.db.selectFrom("error_digest_entries").select("user_id").where("user_id", "=", ada.id);
  assert.deepEqual(await waiting.execute(), []);
});

test("ten minutes after the last new error, single entries are created again", async () => {
  await sendNewErrors(11);
  await runJobs();
  await letPass(9);
  await sendNewErrors(1);
  await runJobs();
  assert.equal((await messagesOf(ada))[0], await summary(3));
  await letPass(11);
  await sendNewErrors(1);
  await runJobs();
  const messages = await messagesOf(ada);
  assert.equal(messages.length, 11);
  assert.match(String(messages[0]), /^New error Failed/);
});

test("summaries are counted per project, and hidden from people who may no longer read errors", async () => {
  await sendNewErrors(12);
  await runJobs();
  const first = await summary(3);
  const [one, watched] = [project, ada];
  project = await openProject(t, workspace);
  await makeMember(t.db, project.id, { user: watched });
  await t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: workspace.id, user_id: watched.id })
    .execute();
  await sendNewErrors(1);
  await runJobs();
  assert.match(String((await messagesOf(watched))[0]), /^New error/);
  assert.ok((await messagesOf(watched)).includes(first));
  await t.db
    .deleteFrom("project_members")
    .where("project_id", "=", one.id)
    .where("user_id", "=", watched.id)
    .execute();
  assert.equal((await messagesOf(watched)).includes(first), false);
  assert.equal((await furtherMessagesTo(t, watched)).length, 1);
});
