import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { notifyDoneReports } from "./notify-done-reports.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Promoted = { project: TestProject; creator: Client; userId: number; reportId: number; issueId: number };

/** The promoted report of a member, in a project that tells creators when their reports are done. */
async function promoted({ ship_tells_reporters = true, releases = ["4.11.0"] } = {}): Promise<Promoted> {
  const project = await openProject(t, workspace);
  const path = `/api/projects/${project.id}`;
  await project.admin.patch(path, { lifecycle: { ship_tells_reporters } });
  const { id: userId } = await makeMember(t.db, project.id, { role: "Member" });
  const creator = t.http.as(await makePersonalToken(t.db, userId));
  for (const version of releases) await deploy(project, version);
  const report = await creator.post(`${path}/reports`, { title: "The cart is empty", description: "Always" });
  assert.equal(report.status, 201, report.text);
  const body = { report_ids: [report.body.id], title: "Keep the cart", description: "Always" };
  const issue = await project.admin.post(`${path}/reports/promote`, body);
  const [{ promoted_issue_id: issueId }] = issue.body;
  return { project, creator, userId, reportId: report.body.id, issueId };
}

const deploy = async (project: TestProject, version: string) =>
  assert.ok((await project.admin.post(`/api/projects/${project.id}/releases`, { version })).status < 300);

async function move({ project, issueId }: Promoted, kind: string) {
  const lanes = (await project.admin.get(`/api/projects/${project.id}/lanes`)).body.data;
  const lane = lanes.find((one: { kind: string }) => one.kind === kind);
  const url = `/api/projects/${project.id}/issues/${issueId}`;
  assert.equal((await project.admin.patch(url, { lane_id: lane.id })).status, 200);
}

/** The creator's entries about reports that are done, after the job has run. */
async function told({ creator }: Promoted): Promise<Notification[]> {
  await notifyDoneReports(t.db);
  return (await creator.get("/api/notifications?include=all&type=15")).body;
}

test("the creator of a report is notified once, when its issue is done and then released", async () => {
  const one = await promoted();
  await deploy(one.project, "4.12.0");
  assert.deepEqual(await told(one), [], "the issue is open");
  await move(one, "done");
  assert.deepEqual(await told(one), [], "no release has been recorded since");
  await deploy(one.project, "4.13.0");
  await Promise.all([notifyDoneReports(t.db), notifyDoneReports(t.db)]);
  const [entry, ...more] = await told(one);
  assert.deepEqual(more, []);
  assert.equal(entry?.message, "Your report “The cart is empty” is done, released in 4.13.0");
  assert.deepEqual(entry.notifiable, {
    type: "report",
    id: one.reportId,
    project_id: one.project.id,
    title: "The cart is empty",
  });
  assert.deepEqual((await one.creator.get("/api/notifications")).body, [], "not one of the basic types");
  const { rows } = await sql<{ preference: string }>`
    select preference from mails where user_id = ${one.userId} and subject like 'Your report%'`.execute(t.db);
  assert.deepEqual(rows, [{ preference: "notify_watched_activity_email" }]);
  await move(one, "todo");
  await move(one, "done");
  await deploy(one.project, "4.14.0");
  assert.equal((await told(one)).length, 1);
});

test("an issue that is reopened before the release notifies nobody until it is done again", async () => {
  const one = await promoted();
  await move(one, "done");
  await move(one, "doing");
  await deploy(one.project, "4.12.0");
  assert.deepEqual(await told(one), []);
  await move(one, "done");
  assert.deepEqual(await told(one), []);
  await deploy(one.project, "4.13.0");
  assert.equal((await told(one))[0]?.message, "Your report “The cart is empty” is done, released in 4.13.0");
});

test("a project without releases needs none: its reports are done when their issue is", async () => {
  const one = await promoted({ releases: [] });
  assert.deepEqual(await told(one), []);
  await move(one, "done");
  assert.equal((await told(one))[0]?.message, "Your report “The cart is empty” is done");
});

test("nobody is notified of releases from before the setting was turned on", async () => {
  const one = await promoted({ ship_tells_reporters: false });
  await move(one, "done");
  await deploy(one.project, "4.12.0");
  assert.deepEqual(await told(one), []);
  const path = `/api/projects/${one.project.id}`;
  await one.project.admin.patch(path, { lifecycle: { ship_tells_reporters: true } });
  await deploy(one.project, "4.13.0");
  assert.deepEqual(await told(one), []);
});

test("a creator who may no longer read the report is not notified", async () => {
  const one = await promoted();
  await move(one, "done");
  await sql`delete from project_members where project_id = ${one.project.id} and user_id = ${one.userId}`.execute(
    t.db,
  );
  await deploy(one.project, "4.12.0");
  await notifyDoneReports(t.db);
  const { rows } = await sql`select from notifications where user_id = ${one.userId} and type = 15`.execute(
    t.db,
  );
  assert.equal(rows.length, 0);
});
