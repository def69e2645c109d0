import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openAlerts, runRules } from "../../../../test/support/alert-rules.ts";
import { mailsTo } from "../../../../test/support/inbox.ts";
import { makeMember, makePersonalToken, makeTeam, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { queueErrorDigests } from "../../inform/notify/error-digest.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

test("each person gets one entry per firing, however many actions name them, and nobody without the permission", async () => {
  const { id, create, send, messages, groupIds, member, admin, groups, path } = await open();
  const inTeam = await makeMember(t.db, id);
  const blind = await makeMember(t.db, id, { role: { permissions: ["reports:read"] } });
  const team = await makeTeam(t.db, workspace.id, { members: [member, inTeam] });
  await create({
    when: { kind: "regression" },
    then: [
      { to: "inbox", user_ids: [member.id, blind.id], team_ids: [team.id] },
      { to: "inbox", recipients: ["assignee", "watchers"] },
    ],
  });
  await send();
  const [groupId] = (await groupIds()) as [number];
  await admin.patch(`${groups}/${groupId}`, { assignee_id: member.id });
  await admin.post(`${groups}/${groupId}/resolve`);
  await send({ release: "2.0" });
  await runRules(t);
  assert.deepEqual([(await messages()).length, (await messages(inTeam)).length], [1, 1]);
  assert.deepEqual(await messages(blind), []);
  assert.equal((await admin.delete(`${path}/members/${member.id}`)).status, 204);
});

test("email sends an email without an inbox entry, and both send one", async () => {
  const { id, create, send, messages, member } = await open();
  const both = await makeMember(t.db, id);
  await create({
    name: "Mailed",
    then: [
      { to: "email", user_ids: [member.id, both.id] },
      { to: "inbox", user_ids: [both.id] },
    ],
  });
  await send();
  await runRules(t);
  await queueErrorDigests(t.db);
  assert.deepEqual([(await messages()).length, (await messages(both)).length], [0, 1]);
  for (const user of [member, both]) {
    const mails = await mailsTo(t.db, user);
    assert.equal(mails.length, 1);
    assert.match(mails[0]?.subject ?? "", /^\[P\d+\] Alert “Mailed”: new error RuntimeException in /);
  }
  await t.db
    .updateTable("users")
    .set({ notify_error_activity_email: false })
    .where("id", "=", member.id)
    .execute();
  await send({ exception_class: "Second", stack_trace: "#0 /app/second.php(1): second()" });
  await runRules(t);
  await sql`update error_digests set due_at = now(), queued_at = null where due_at is not null`.execute(t.db);
  await queueErrorDigests(t.db);
  assert.equal((await mailsTo(t.db, member)).length, 1);
});

test("an inbox entry without an email action causes no email", async () => {
  const { create, send, member } = await open();
  await create({});
  await send();
  await runRules(t);
  await queueErrorDigests(t.db);
  assert.deepEqual(await mailsTo(t.db, member), []);
});

test("without its default rule, a project's watchers are not notified of new errors", async () => {
  const project = await openProject(t, workspace);
  const watcher = await makeMember(t.db, project.id);
  await t.db
    .insertInto("report_watchers")
    .values({ project_id: project.id, workspace_id: workspace.id, user_id: watcher.id })
    .execute();
  const url = `/api/projects/${project.id}/alert-rules`;
  const [rule] = (await project.admin.get(url)).body.data;
  const types = async () => {
    const client = t.http.as(await makePersonalToken(t.db, watcher.id));
    const inbox = (await client.get("/api/notifications?include=all")).body as Notification[];
    return inbox.map(({ type }) => type);
  };
  await project.send();
  await runRules(t);
  assert.deepEqual(await types(), [10]);
  await project.admin.patch(`${url}/${rule.id}`, { active: false });
  await project.send({ exception_class: "Second", stack_trace: "#0 /app/second.php(1): second()" });
  await runRules(t);
  assert.deepEqual(await types(), [10]);
});
