import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { openSmtpSink } from "../../../../test/support/smtp-sink.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { MailDelivery } from "../../mail/delivery.ts";
import { queueErrorDigests } from "./error-digest.ts";
import { notifyOfErrors } from "../../integrations/alert-rules/notify-of-errors.ts";

const PUBLIC = "https://track.example.com";

let workspace: { id: number; admin: TestUser };
const t = await useTestApp();

let project: TestProject;
let key: string;
let name: string;
let watcher: TestUser;
beforeEach(async () => {
  for (const table of ["mails", "new_error_groups", "error_group_notices", "error_digests"] as const)
    await t.db.deleteFrom(table).execute();
  workspace = await makeWorkspace(t.db);
  project = await openProject(t, workspace);
  ({ key, name } = (await project.admin.get(`/api/projects/${project.id}`)).body);
  watcher = await makeMember(t.db, project.id);
  await watch(watcher);
});

const watch = (user: TestUser) =>
  t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: workspace.id, user_id: user.id })
    .execute();

/** Creates groups and returns their ids. */
async function newGroups(count: number, overrides: Record<string, unknown> = {}): Promise<number[]> {
  const before = await groupIds();
  for (let n = 1; n <= count; n++) {
    const event = anEvent({ exception_class: `Error${before.length + n}`, release: "1.0", ...overrides });
    assert.equal((await project.sender.post(project.events, event)).status, 202);
  }
  return (await groupIds()).filter((id) => !before.includes(id));
}

async function groupIds(): Promise<number[]> {
  const rows = await t.db
    .selectFrom("error_groups")
    .select("id")
    .where("project_id", "=", project.id)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

const allMails = () => t.db.selectFrom("mails").selectAll().orderBy("id").execute();
const mails = async () => (await allMails()).filter(({ user_id }) => user_id === watcher.id);
const pass = (minutes: number) =>
  sql`update error_digests set queued_at = queued_at - make_interval(mins => ${minutes}),
    due_at = due_at - make_interval(mins => ${minutes})`.execute(t.db);

/** What the jobs of several processes do every second. */
async function runJobs() {
  await Promise.all([1, 2].map(() => notifyOfErrors(t.db, { retentionDays: 90 })));
  await Promise.all([1, 2, 3].map(() => queueErrorDigests(t.db)));
}

async function inboxOf(user: TestUser) {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const entries = (await client.get("/api/notifications?include=all")).body as Notification[];
  return { client, entries };
}

test("the first email is queued at once, with what happened, the error's message and a link", async () => {
  const [id] = await newGroups(1, { exception_class: "Acme\\PaymentError", message: "card\r\ndeclined <b>" });
  await runJobs();
  const [mail, ...more] = await mails();
  assert.deepEqual(more, []);
  assert.deepEqual([mail?.user_id, mail?.workspace_id], [watcher.id, workspace.id]);
  assert.equal(mail?.subject, `[${key}] New error Acme\\PaymentError in ${name}`);
  assert.deepEqual(mail?.lines, [
    `New error Acme\\PaymentError in ${name}.`,
    "Acme\\PaymentError: card declined <b> (production)",
  ]);
  assert.equal(mail?.button_path, `/projects/${key}/errors/${id}`);
  assert.equal(mail?.preference, "notify_error_activity_email");
});

test("notifications of ten minutes are combined in one email, the most urgent first, with a link to each error", async () => {
  await newGroups(1);
  await runJobs();
  const [regressed, ...others] = (await newGroups(24)) as [number, ...number[]];
  await t.db
    .insertInto("error_group_watchers")
    .values({ group_id: regressed, user_id: watcher.id })
    .execute();
  await project.admin.post(`${project.groups}/${regressed}/resolve`);
  await project.send({ exception_class: "Error2", release: "1.1" });
  for (const id of others.slice(0, 12).toReversed())
    await project.admin.patch(`${project.groups}/${id}`, { assignee_id: watcher.id });
  await runJobs();
  await pass(9);
  await runJobs();
  assert.equal((await mails()).length, 1, "the ten minutes are not over");
  await pass(1);
  await runJobs();
  const [, digest, ...more] = await mails();
  assert.deepEqual(more, []);
  const summary = "1 regression, 12 assigned errors, 24 new errors";
  assert.equal(digest?.subject, `[${key}] ${summary}`);
  const [head, first, second, ...rest] = digest.lines;
  assert.equal(head, `${name}: ${summary}.`);
  assert.equal(first, "The error Error2 came back in 1.1\nSomething broke (production)");
  assert.match(String(second), /^Ada Moss assigned the error Error3 to you\n/);
  const newErrors = rest.slice(11, -1);
  assert.equal(newErrors.shift()?.trim(), `16 new errors in ${name}`);
  assert.equal(newErrors.filter((line) => line.startsWith("New error ")).length, 6);
  assert.equal(rest.at(-1), "And 2 more.");
  const path = (id: number | undefined) => `/projects/${key}/errors/${id}`;
  assert.deepEqual(digest.line_paths?.slice(0, 3), [null, path(regressed), path(others[0])]);
  assert.equal(digest.line_paths?.[14], `/projects/${key}/errors?sort=first_seen`);

  await pass(10);
  await runJobs();
  assert.equal((await mails()).length, 2, "nothing new");
});

test("an email as it arrives links each entry in HTML and as text, and shows no markup of an error", async (context) => {
  const sink = await openSmtpSink();
  const delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  context.after(async () => {
    delivery.close();
    await sink.close();
  });
  const ids = await newGroups(2, { message: '<img src="x"> & more' });
  await runJobs();
  await delivery.deliver();
  const [mail] = sink.mails;
  assert.deepEqual(mail?.recipients, [watcher.email]);
  assert.equal(mail?.subject, `[${key}] 2 new errors`);
  for (const id of ids) {
    assert.ok(mail?.html?.includes(`<a href="${PUBLIC}/projects/${key}/errors/${id}"`));
    assert.ok(mail?.text?.includes(`(production)\n${PUBLIC}/projects/${key}/errors/${id}\n`), mail?.text);
  }
  assert.ok(mail?.html?.includes("&lt;img src=&quot;x&quot;&gt; &amp; more"));
  assert.doesNotMatch(mail?.html ?? "", /<img/);
  assert.ok(mail?.text?.includes("“Errors” is turned on"));
});

test("entries that were read, deleted or snoozed in the inbox stay out of the email", async () => {
  await newGroups(1);
  await runJobs();
  await newGroups(4);
  await runJobs();
  const { client, entries } = await inboxOf(watcher);
  const [read, deleted, snoozed, left] = entries.map(({ id }) => id);
  await client.post("/api/notifications/bulk-read", { notification_ids: [read] });
  await client.post("/api/notifications/bulk-delete", { notification_ids: [deleted] });
  await client.post("/api/notifications/bulk-snooze", {
    notification_ids: [snoozed],
    until: "2099-01-15T08:00:00Z",
  });
  await pass(10);
  await runJobs();
  const [, digest] = await mails();
  assert.equal(digest?.subject, `[${key}] ${entries.find(({ id }) => id === left)?.message}`);
});

test("if everything was read meanwhile there is no email, and the next one is queued at once", async () => {
  await newGroups(1);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  const { client } = await inboxOf(watcher);
  await client.post("/api/notifications/read-all");
  await runJobs();
  assert.deepEqual(await mails(), []);
  await newGroups(1);
  await runJobs();
  assert.equal((await mails()).length, 1);
});

test("only users who turned these emails on and may still read errors get one", async () => {
  const [quiet, silent, late, leaving] = [
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
  ];
  for (const user of [quiet, silent, late, leaving, workspace.admin]) await watch(user);
  const set = (user: TestUser, values: object) =>
    t.db.updateTable("users").set(values).where("id", "=", user.id).execute();
  await set(quiet, { notify_error_activity_email: false });
  await set(silent, { email_notifications_enabled: false });
  await newGroups(1);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  await set(late, { notify_error_activity_email: false });
  await project.admin.delete(`/api/projects/${project.id}/members/${leaving.id}`);
  await runJobs();
  assert.deepEqual(
    new Set((await allMails()).map((mail) => mail.user_id)),
    new Set([watcher.id, workspace.admin.id]),
  );
});

test("nobody gets an email while error tracking is turned off, or about a group that was deleted", async () => {
  const turn = (error_tracking_enabled: boolean) =>
    t.db.updateTable("workspaces").set({ error_tracking_enabled }).where("id", "=", workspace.id).execute();
  await newGroups(1);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  await turn(false);
  await runJobs();
  await turn(true);
  await newGroups(1);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  await t.db.deleteFrom("error_groups").where("project_id", "=", project.id).execute();
  await runJobs();
  assert.deepEqual(await mails(), []);
});

test("each person and project has emails of its own", async () => {
  await newGroups(1);
  await runJobs();
  const other = await makeMember(t.db, project.id);
  await watch(other);
  await newGroups(1);
  await runJobs();
  project = await openProject(t, workspace);
  await makeMember(t.db, project.id, { user: watcher });
  await watch(watcher);
  await newGroups(1);
  await runJobs();
  assert.deepEqual(
    (await allMails()).map((mail) => mail.user_id),
    [watcher.id, other.id, watcher.id],
  );
});

test("a job that is killed while it queues an email loses nothing and sends nothing twice", async () => {
  await newGroups(2);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  const killed = await collide(t.database, "lock table mails in exclusive mode", async (waiting) => {
    const job = queueErrorDigests(t.db).catch(() => "killed");
    await waiting(1);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    return [job];
  });
  assert.deepEqual(killed, ["killed"]);
  assert.deepEqual(await mails(), []);
  await runJobs();
  await runJobs();
  assert.deepEqual(
    (await mails()).map((mail) => mail.subject),
    [`[${key}] 2 new errors`],
  );
});

test("a notification that is created while an email is being queued is in the next one", async () => {
  const [id] = await newGroups(1);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  const assign = () => project.admin.patch(`${project.groups}/${id}`, { assignee_id: watcher.id });
  await collide<unknown>(t.database, "lock table mails in exclusive mode", async (waiting) => {
    const job = queueErrorDigests(t.db);
    await waiting(1);
    const assigned = assign();
    await waiting(2);
    return [job, assigned];
  });
  await runJobs();
  assert.deepEqual((await mails()).length, 1);
  await pass(10);
  await runJobs();
  assert.deepEqual(
    (await mails()).map((mail) => mail.subject),
    [`[${key}] New error Error1 in ${name}`, `[${key}] Ada Moss assigned the error Error1 to you`],
  );
});

test("an email that was queued before the clock was set back does not hold up the next one", async () => {
  await newGroups(1);
  await runJobs();
  await sql`update error_digests set queued_at = queued_at + interval '2 days'`.execute(t.db);
  await newGroups(1);
  await runJobs();
  assert.equal((await mails()).length, 2);
});
