import assert from "node:assert/strict";
import { test } from "node:test";
import { openAlerts } from "../../../../test/support/alert-rules.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeTeam,
  makeUser,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { AlertRule } from "../../../shared/alert-rules.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openAlerts(t, workspace);

test("a new project has rules about new errors, regressions and spikes", async () => {
  const project = await openProject(t, workspace);
  const { body } = await project.admin.get(`/api/projects/${project.id}/alert-rules`);
  const both = (recipients: string[]) => [
    { to: "inbox", recipients },
    { to: "email", recipients },
  ];
  assert.deepEqual(
    body.data.map(({ name, when, then, active, created_by }: AlertRule) => [
      name,
      when,
      then,
      active,
      created_by,
    ]),
    [
      ["New errors", { kind: "new_group" }, both(["watchers"]), true, null],
      ["Regressions", { kind: "regression" }, both(["watchers", "assignee"]), true, null],
      ["Spikes", { kind: "spike" }, both(["watchers"]), true, null],
    ],
  );
});

test("a rule is created with its defaults, read, changed and deleted", async () => {
  const { admin, url, create, toMember } = await open();
  const rule = await create({ name: "First" });
  const { id, created_at: _created, updated_at: _updated, created_by, ...rest } = rule;
  assert.deepEqual(rest, {
    name: "First",
    active: true,
    when: { kind: "new_group" },
    if: {},
    then: [toMember],
    every_minutes: 60,
    muted_until: null,
    last_fired_at: null,
  });
  assert.equal(created_by, workspace.admin.id);
  assert.deepEqual((await admin.get(`${url}/${id}`)).body, rule);
  const changed = await admin.patch(`${url}/${id}`, {
    active: false,
    when: { kind: "group_events", count: 5, minutes: 10 },
    if: { environment: "production", tags: { area: "checkout" } },
    every_minutes: 5,
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body.when, { kind: "group_events", count: 5, minutes: 10 });
  assert.deepEqual(changed.body.if, { environment: "production", tags: { area: "checkout" } });
  assert.deepEqual(
    [changed.body.active, changed.body.every_minutes, changed.body.then],
    [false, 5, [toMember]],
  );
  assert.equal((await admin.delete(`${url}/${id}`)).status, 204);
  assert.equal((await admin.get(`${url}/${id}`)).status, 404);
});

test("an action that differs in one field is a change", async () => {
  const { admin, url, create, member } = await open();
  const { id } = await create({});
  const then = [{ to: "email", user_ids: [member.id] }];
  assert.deepEqual((await admin.patch(`${url}/${id}`, { then })).body.then, then);
});

test("unknown fields in when, if and then are rejected", async () => {
  const { admin, url, toMember } = await open();
  const post = (rule: object) =>
    admin.post(url, { name: "R", when: { kind: "new_group" }, then: [toMember], ...rule });
  for (const [rule, field] of [
    [{ when: { kind: "new_group", minutes: 5 } }, "when"],
    [{ if: { enviroment: "production" } }, "if"],
    [{ then: [{ ...toMember, only_if: "urgent" }] }, "then.0"],
  ] as const) {
    const answer = await post(rule);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], answer.text);
  }
});

test("invalid numbers, patterns, recipients and actions are rejected by name", async () => {
  const { admin, url, toMember } = await open();
  const when = { kind: "group_events", count: 1, minutes: 10 };
  for (const [rule, field] of [
    [{ when: { ...when, minutes: 9 } }, "when.minutes"],
    [{ when: { ...when, minutes: 1_441 } }, "when.minutes"],
    [{ when: { ...when, count: 0 } }, "when.count"],
    [{ when: { kind: "report_waiting", days: 366 } }, "when.days"],
    [{ when: { kind: "release_new_groups", count: -1 } }, "when.count"],
    [{ when: { kind: "unknown" } }, "when.kind"],
    [{ when: "often" }, "when"],
    [{ if: { class_pattern: "x".repeat(201) } }, "if.class_pattern"],
    [{ if: { level: "bad" } }, "if.level"],
    [{ then: [] }, "then"],
    [{ then: Array.from({ length: 11 }, () => toMember) }, "then"],
    [{ then: [{ to: "inbox" }] }, "then.0"],
    [{ then: [{ to: "inbox", recipients: ["everyone"] }] }, "then.0.recipients.0"],
    [{ then: [{ to: "assign" }] }, "then.0"],
    [{ then: [{ to: "assign", owners: true, user_id: 1 }] }, "then.0"],
    [{ then: [{ to: "pager" }] }, "then.0.to"],
    [{ every_minutes: 0 }, "every_minutes"],
    [{ every_minutes: 10_081 }, "every_minutes"],
    [{ name: " " }, "name"],
  ] as const) {
    const answer = await admin.post(url, { name: "R", when, then: [toMember], ...rule });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], answer.text);
  }
});

test("rules about reports and releases accept neither conditions nor actions on groups", async () => {
  const { admin, url, toMember } = await open();
  for (const when of [
    { kind: "report_created" },
    { kind: "report_waiting", days: 3 },
    { kind: "release_new_groups", count: 5 },
  ]) {
    const withCondition = await admin.post(url, {
      name: "R",
      when,
      if: { environment: "production" },
      then: [toMember],
    });
    assert.deepEqual(Object.keys(withCondition.body.errors), ["if.environment"]);
    const withAction = await admin.post(url, { name: "R", when, then: [toMember, { to: "issue" }] });
    assert.deepEqual(Object.keys(withAction.body.errors), ["then.1"]);
  }
  const preview = { when: { kind: "report_created" }, if: { level: "error" } };
  assert.equal((await admin.post(`${url}/preview`, preview)).status, 422);
});

test("users without access, foreign teams, and webhooks, lanes and labels of other projects are rejected", async () => {
  const { admin, url, makeWebhook } = await open();
  const other = await openAlerts(t, workspace);
  const stranger = await makeUser(t.db);
  const foreignTeam = await makeTeam(t.db, (await makeWorkspace(t.db)).id);
  const otherLane = (await admin.get(`${other.path}/lanes`)).body.data[0].id;
  for (const [action, field] of [
    [{ to: "inbox", user_ids: [stranger.id] }, "then.0.user_ids.0"],
    [{ to: "email", team_ids: [foreignTeam.id] }, "then.0.team_ids.0"],
    [{ to: "webhook", webhook_id: await other.makeWebhook() }, "then.0.webhook_id"],
    [{ to: "issue", lane_id: otherLane }, "then.0.lane_id"],
    [{ to: "issue", label_ids: [99_999] }, "then.0.label_ids.0"],
    [{ to: "issue", assignee_id: stranger.id }, "then.0.assignee_id"],
    [{ to: "assign", user_id: stranger.id }, "then.0.user_id"],
  ] as const) {
    const answer = await admin.post(url, { name: "R", when: { kind: "new_group" }, then: [action] });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], answer.text);
  }
  const then = [{ to: "webhook", webhook_id: await makeWebhook() }];
  assert.equal((await admin.post(url, { name: "R", when: { kind: "new_group" }, then })).status, 201);
});

test("a recipient who has lost access does not prevent renaming the rule", async () => {
  const { admin, url, create, id: projectId, member } = await open();
  const { id } = await create({});
  assert.equal((await admin.delete(`/api/projects/${projectId}/members/${member.id}`)).status, 204);
  assert.equal((await admin.patch(`${url}/${id}`, { name: "Renamed" })).body.name, "Renamed");
});

test("a project has at most 50 rules, the default ones included", async () => {
  const project = await openProject(t, workspace);
  const url = `/api/projects/${project.id}/alert-rules`;
  const rule = { name: "R", when: { kind: "new_group" }, then: [{ to: "inbox", recipients: ["watchers"] }] };
  for (let n = 4; n <= 50; n++) assert.equal((await project.admin.post(url, rule)).status, 201);
  assert.equal((await project.admin.post(url, rule)).status, 422);
});

test("mute returns the silenced rule, null ends the silence, and a past time is rejected", async () => {
  const { admin, url, create } = await open();
  const { id } = await create({});
  const until = "2099-01-15T08:00:00.000000Z";
  const muted = await admin.post(`${url}/${id}/mute`, { until });
  assert.deepEqual([muted.status, muted.body.muted_until], [200, until]);
  assert.equal((await admin.post(`${url}/${id}/mute`, { until: "2020-01-01T00:00:00Z" })).status, 422);
  assert.equal((await admin.post(`${url}/${id}/mute`, { until: null })).body.muted_until, null);
});

test("creating, changing, muting and deleting a rule is in the audit log", async () => {
  const { admin, url, create, id: projectId } = await open();
  const { id } = await create({ name: "Audited" });
  await admin.patch(`${url}/${id}`, { active: false });
  await admin.post(`${url}/${id}/mute`, { until: "2099-01-15T08:00:00Z" });
  await admin.post(`${url}/${id}/mute`, { until: null });
  await admin.delete(`${url}/${id}`);
  const events = await admin.get(`/api/workspaces/${workspace.id}/audit-events?kind=alert_rule`);
  const own = events.body.data.filter(
    ({ details }: { details: { project_id: number } }) => details.project_id === projectId,
  );
  assert.deepEqual(
    own.map(({ kind }: { kind: string }) => kind),
    ["deleted", "unmuted", "muted", "changed", "created"].map((verb) => `alert_rule.${verb}`),
  );
});

test("rules are read and written with project:update, and a rule of another project does not exist", async () => {
  const { url, id: projectId, create } = await open();
  const other = await makeProject(t.db, workspace.id);
  const { id } = await create({});
  const role = { permissions: ["error-groups:read", "error-groups:update"] };
  const reader = await makeMember(t.db, projectId, { role });
  const client = t.http.as(await makePersonalToken(t.db, reader.id));
  assert.equal((await client.get(url)).status, 403);
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  assert.equal((await admin.get(`/api/projects/${other.id}/alert-rules/${id}`)).status, 404);
});
