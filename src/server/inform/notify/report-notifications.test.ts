import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { inboxOf, mailsTo, switchOff, messagesTo } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openReports, type ReportProject } from "../../../../test/support/reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Preference } from "../../../shared/people.ts";

const t = await useTestApp();

let project: ReportProject;
let user: TestUser;
beforeEach(async () => {
  project = await openReports(t);
  user = await watching(await makeMember(t.db, project.id));
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));

async function watching<T extends { id: number }>(one: T): Promise<T> {
  await t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: project.workspaceId, user_id: one.id })
    .execute();
  return one;
}

test("a new report notifies the project's report watchers, except its creator", async () => {
  const creator = await watching(await makeMember(t.db, project.id));
  const stranger = await makeMember(t.db, project.id);
  const { id } = await project.create("Login broken", await as(creator));
  const message = `Ada Moss reported “Login broken” in Project ${project.key}`;
  const [entry, ...more] = await inboxOf(t, user);
  assert.deepEqual(
    [entry?.type, entry?.message, entry?.actor?.id, entry?.notifiable, more],
    [7, message, creator.id, { type: "project", id: project.id, name: `Project ${project.key}` }, []],
  );
  assert.deepEqual(await mailsTo(t.db, user), [
    {
      subject: message,
      lines: [`${message}.`, "What happened"],
      preference: "notify_report_activity_email",
      button_path: `/projects/${project.key}/reports/${id}`,
    },
  ]);
  assert.deepEqual([await inboxOf(t, creator), await inboxOf(t, stranger)], [[], []]);
});

test("a report created with a project token has no actor, and notifies the token's creator if they watch", async () => {
  const creator = await watching(await makeMember(t.db, project.id));
  const token = t.http.as(await makeProjectToken(t.db, project.id, creator.id));
  await project.create("Down", token);
  for (const one of [user, creator]) {
    const [entry, ...more] = await inboxOf(t, one);
    assert.deepEqual(
      [entry?.message, entry?.actor, more],
      [`New report “Down” in Project ${project.key}`, null, []],
    );
    assert.equal((await mailsTo(t.db, one)).length, 1);
  }
});

test("the message names an external reporter", async () => {
  await project.token.post(project.reports, {
    title: "Down",
    description: "It is",
    author_name: "Kim Lee",
  });
  const [entry] = await inboxOf(t, user);
  assert.deepEqual(
    [entry?.message, entry?.actor],
    [`Kim Lee reported “Down” in Project ${project.key}`, null],
  );
});

test("watchers who cannot read reports are not notified", async () => {
  const blind = await watching(
    await makeMember(t.db, project.id, { role: { permissions: ["issues:read"] } }),
  );
  const colleague = await watching(await makeWorkspaceMember(t.db, project.workspaceId));
  await project.create();
  const rows = await t.db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "in", [blind.id, colleague.id])
    .execute();
  assert.deepEqual([rows, await mailsTo(t.db, blind), await mailsTo(t.db, colleague)], [[], [], []]);
});

test("a refused report notifies nobody", async () => {
  assert.equal((await project.admin.post(project.reports, { title: "No text" })).status, 422);
  assert.deepEqual(await messagesTo(t, user), []);
});

for (const [off, mails] of [
  [["notify_report_activity_email"], 0],
  [["email_notifications_enabled"], 0],
  [["notify_watched_activity_email", "notify_error_activity_email"], 1],
] as [Preference[], number][])
  test(`with ${off.join(", ")} off, a report is in the inbox and sends ${mails} email`, async () => {
    await switchOff(t.db, user, off);
    await project.create();
    assert.deepEqual([(await inboxOf(t, user)).length, (await mailsTo(t.db, user)).length], [1, mails]);
  });

test("the creator of a project watches its reports", async () => {
  const client: Client = await as(user);
  const made = await client.post("/api/projects", { key: `N${user.id}`, name: "New" });
  const url = `/api/projects/${made.body.id}/reports`;
  assert.deepEqual((await client.get(`${url}/watch`)).body, { report_watcher_ids: [user.id] });
  await project.admin.post(url, { title: "Broken", description: "It is" });
  assert.deepEqual(
    (await messagesTo(t, user)).map(([type]) => type),
    [7],
  );
});
