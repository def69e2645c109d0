import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { collide } from "../../../../test/support/collide.ts";
import { TRACES } from "../../../../test/support/error-events.ts";
import { furtherMessagesTo, inboxOf } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { endDueSnoozes } from "../../errors/groups/end-snoozes.ts";
import { notifyOfErrors } from "../../integrations/alert-rules/notify-of-errors.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const CLASS = "RuntimeException";

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

/** A project with one group, of which nobody has been notified, and two members who can read it and one who cannot. */
async function open() {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0" });
  await notifyOfErrors(t.db, { retentionDays: 90 });
  const [ada, kim] = [await makeMember(t.db, project.id), await makeMember(t.db, project.id)];
  const blind = await makeMember(t.db, project.id, { role: { permissions: ["reports:read"] } });
  return { project, id, url: `${project.groups}/${id}`, ada, kim, blind };
}

const watch = async (groupId: number, ...users: TestUser[]) => {
  for (const user of users)
    await t.db.insertInto("error_group_watchers").values({ group_id: groupId, user_id: user.id }).execute();
};

const watchProject = async (project: TestProject, ...users: TestUser[]) => {
  for (const { id: user_id } of users)
    await t.db
      .insertInto("report_watchers")
      .values({ project_id: project.id, workspace_id: workspace.id, user_id })
      .execute();
};

/** Runs the job in several processes at once. */
const runJob = () => Promise.all([1, 2, 3].map(() => notifyOfErrors(t.db, { retentionDays: 90 })));

async function regress({ project, url }: { project: TestProject; url: string }, release: string) {
  assert.equal((await project.admin.post(`${url}/resolve`)).status, 200);
  await project.send({ release });
}

test("assigning an error notifies the assignee, once, but not themselves and not those who may not read it", async () => {
  const { project, url, ada, blind } = await open();
  const assign = async (client: TestProject["admin"], assignee_id: number | null) =>
    assert.equal((await client.patch(url, { assignee_id })).status, 200);
  for (const assignee of [ada.id, ada.id, null, blind.id]) await assign(project.admin, assignee);
  await assign(await as(ada), ada.id);
  assert.deepEqual(await furtherMessagesTo(t, ada), [[8, `Ada Moss assigned the error ${CLASS} to you`]]);
  assert.deepEqual(await furtherMessagesTo(t, blind), []);
});

test("assigning many errors of several projects notifies the assignee of each", async () => {
  const [one, other] = [await open(), await open()];
  await other.project.send({ stack_trace: TRACES.search, exception_class: "LogicException" });
  await makeMember(t.db, other.project.id, { user: one.ada });
  const { data } = (await other.project.admin.get(other.project.groups)).body;
  const ids = [one.id, ...data.map((group: { id: number }) => group.id)];
  const answer = await one.project.admin.post("/api/error-groups/bulk-assign", {
    error_group_ids: ids,
    assignee_id: one.ada.id,
  });
  assert.equal(answer.status, 200, answer.text);
  const inbox = (await (await as(one.ada)).get("/api/notifications?include=all&type=8"))
    .body as Notification[];
  assert.deepEqual(
    inbox.map(({ notifiable }) => notifiable.type === "error_group" && notifiable.id).sort(),
    ids.sort(),
  );
});

test("a regression notifies the assignee and the watchers once, with its release", async () => {
  const group = await open();
  const { project, id, url, ada, kim, blind } = group;
  await project.admin.patch(url, { assignee_id: ada.id });
  await watch(id, kim, blind);
  await regress(group, "1.1");
  await project.send({ release: "1.2" });
  await runJob();
  await runJob();
  const [entry] = (await (await as(kim)).get("/api/notifications?include=all")).body as Notification[];
  assert.deepEqual(
    [entry?.type, entry?.message, entry?.actor, entry?.notifiable],
    [
      9,
      `The error ${CLASS} came back in 1.1`,
      null,
      {
        type: "error_group",
        id,
        project_id: project.id,
        exception_class: CLASS,
        message: "Something broke",
      },
    ],
  );
  for (const user of [ada, kim])
    assert.equal((await furtherMessagesTo(t, user)).filter(([type]) => type === 9).length, 1);
  assert.deepEqual(await furtherMessagesTo(t, blind), []);
  await regress(group, "1.3");
  await runJob();
  assert.deepEqual(await furtherMessagesTo(t, kim), [
    [9, `The error ${CLASS} came back in 1.1`],
    [9, `The error ${CLASS} came back in 1.3`],
  ]);
});

test("the end of a snooze notifies the watchers once, whether an event or the time ends it", async () => {
  const { project, id, url, ada, kim } = await open();
  await watch(id, ada);
  await project.admin.post(`${url}/ignore`, { until: { occurrences: 1 } });
  await project.send({ release: "1.0" });
  await project.send({ release: "1.0" });
  await runJob();
  const ended = [11, `The snooze of the error ${CLASS} ended`];
  assert.deepEqual(await furtherMessagesTo(t, ada), [ended]);
  await project.admin.post(`${url}/ignore`, { until: { at: "2099-01-15T08:00:00Z" } });
  await sql`update error_groups set snooze_ends_at = now() where id = ${id}`.execute(t.db);
  await Promise.all([endDueSnoozes(t.db), endDueSnoozes(t.db)]);
  await runJob();
  assert.deepEqual(await furtherMessagesTo(t, ada), [ended, ended]);
  assert.deepEqual(await furtherMessagesTo(t, kim), []);
});

test("a new error notifies the project's watchers who may read errors, once", async () => {
  const project = await openProject(t, workspace);
  const [ada, kim] = [await makeMember(t.db, project.id), await makeMember(t.db, project.id)];
  const blind = await makeMember(t.db, project.id, { role: { permissions: ["reports:read"] } });
  await watchProject(project, ada, blind);
  await project.send();
  await project.send();
  await runJob();
  const { name } = (await project.admin.get(`/api/projects/${project.id}`)).body;
  assert.deepEqual(await furtherMessagesTo(t, ada), [[10, `New error ${CLASS} in ${name}`]]);
  for (const other of [kim, blind]) assert.deepEqual(await furtherMessagesTo(t, other), []);
});

test("clients that do not ask for all types neither see nor count these entries", async () => {
  const group = await open();
  await watch(group.id, group.ada);
  await regress(group, "1.1");
  await runJob();
  const client = await as(group.ada);
  assert.deepEqual(await inboxOf(t, group.ada), []);
  assert.equal((await client.get("/api/notifications/unread-count")).body.count, 0);
  assert.equal((await client.get("/api/notifications/unread-count?include=all")).body.count, 1);
});

test("events are stored while the rows of those who will be notified are locked", async () => {
  const group = await open();
  await watch(group.id, group.ada);
  await group.project.admin.post(`${group.url}/resolve`);
  const locks = new Client({ connectionString: t.database.url });
  await locks.connect();
  try {
    await locks.query("begin");
    await locks.query(`select from users where id = ${group.ada.id} for update`);
    await locks.query(`select from project_members where user_id = ${group.ada.id} for update`);
    await locks.query(`select from error_group_watchers where user_id = ${group.ada.id} for update`);
    await group.project.send({ release: "1.1" });
    await locks.query("commit");
  } finally {
    await locks.end();
  }
  await runJob();
  assert.equal((await furtherMessagesTo(t, group.ada)).length, 1);
});

test("someone who loses the permission after the regression is not notified of it", async () => {
  const group = await open();
  await watch(group.id, group.ada, group.kim);
  await regress(group, "1.1");
  const removed = await group.project.admin.delete(
    `/api/projects/${group.project.id}/members/${group.ada.id}`,
  );
  assert.ok(removed.status < 300, removed.text);
  await runJob();
  assert.equal((await furtherMessagesTo(t, group.kim)).length, 1);
  const { rows } = await sql`select from notifications where user_id = ${group.ada.id}`.execute(t.db);
  assert.deepEqual(rows, []);
});

for (const first of ["event", "resolve"] as const)
  test(`a regression and another resolution race, the ${first} first: each regression is notified once`, async () => {
    const group = await open();
    const { project, url, id, ada } = group;
    await watch(id, ada);
    await project.admin.post(`${url}/resolve`);
    const send = () => project.send({ release: "1.1" });
    const resolve = async () => void (await project.admin.post(`${url}/resolve`));
    await collide(t.database, `select from error_groups where id = ${id} for update`, async (waiting) => {
      const one = first === "event" ? send() : resolve();
      await waiting(1);
      const other = first === "event" ? resolve() : send();
      await waiting(2);
      return [one, other];
    });
    await runJob();
    assert.equal((await project.only()).reopen_count, 1);
    assert.equal((await furtherMessagesTo(t, ada)).length, 1);
  });

test("a regression in a deleted project notifies nobody", async () => {
  const group = await open();
  await watch(group.id, group.ada);
  await regress(group, "1.1");
  await sql`update projects set deleted_at = now() where id = ${group.project.id}`.execute(t.db);
  await runJob();
  const { rows } = await sql`select from notifications where project_id = ${group.project.id}`.execute(t.db);
  assert.deepEqual(rows, []);
});
