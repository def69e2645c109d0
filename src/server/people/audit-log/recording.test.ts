import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { failWrites } from "../../../../test/support/fail-writes.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeRole,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { AuditEvent } from "../../../shared/audit.ts";
import { recordAudit } from "../../record/audit.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));

/** The entries of some kinds that an administrator reads, oldest first. */
const recorded = async (filter: string): Promise<AuditEvent[]> => {
  const answer = await board.admin.get(`/api/workspaces/${workspace.id}/audit-events?limit=200&${filter}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.toReversed();
};
const summary = ({ kind, subject, details }: AuditEvent) => ({ kind, subject, details });
const last = async (filter: string) => {
  const event = (await recorded(filter)).at(-1);
  assert.ok(event, `nothing was recorded of ${filter}`);
  return event;
};
const makeReport = async (title: string): Promise<number> => {
  const answer = await board.admin.post(`${board.url}/reports`, { title, description: "What happened" });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
};
const inProject = () => ({ project_id: board.id, project_key: board.key });

test("an entry names actor, address, user agent and subject as they were called then", async () => {
  const id = await board.label("Odd");
  const token = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const answer = await token.send({
    method: "DELETE",
    url: `${board.url}/labels/${id}`,
    headers: { "user-agent": `Browser ${"x".repeat(500)}` },
  });
  assert.equal(answer.status, 204);
  const { created_at, details, user_agent, ...event } = await last("kind=label.deleted");
  const { id: tokenId } = await t.db
    .selectFrom("personal_tokens")
    .select("id")
    .where("user_id", "=", workspace.admin.id)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  assert.deepEqual(details, { ...inProject(), by: { personal_token_id: tokenId } });
  assert.equal(user_agent, `Browser ${"x".repeat(247)}`);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.deepEqual(
    { ...event, id: typeof event.id },
    {
      id: "number",
      kind: "label.deleted",
      actor: { id: workspace.admin.id, name: "Ada Moss" },
      subject: { type: "label", id, name: "Odd" },
      ip: "127.0.0.1",
    },
  );
});

test("creating and revoking personal tokens is recorded", async () => {
  const made = await browser.post("/api/profile/tokens", { name: "CI", write: true });
  assert.equal(made.status, 201);
  assert.equal((await browser.delete(`/api/profile/tokens/${made.body.id}`)).status, 204);
  const subject = { type: "personal_token", id: made.body.id, name: "CI" };
  assert.deepEqual((await recorded(`subject_type=personal_token&subject_id=${made.body.id}`)).map(summary), [
    { kind: "token.created", subject, details: { write: true, expires_at: null } },
    { kind: "token.revoked", subject, details: {} },
  ]);
});

test("creating, changing and revoking project tokens is recorded", async () => {
  const made = await browser.post(`${board.url}/tokens`, { name: "Hook", access: "read" });
  const url = `${board.url}/tokens/${made.body.id}`;
  assert.equal((await browser.patch(url, { active: false })).status, 200);
  assert.equal((await browser.patch(url, {})).status, 200);
  assert.equal((await browser.delete(url)).status, 204);
  const subject = { type: "project_token", id: made.body.id, name: "Hook" };
  assert.deepEqual((await recorded(`subject_type=project_token&subject_id=${made.body.id}`)).map(summary), [
    {
      kind: "token.created",
      subject,
      details: { access: "read", active: true, expires_at: null, ...inProject() },
    },
    { kind: "token.changed", subject, details: { active: false, ...inProject() } },
    { kind: "token.revoked", subject, details: inProject() },
  ]);
});

test("creating and deleting an invitation is recorded", async () => {
  const url = `/api/workspaces/${workspace.id}/invitations`;
  const made = await browser.post(url, { email: "Zoe@example.com", is_admin: true });
  assert.equal((await browser.delete(`${url}/${made.body.id}`)).status, 204);
  const subject = { type: "invitation", id: made.body.id, name: "Zoe@example.com" };
  assert.deepEqual((await recorded(`subject_type=invitation&subject_id=${made.body.id}`)).map(summary), [
    { kind: "invitation.created", subject, details: { is_admin: true, project_ids: [] } },
    { kind: "invitation.deleted", subject, details: {} },
  ]);
});

test("accepting an invitation and joining its projects are recorded with the invited person as actor", async () => {
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const email = "bea@example.com";
  const made = await browser.post(`/api/workspaces/${workspace.id}/invitations`, {
    email,
    projects: [{ project_id: board.id, role_id }],
  });
  const names = { first_name: "Bea", last_name: "Hall", username: "bea" };
  const accepted = await t.http.post(`/api${new URL(made.body.link).pathname}`, {
    ...names,
    password: "correct horse",
  });
  assert.equal(accepted.status, 201);
  const actor = { id: accepted.body.id, name: "Bea Hall" };
  const events = await recorded(`actor_id=${accepted.body.id}`);
  assert.ok(events.every((event) => JSON.stringify(event.actor) === JSON.stringify(actor)));
  const person = { type: "user", ...actor };
  assert.deepEqual(events.map(summary), [
    {
      kind: "invitation.accepted",
      subject: { type: "invitation", id: made.body.id, name: email },
      details: { is_admin: false },
    },
    {
      kind: "project_member.added",
      subject: person,
      details: { role_id, invitation_id: made.body.id, ...inProject() },
    },
    { kind: "session.created", subject: person, details: {} },
  ]);
});

test("switching a feature and renaming the workspace are separate entries, and updates without a change are not recorded", async () => {
  const url = `/api/workspaces/${workspace.id}`;
  const { name } = (await browser.get(url)).body;
  await browser.patch(url, { name, features: { reports: true, error_tracking: true } });
  await browser.patch(url, { name: "Renamed", features: { reports: false, error_tracking: true } });
  await browser.patch(url, { features: { reports: true } });
  const subject = { type: "workspace", id: workspace.id, name: "Renamed" };
  const events = await recorded("subject_type=workspace");
  assert.deepEqual(events.map(summary), [
    { kind: "workspace.created", subject: { ...subject, name }, details: {} },
    { kind: "workspace.changed", subject, details: { name: "Renamed", name_before: name } },
    { kind: "feature.switched", subject, details: { feature: "reports", enabled: false } },
    { kind: "feature.switched", subject, details: { feature: "reports", enabled: true } },
  ]);
});

test("deleting a project keeps its entries, without its description", async () => {
  const made = await browser.post("/api/projects", {
    workspace_id: workspace.id,
    key: "GONE",
    name: "Gone",
    description: "nobody else's business",
  });
  const url = `/api/projects/${made.body.id}`;
  assert.equal((await browser.patch(url, { description: "still not" })).status, 200);
  assert.equal((await browser.delete(url)).status, 202);
  const subject = { type: "project", id: made.body.id, name: "Gone" };
  const project = { project_id: made.body.id, project_key: "GONE" };
  assert.deepEqual((await recorded(`subject_type=project&subject_id=${made.body.id}`)).map(summary), [
    { kind: "project.created", subject, details: project },
    { kind: "project.changed", subject, details: { fields: ["description"], ...project } },
    { kind: "project.deleted", subject, details: project },
  ]);
});

test("deleting work items is recorded with their names", async () => {
  const issue = await board.make({ title: "Old issue" });
  const report = await makeReport("Old report");
  const lane = (await browser.post(`${board.url}/lanes`, { name: "Old lane", kind: "todo" })).body.id;
  const [label, sprint, epic] = [await board.label("Old label"), await board.sprint(), await board.epic()];
  const deleted: [string, number][] = [
    ["issue", issue.id],
    ["report", report],
    ["lane", lane],
    ["label", label],
    ["sprint", sprint],
    ["epic", epic],
  ];
  for (const [thing, id] of deleted) {
    assert.equal((await browser.delete(`${board.url}/${thing}s/${id}`)).status, 204, thing);
    const event = await last(`kind=${thing}.deleted`);
    assert.deepEqual([event.subject?.type, event.subject?.id], [thing, id]);
    assert.ok(event.subject?.name, thing);
    const number = Number(issue.key.split("-")[1]);
    assert.deepEqual(event.details, { ...(thing === "issue" ? { number } : {}), ...inProject() });
  }
  assert.equal((await last("kind=issue.deleted")).subject?.name, "Old issue");
});

test("deleting another person's comment is recorded without its text, deleting one's own is not", async () => {
  const issue = await board.make();
  const author = await makeMember(t.db, board.id);
  const comments = `${board.issues}/${issue.id}/comments`;
  const theirs = t.http.as(await makePersonalToken(t.db, author.id));
  const [own, other] = [
    (await theirs.post(comments, { content: "mine" })).body.id,
    (await theirs.post(comments, { content: "mine, too" })).body.id,
  ];
  const before = (await recorded("kind=comment")).length;
  assert.equal((await theirs.delete(`${comments}/${own}`)).status, 204);
  assert.equal((await browser.delete(`${comments}/${other}`)).status, 204);
  const events = await recorded("kind=comment");
  assert.deepEqual(events.slice(before).map(summary), [
    {
      kind: "comment.deleted",
      subject: { type: "comment", id: other, name: null },
      details: { author_id: author.id, issue_id: issue.id, ...inProject() },
    },
  ]);
});

test("rejected and rolled-back changes leave no entry", async () => {
  const count = async () => (await t.db.selectFrom("audit_events").select("id").execute()).length;
  const member = t.http.as(await makePersonalToken(t.db, (await makeWorkspaceMember(t.db, workspace.id)).id));
  const label = await board.label();
  const token = await browser.post(`${board.url}/tokens`, { name: "Hook", access: "read" });
  const before = await count();
  assert.equal((await browser.delete(`${board.url}/labels/999999`)).status, 404);
  assert.equal((await member.delete(`${board.url}/labels/${label}`)).status, 403);
  assert.equal((await browser.patch(`/api/workspaces/${workspace.id}`, { name: "" })).status, 422);
  const stopFailing = await failWrites(t.db, { table: "project_tokens", id: token.body.id });
  assert.equal((await browser.patch(`${board.url}/tokens/${token.body.id}`, { name: "X" })).status, 500);
  await stopFailing();
  await t.db
    .transaction()
    .execute(async (tx) => {
      await recordAudit(tx, { kind: "export.made", workspace_id: workspace.id });
      throw new Error("no space left");
    })
    .catch(() => {});
  assert.equal(await count(), before);
});
