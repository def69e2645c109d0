import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const board = await openBoard(t, workspace);
  const url = `${board.url}/issue-templates`;
  const create = async (body: object): Promise<IssueTemplate> => {
    const made = await board.admin.post(url, body);
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  const list = async (): Promise<IssueTemplate[]> => (await board.admin.get(url)).body.data;
  return { ...board, templates: url, create, list };
}

test("templates are created with defaults, listed by name, changed and cleared", async () => {
  const { admin, templates, create, list, id: project_id, lanes, label } = await open();
  const plain = await create({ name: "question" });
  assert.deepEqual(plain, {
    id: plain.id,
    project_id,
    name: "question",
    title: null,
    description: null,
    type: 0,
    priority: 2,
    lane_id: null,
    label_ids: [],
    is_default: false,
    created_at: plain.created_at,
  });
  const label_ids = [await label(), await label()];
  const fields = { title: "Bug: ", description: "## Steps\n", type: 1, priority: 0, lane_id: lanes.todo };
  const bug = await create({ name: "Bug", ...fields, label_ids: label_ids.toReversed() });
  assert.deepEqual(bug, { ...bug, ...fields, label_ids });
  assert.deepEqual(await list(), [bug, plain]);
  const cleared = {
    title: null,
    description: null,
    lane_id: null,
    label_ids: [label_ids[1]],
    name: "Defect",
  };
  const changed = await admin.patch(`${templates}/${bug.id}`, cleared);
  assert.deepEqual(changed.body, { ...bug, ...cleared });
  assert.equal((await admin.delete(`${templates}/${plain.id}`)).status, 204);
  assert.equal((await admin.delete(`${templates}/${plain.id}`)).status, 404);
  assert.deepEqual(await list(), [changed.body]);
});

test("null removes all labels from a template", async () => {
  const { admin, templates, create, label } = await open();
  const { id } = await create({ name: "Bug", label_ids: [await label()] });
  const changed = await admin.patch(`${templates}/${id}`, { label_ids: null });
  assert.deepEqual([changed.status, changed.body.label_ids], [200, []]);
});

test("a project has at most one default template", async () => {
  const { admin, templates, create, list } = await open();
  const first = await create({ name: "a", is_default: true });
  await create({ name: "b", is_default: true });
  const defaults = async () => (await list()).filter((one) => one.is_default).map(({ name }) => name);
  assert.deepEqual(await defaults(), ["b"]);
  await admin.patch(`${templates}/${first.id}`, { is_default: true });
  assert.deepEqual(await defaults(), ["a"]);
  await admin.patch(`${templates}/${first.id}`, { is_default: false });
  assert.deepEqual(await defaults(), []);
});

test("a template loses a lane and a label that are deleted", async () => {
  const { admin, url, create, list, lanes, label } = await open();
  const [kept, gone] = [await label(), await label()];
  await create({ name: "a", lane_id: lanes.doing, label_ids: [kept, gone] });
  await admin.delete(`${url}/labels/${gone}`);
  assert.equal((await admin.delete(`${url}/lanes/${lanes.doing}`)).status, 204);
  const [template] = await list();
  assert.deepEqual([template?.lane_id, template?.label_ids], [null, [kept]]);
});

test("a name is unique in its project, and a project has at most 50 templates", async () => {
  const { admin, templates, create, id } = await open();
  await create({ name: "T1" });
  await t.db
    .insertInto("issue_templates")
    .values(
      Array.from({ length: 49 }, (_, n) => ({ project_id: id, name: `T${n + 2}`, type: 0, priority: 2 })),
    )
    .execute();
  const full = await admin.post(templates, { name: "one more" });
  assert.deepEqual(
    [full.status, full.body.message],
    [422, "A project can have at most 50 issue templates. Delete one first."],
  );
  const [first] = (await admin.get(templates)).body.data;
  assert.deepEqual(refusalOf(await admin.patch(`${templates}/${first.id}`, { name: "t50" })), [422, "name"]);
  assert.equal((await admin.patch(`${templates}/${first.id}`, { name: "t1" })).status, 200);
});

test("changes are recorded in the audit log, and only if something changed", async () => {
  const { admin, templates, create, id: project } = await open();
  const { id } = await create({ name: "a" });
  await admin.patch(`${templates}/${id}`, { name: "a", priority: 2 });
  await admin.patch(`${templates}/${id}`, { priority: 1, label_ids: null });
  await admin.delete(`${templates}/${id}`);
  const events = (await admin.get(`/api/workspaces/${workspace.id}/audit-events?kind=issue_template`)).body
    .data;
  const ours = events.filter(
    ({ details }: { details: { project_id: number } }) => details.project_id === project,
  );
  assert.deepEqual(
    ours.map(({ kind, subject, details }: Record<string, { name?: string; fields?: string[] }>) => [
      kind,
      subject?.name,
      details?.fields,
    ]),
    [
      ["issue_template.deleted", "a", undefined],
      ["issue_template.changed", "a", ["priority"]],
      ["issue_template.created", "a", undefined],
    ],
  );
});

test("members read templates, and only those who manage the project change them", async () => {
  const { id, templates, create } = await open();
  const template = `${templates}/${(await create({ name: "a" })).id}`;
  const member = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, id)).id));
  assert.equal((await member.get(templates)).body.data.length, 1);
  assert.equal((await member.post(templates, { name: "b" })).status, 403);
  assert.equal((await member.patch(template, { name: "b" })).status, 403);
  assert.equal((await member.delete(template)).status, 403);
});
