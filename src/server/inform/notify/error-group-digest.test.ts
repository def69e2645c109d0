import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeMember, makeWorkspace, type TestUser } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { queueErrorGroupDigests } from "./error-group-digest.ts";

let workspace: { id: number; admin: TestUser };
const t = await useTestApp();

let project: TestProject;
let key: string;
let watcher: TestUser;
beforeEach(async () => {
  for (const table of ["mails", "new_error_groups", "error_group_digests"] as const)
    await t.db.deleteFrom(table).execute();
  workspace = await makeWorkspace(t.db);
  project = await openProject(t, workspace);
  ({ key } = await t.db
    .selectFrom("projects")
    .select("key")
    .where("id", "=", project.id)
    .executeTakeFirstOrThrow());
  watcher = await makeMember(t.db, project.id);
  await watch(watcher);
});

const watch = (user: TestUser) =>
  t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: workspace.id, user_id: user.id })
    .execute();

/** Creates groups as ingestion does and returns their ids. */
async function newGroups(count: number, overrides: Record<string, unknown> = {}): Promise<number[]> {
  const known = await t.db.selectFrom("error_groups").select("id").execute();
  for (let i = 0; i < count; i++) {
    const event = anEvent({ exception_class: `Error${known.length + i}`, ...overrides });
    assert.equal((await project.sender.post(project.events, event)).status, 202);
  }
  const made = await t.db
    .selectFrom("error_groups")
    .select("id")
    .where("project_id", "=", project.id)
    .where("id", "not in", [0, ...known.map((group) => group.id)])
    .orderBy("id")
    .execute();
  return made.map((group) => group.id);
}

const mails = () => t.db.selectFrom("mails").selectAll().orderBy("id").execute();
const passAMinute = () =>
  sql`update error_group_digests set queued_at = queued_at - interval '1 minute'`.execute(t.db);

test("a new group is emailed immediately, with its class, message and link", async () => {
  const [id] = await newGroups(1, { exception_class: "Acme\\PaymentError", message: "card\r\ndeclined <b>" });
  await queueErrorGroupDigests(t.db);
  const [mail, ...more] = await mails();
  assert.deepEqual(more, []);
  assert.equal(mail?.user_id, watcher.id);
  assert.equal(mail?.workspace_id, workspace.id);
  assert.equal(mail?.subject, `[${key}] New error: Acme\\PaymentError`);
  assert.ok(mail?.lines.includes("Acme\\PaymentError: card declined <b>"));
  assert.equal(mail?.button_path, `/projects/${key}/errors/${id}`);
  assert.equal(mail?.preference, "notify_error_activity_email");
});

test("many new groups send one email immediately and one digest a minute later, with their number and the first ten", async () => {
  await newGroups(1);
  await queueErrorGroupDigests(t.db);
  await newGroups(13);
  await queueErrorGroupDigests(t.db);
  await queueErrorGroupDigests(t.db);
  assert.equal((await mails()).length, 1, "the minute is not over");
  await passAMinute();
  await queueErrorGroupDigests(t.db);
  const [, digest, ...more] = await mails();
  assert.deepEqual(more, []);
  assert.equal(digest?.subject, `[${key}] 13 new errors`);
  assert.equal(digest?.lines.find((line) => line.startsWith("•"))?.split("\n").length, 10);
  assert.ok(digest?.lines.includes("And 3 more."));
  assert.equal(digest?.button_path, `/projects/${key}/errors`);
  await passAMinute();
  await queueErrorGroupDigests(t.db);
  assert.equal((await mails()).length, 2, "nothing new, no mail");
});

test("only watchers who may read error groups and want these emails get one", async () => {
  const blind = await makeMember(t.db, project.id, { role: { permissions: ["reports:read"] } });
  const quiet = await makeMember(t.db, project.id);
  const silent = await makeMember(t.db, project.id);
  await makeMember(t.db, project.id); // watches nothing
  for (const user of [blind, quiet, silent, workspace.admin]) await watch(user);
  await t.db
    .updateTable("users")
    .set({ notify_error_activity_email: false })
    .where("id", "=", quiet.id)
    .execute();
  await t.db
    .updateTable("users")
    .set({ email_notifications_enabled: false })
    .where("id", "=", silent.id)
    .execute();
  await newGroups(1);
  await queueErrorGroupDigests(t.db);
  assert.deepEqual(
    (await mails()).map((mail) => mail.user_id).sort((a, b) => Number(a) - Number(b)),
    [workspace.admin.id, watcher.id].sort((a, b) => a - b),
  );
});

test("nobody gets an email while error tracking is turned off", async () => {
  await newGroups(1);
  await t.db
    .updateTable("workspaces")
    .set({ error_tracking_enabled: false })
    .where("id", "=", workspace.id)
    .execute();
  await queueErrorGroupDigests(t.db);
  assert.deepEqual(await mails(), []);
});

test("two concurrent processes queue one email, and each project is throttled separately", async () => {
  await newGroups(2);
  const first = project;
  project = await openProject(t, workspace);
  const other = await makeMember(t.db, project.id);
  await watch(other);
  await newGroups(1);
  await Promise.all([1, 2, 3, 4].map(() => queueErrorGroupDigests(t.db)));
  assert.deepEqual(
    (await mails()).map((mail) => mail.user_id).sort((a, b) => Number(a) - Number(b)),
    [watcher.id, other.id].sort((a, b) => a - b),
  );
  assert.notEqual(first.id, project.id);
});

test("there is no email for a repeated error, a group deleted before its email, or a deleted project", async () => {
  const [id] = await newGroups(1);
  await queueErrorGroupDigests(t.db);
  await t.db.deleteFrom("mails").execute();
  await passAMinute();
  const { exception_class } = await t.db
    .selectFrom("error_groups")
    .select("exception_class")
    .where("id", "=", id as number)
    .executeTakeFirstOrThrow();
  assert.equal((await project.sender.post(project.events, anEvent({ exception_class }))).status, 202);
  const [gone] = await newGroups(1);
  await t.db
    .deleteFrom("error_groups")
    .where("id", "=", gone as number)
    .execute();
  await queueErrorGroupDigests(t.db);
  await newGroups(1);
  await t.db.deleteFrom("projects").where("id", "=", project.id).execute();
  await queueErrorGroupDigests(t.db);
  assert.deepEqual(await mails(), []);
});

test("a digest that was queued before the clock was set back does not hold up the next one", async () => {
  await newGroups(1);
  await queueErrorGroupDigests(t.db);
  await sql`update error_group_digests set queued_at = queued_at + interval '2 days'`.execute(t.db);
  await newGroups(1);
  await queueErrorGroupDigests(t.db);
  assert.equal((await mails()).length, 2);
});
