import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeEach, test } from "node:test";
import { anEvent } from "../../../test/support/error-events.ts";
import { makePersonalToken, makeProject, makeWorkspace } from "../../../test/support/make.ts";
import { waitUntil } from "../../../test/support/eventually.ts";
import { traceOf } from "../../../test/support/merge.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
const project = await makeProject(t.db, workspace.id);
const url = `/api/projects/${project.id}`;
beforeEach(() => t.db.deleteFrom("changes").execute());

/** The changes announced since the test began, without duplicates. */
async function announced(): Promise<string[]> {
  const rows = await t.db
    .selectFrom("changes")
    .select(["kind", "project_id", "target_id"])
    .where("kind", "<>", "notification")
    .execute();
  for (const row of rows) assert.equal(row.project_id, project.id);
  return [...new Set(rows.map((row) => `${row.kind} ${row.target_id}`))].sort();
}

test("an issue is announced when it is created, changed, moved and deleted", async () => {
  const { id } = (await admin.post(`${url}/issues`, { title: "Broken" })).body;
  const issue = `${url}/issues/${id}`;
  assert.ok((await announced()).includes(`issue ${id}`));
  const lanes = (await admin.get(`${url}/lanes`)).body.data;
  for (const change of [
    () => admin.patch(issue, { priority: 0 }),
    () => admin.post(`${issue}/move`, { lane_id: lanes[3].id }),
    () => admin.delete(issue),
  ]) {
    await t.db.deleteFrom("changes").execute();
    assert.ok((await change()).status < 300);
    assert.deepEqual(await announced(), [`issue ${id}`]);
  }
});

test("a report is announced when it is created, moved, dismissed and deleted, without other reports", async () => {
  const make = async () =>
    (await admin.post(`${url}/reports`, { title: "T", description: "D" })).body.id as number;
  const [first, second] = [await make(), await make()];
  assert.deepEqual(await announced(), [`report ${first}`, `report ${second}`].sort());
  for (const change of [
    () => admin.post(`${url}/reports/reorder`, { report_id: second, rank_after_id: first }),
    () => admin.post(`${url}/reports/${second}/dismiss`, { category: "invalid" }),
    () => admin.delete(`${url}/reports/${second}`),
  ]) {
    await t.db.deleteFrom("changes").execute();
    assert.ok((await change()).status < 300);
    assert.deepEqual(await announced(), [`report ${second}`]);
  }
});

test("an error group is announced when its status changes and when it is promoted, but not when the status stays the same", async () => {
  assert.equal((await admin.post(`${url}/error-events`, anEvent())).status, 202);
  const { id } = (await admin.get(`${url}/error-groups`)).body.data[0];
  const group = `${url}/error-groups/${id}`;
  // The announcement of the event itself arrives asynchronously.
  await waitUntil(async () => (await announced()).length > 0);
  for (const [change, expected] of [
    ["resolve", [`error_group ${id}`]],
    ["resolve", []],
    ["ignore", [`error_group ${id}`]],
  ] as const) {
    await t.db.deleteFrom("changes").execute();
    assert.equal((await admin.post(`${group}/${change}`)).status, 200);
    assert.deepEqual(await announced(), expected);
  }
  await t.db.deleteFrom("changes").execute();
  const { linked_issue_id } = (await admin.post(`${group}/promote`)).body;
  assert.deepEqual(await announced(), [`error_group ${id}`, `issue ${linked_issue_id}`]);
});

test("an error group is announced when it is assigned, snoozed, linked, unlinked, merged and split", async () => {
  const groups = `${url}/error-groups`;
  const send = (name: string) =>
    admin.post(`${url}/error-events`, anEvent({ exception_class: name, stack_trace: traceOf(name) }));
  for (const name of ["Target", "Source"]) assert.equal((await send(name)).status, 202);
  const all = (await admin.get(groups)).body.data as { id: number; exception_class: string }[];
  const idOf = (name: string) => all.find(({ exception_class }) => exception_class === name)?.id;
  const [target, source] = [idOf("Target"), idOf("Source")];
  const one = `${groups}/${target}`;
  const issue = (await admin.post(`${url}/issues`, { title: "Broken" })).body.id as number;
  // The announcements of the events arrive asynchronously.
  await waitUntil(async () => {
    const found = await announced();
    return [target, source].every((id) => found.includes(`error_group ${id}`));
  });
  const both = [`error_group ${target}`, `issue ${issue}`];
  const ofSource = async () =>
    (await admin.get(`${one}/grouping`)).body.fingerprints.find(({ own }: { own: boolean }) => !own)
      .fingerprint;
  for (const [change, expected] of [
    [() => admin.patch(one, { assignee_id: workspace.admin.id }), [`error_group ${target}`]],
    [() => admin.patch(one, { assignee_id: workspace.admin.id }), []],
    [() => admin.post(`${one}/ignore`, { until: { occurrences: 9 } }), [`error_group ${target}`]],
    [() => admin.post(`${one}/link`, { issue }), both],
    [() => admin.delete(`${one}/link`), both],
    [
      () => admin.post(`${one}/merge`, { error_group_ids: [source] }),
      [`error_group ${target}`, `error_group ${source}`].toSorted(),
    ],
    [
      async () => admin.post(`${one}/unmerge`, { fingerprints: [await ofSource()] }),
      [`error_group ${target}`],
    ],
  ] as const) {
    await t.db.deleteFrom("changes").execute();
    assert.equal((await change()).status, 200);
    assert.deepEqual(await announced(), expected);
  }
});

test("a report is announced when the event that it is about arrives after it", async () => {
  const error_event_id = randomUUID();
  const { id } = (await admin.post(`${url}/reports`, { title: "T", description: "D", error_event_id })).body;
  await t.db.deleteFrom("changes").execute();
  const event = anEvent({ event_id: error_event_id });
  assert.equal((await admin.post(`${url}/error-events`, event)).status, 202);
  assert.ok((await announced()).includes(`report ${id}`));
  // The event's group is announced a moment later. The next test must not see that.
  await waitUntil(async () => (await announced()).some((change) => change.startsWith("error_group")));
});

test("an epic is announced when it is created, changed and deleted; a project when it is renamed", async () => {
  const { id } = (await admin.post(`${url}/epics`, { title: "Spring" })).body;
  assert.deepEqual(await announced(), [`epic ${id}`]);
  for (const change of [
    () => admin.patch(`${url}/epics/${id}`, { state: "done" }),
    () => admin.delete(`${url}/epics/${id}`),
  ]) {
    await t.db.deleteFrom("changes").execute();
    assert.ok((await change()).status < 300);
    assert.deepEqual(await announced(), [`epic ${id}`]);
  }
  await t.db.deleteFrom("changes").execute();
  await admin.patch(url, { name: "Other" });
  assert.deepEqual(await announced(), [`project ${project.id}`]);
});
