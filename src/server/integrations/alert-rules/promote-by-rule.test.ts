import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openAlerts, PUBLIC_URL, runRules } from "../../../../test/support/alert-rules.ts";
import { makeMember, makeWorkspace } from "../../../../test/support/make.ts";
import { addArtifact } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

/** Line 1, column 1 is line 10, column 1 of the source. */
const MAP = {
  version: 3,
  sources: ["../src/cart.ts"],
  sourcesContent: ["line\n".repeat(20)],
  names: ["total"],
  mappings: "AASAA,oB",
};

const spike = (groupId: number) =>
  sql`insert into error_group_notices (group_id, type, details)
    values (${groupId}, 16, '{"events": 90, "usual": 1}')`.execute(t.db);

test("an error becomes an assigned issue with nobody at the keyboard", async () => {
  const { admin, create, send, only, member, path } = await open();
  const lane = (await admin.get(`${path}/lanes`)).body.data[1];
  const label = (await admin.post(`${path}/labels`, { name: "Urgent", color: "#ff0000" })).body;
  await create({
    then: [
      { to: "issue", lane_id: lane.id, label_ids: [label.id], assignee_id: member.id, priority: 0 },
      { to: "assign", user_id: member.id },
    ],
  });
  await send();
  await runRules(t);
  const group = await only();
  assert.equal(group.assignee_id, member.id);
  const issue = (await admin.get(`${path}/issues/${group.linked_issue_id}`)).body;
  assert.deepEqual(
    [issue.lane_id, issue.label_ids, issue.assignee_id, issue.priority, issue.created_by],
    [lane.id, [label.id], member.id, 0, null],
  );
  assert.ok(issue.description.includes(`${PUBLIC_URL}/projects/`));
});

test("a rule assigns an error to the owner of its code", async () => {
  const { admin, create, send, only, member, path } = await open();
  const changed = await admin.patch(path, { code_owners: `Checkout.php @${member.username}` });
  assert.equal(changed.status, 200, changed.text);
  await create({ then: [{ to: "assign", owners: true }] });
  await send();
  await runRules(t);
  assert.equal((await only()).assignee_id, member.id);
});

test("of a minified error, the original file has the owner, and the issue shows the original trace", async () => {
  const { admin, id, create, send, only, member, path } = await open();
  await admin.patch(path, { code_owners: `/src/cart.ts @${member.username}` });
  await addArtifact(t, id, { release: "1.0", name: "~/app.4f1d2c.js.map", content: MAP });
  await create({ then: [{ to: "assign", owners: true }, { to: "issue" }] });
  const frame = { function: "e", filename: "https://shop.example/app.4f1d2c.js", line: 1, column: 1 };
  const stack_trace = "    at e (https://shop.example/app.4f1d2c.js:1:1)";
  await send({ release: "1.0", stack_trace, frames: [{ ...frame, in_app: true }] });
  await runRules(t);
  const group = await only();
  assert.equal(group.assignee_id, member.id);
  const issue = (await admin.get(`${path}/issues/${group.linked_issue_id}`)).body;
  assert.match(issue.description, /src\/cart\.ts/);
});

test("a group that is linked or assigned stays as it is", async () => {
  const { admin, create, send, only, member, id: projectId, groups } = await open();
  const other = await makeMember(t.db, projectId);
  await send();
  const { id } = await only();
  await runRules(t);
  await admin.post(`${groups}/${id}/promote`, {});
  await admin.patch(`${groups}/${id}`, { assignee_id: other.id });
  const { linked_issue_id } = await only();
  await create({ when: { kind: "spike" }, then: [{ to: "issue" }, { to: "assign", user_id: member.id }] });
  await spike(id);
  await runRules(t);
  const group = await only();
  assert.deepEqual([group.linked_issue_id, group.assignee_id], [linked_issue_id, other.id]);
  const waiting = await t.db.selectFrom("alert_actions").selectAll().where("group_id", "=", id).execute();
  assert.deepEqual(waiting, []);
});

test("an issue is created without a lane or an assignee that no longer exist", async () => {
  const { admin, create, send, only, member, path } = await open();
  const lane = (await admin.post(`${path}/lanes`, { name: "Soon gone", kind: "todo" })).body;
  await create({ then: [{ to: "issue", lane_id: lane.id, assignee_id: member.id }] });
  assert.equal((await admin.delete(`${path}/lanes/${lane.id}`)).status, 204);
  assert.equal((await admin.delete(`${path}/members/${member.id}`)).status, 204);
  await send();
  await runRules(t);
  const issue = (await admin.get(`${path}/issues/${(await only()).linked_issue_id}`)).body;
  assert.equal(issue.assignee_id, null);
});
