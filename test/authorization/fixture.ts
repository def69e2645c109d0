import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { hashPassword } from "../../src/server/access/passwords.ts";
import type { Client } from "../support/client.ts";
import { anEvent } from "../support/error-events.ts";
import { png } from "../support/images.ts";
import {
  makeCookie,
  makePersonalToken,
  makeProjectToken,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../support/make.ts";
import { upload } from "../support/multipart.ts";
import type { TestApp } from "../support/test-app.ts";
import { marker, type MarkerKind } from "./markers.ts";
import { API } from "../../src/shared/reports.ts";
import type { Scope } from "./principals.ts";
import { waitUntil } from "../support/eventually.ts";

/** Ids by the names of path parameters, and a few that bodies name. */
export type Ids = Record<string, number | string>;

/** Two workspaces with objects of every kind. All texts of B and C, and most of A, contain a marker. */
export type Fixture = Record<Scope, Ids> & {
  one: { id: number; admin: TestUser };
  two: { id: number; admin: TestUser };
  /** Clients of their administrators. */
  clients: Record<Scope, Client>;
  /** The user whose session, token and identity are among the ids of A. */
  throwAway: TestUser;
};

export async function makeFixture(t: TestApp): Promise<Fixture> {
  const one = await makeWorkspace(t.db);
  const two = await makeWorkspace(t.db);
  const first = t.http.as(await makePersonalToken(t.db, one.admin.id));
  const second = t.http.as(await makePersonalToken(t.db, two.admin.id));
  const throwAway = await makeUser(t.db);
  await t.db
    .updateTable("users")
    .set({ password_hash: await hashPassword("correct horse") })
    .where("id", "=", throwAway.id)
    .execute();
  const A = await fill(t, "A", one, first);
  const B = await fill(t, "B", one, first);
  const C = await fill(t, "C", two, second);
  Object.assign(A, await accountOf(t, throwAway));
  return { one, two, clients: { A: first, B: first, C: second }, throwAway, A, B, C };
}

async function fill(
  t: TestApp,
  scope: Scope,
  workspace: { id: number; admin: TestUser },
  admin: Client,
): Promise<Ids> {
  const mark = (kind: MarkerKind) => marker(scope, kind);
  const made = async (path: string, body?: unknown) => {
    const answer = await admin.post(path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const w = `/api/workspaces/${workspace.id}`;
  const project = await made("/api/projects", {
    workspace_id: workspace.id,
    key: `KEY${scope}`,
    name: mark("project"),
    description: mark("project"),
  });
  const p = `/api/projects/${project.id}`;
  const gone = await made("/api/projects", {
    workspace_id: workspace.id,
    key: `GONE${scope}`,
    name: mark("project"),
  });
  const deletion = (await admin.delete(`/api/projects/${gone.id}`)).body;
  const name = mark("project");
  const lane = await made(`${p}/lanes`, { name, kind: "todo" });
  const label = await made(`${p}/labels`, { name, color: "#1f6feb" });
  const view = await made(`${p}/views`, { page: "issues", name });
  const template = await made(`${p}/issue-templates`, {
    name,
    title: mark("issue"),
    description: mark("issue"),
  });
  const sprint = await made(`${p}/sprints`, { name, goal: name });
  const epic = await made(`${p}/epics`, { title: mark("epic"), description: mark("epic") });
  const title = mark("issue");
  const links = { label_ids: [label.id], epic_id: epic.id, sprint_id: sprint.id };
  const issue = await made(`${p}/issues`, { title, description: title, ...links });
  const comment = await made(`${p}/issues/${issue.id}/comments`, { content: title });
  await made(`${p}/issues/${issue.id}/comments`, { content: title, parent_id: comment.id });
  const epicComment = await made(`${p}/epics/${epic.id}/comments`, { content: mark("epic") });
  const report = await made(`${p}/reports`, {
    title: mark("report"),
    description: mark("report"),
    author_name: mark("report"),
  });
  const text = { title: mark("report"), description: mark("report") };
  const outsideReport = await t.db
    .insertInto("reports")
    .values({ ...text, project_id: project.id, source: API, rank: "z" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const statusLink = (await admin.get(`${p}/reports/${outsideReport.id}/status-link`)).body;
  const attach = async (path: string, kind: MarkerKind) => {
    const file = { name: "file", filename: `${mark(kind)}.txt`, content: mark(kind) };
    const attached = await upload(admin, `${p}/${path}/attachments`, [file]);
    assert.equal(attached.status, 201, attached.text);
    return attached.body.id as number;
  };
  const person = await makePersonOf(t, scope, workspace.id);
  const viewer = await makeRole(t.db, workspace.id, "Viewer");
  await made(`${p}/members`, { user_id: person.id, role_id: viewer });
  const team = await made(`${w}/teams`, { name: mark("team") });
  await made(`${w}/teams/${team.id}/members/${person.id}`);
  await admin.put(`${p}/teams/${team.id}`, { role_id: viewer });
  const role = await made(`${w}/roles`, { name: mark("role"), permissions: [] });
  const invitation = await made(`${w}/invitations`, {
    email: `${mark("invitation").toLowerCase()}@example.com`,
    projects: [{ project_id: project.id, role_id: viewer }],
  });
  const plain = await made(`${w}/invitations`, { email: `plain-${scope.toLowerCase()}@example.com` });
  const token = await made(`${p}/tokens`, { name, access: "read" });
  const { feedback } = (await admin.patch(p, { feedback: { public_form: true } })).body;
  const ingestKey = await made(`${p}/ingest-keys`, { name });
  const privacyRule = await made(`${p}/privacy-rules`, { name, key_pattern: name });
  const inboundRule = await made(`${p}/inbound-rules`, { kind: "message", pattern: `only ${name}` });
  const hook = { url: "https://hooks.example.com/x", events: ["report.deleted"] };
  const webhook = await made(`${p}/webhooks`, hook);
  const alertRule = await made(`${p}/alert-rules`, {
    name,
    when: { kind: "new_group" },
    then: [{ to: "inbox", recipients: ["watchers"] }],
  });
  const monitor = await made(`${p}/monitors`, {
    name: mark("error"),
    slug: mark("error").toLowerCase(),
    schedule: { type: "interval", value: 1, unit: "day" },
  });
  const delivery = await made(`${p}/webhooks/${webhook.id}/test`);
  const workspaceWebhook = await made(`${w}/webhooks`, hook);
  const workspaceDelivery = await made(`${w}/webhooks/${workspaceWebhook.id}/test`);
  const gitConnection = await made(`${p}/git-connections`, { host: "github", name });
  const clientEventId = randomUUID();
  const group = await makeGroup(t, scope, project.id, workspace.admin.id, admin, clientEventId);
  const event = (await admin.get(`${p}/error-groups/${group}/events/latest`)).body;
  const groupComment = await made(`${p}/error-groups/${group}/comments`, { content: mark("error") });
  const reportComment = await made(`${p}/reports/${report.id}/comments`, { content: mark("report") });
  // Creates a notification for a user who later loses access.
  await admin.patch(`${p}/issues/${issue.id}`, { assignee_id: person.id });
  return {
    workspaceId: workspace.id,
    projectId: project.id,
    key: `KEY${scope}`,
    deletionId: deletion.id,
    laneId: lane.id,
    labelId: label.id,
    issueTemplateId: template.id,
    viewId: view.id,
    sprintId: sprint.id,
    epicId: epic.id,
    issueId: issue.id,
    issueCommentId: comment.id,
    epicCommentId: epicComment.id,
    reportId: report.id,
    attachmentId: await attach(`reports/${report.id}`, "report"),
    draftFileId: await attach(`issues/${issue.id}`, "issue"),
    issueAttachmentId: await attach(`issues/${issue.id}`, "issue"),
    issueCommentAttachmentId: await attach(`issues/${issue.id}/comments/${comment.id}`, "issue"),
    epicAttachmentId: await attach(`epics/${epic.id}`, "epic"),
    epicCommentAttachmentId: await attach(`epics/${epic.id}/comments/${epicComment.id}`, "epic"),
    errorGroupId: group,
    eventId: event.id,
    clientEventId,
    version: mark("error"),
    artifactId: await addSourceMap(admin, `${p}/releases/${mark("error")}/artifacts`, mark("error")),
    errorGroupCommentId: groupComment.id,
    errorGroupAttachmentId: await attach(`error-groups/${group}`, "error"),
    errorGroupCommentAttachmentId: await attach(`error-groups/${group}/comments/${groupComment.id}`, "error"),
    reportCommentId: reportComment.id,
    reportCommentAttachmentId: await attach(`reports/${report.id}/comments/${reportComment.id}`, "report"),
    teamId: team.id,
    teamOfPersonId: team.id,
    roleId: role.id,
    invitationId: invitation.id,
    token: plain.link.split("/").at(-1),
    formKey: feedback.form_url.split("/").at(-1),
    // Of no link in an email.
    secret: "Zk3vR0w2bLr8mJx1cQ9tUA",
    statusToken: statusLink.url.split("/").at(-1),
    image: 1,
    // Of no subscription.
    tokenId: token.id,
    ingestKeyId: ingestKey.id,
    privacyRuleId: privacyRule.id,
    webhookId: webhook.id,
    alertRuleId: alertRule.id,
    monitorSlug: monitor.slug,
    ingestKey: "0".repeat(32),
    outcome: "start",
    deliveryId: delivery.id,
    webhookIdOfWorkspace: workspaceWebhook.id,
    deliveryIdOfWorkspace: workspaceDelivery.id,
    inboundRuleId: inboundRule.id,
    gitConnectionId: gitConnection.id,
    importId: await addImport(admin, `${p}/imports`, name),
    docsFile: "page.css",
    ...(await accountOf(t, person)),
    ...(await pictureOf(t, person, scope)),
    userId: person.id,
  };
}

async function addSourceMap(admin: Client, url: string, name: string): Promise<number> {
  const part = { name: "files[0]", filename: `~/${name}.js.map`, content: "{}" };
  return (await upload(admin, url, [part])).body.data[0].id;
}

async function addImport(admin: Client, url: string, name: string): Promise<number> {
  const file = { name: "file", filename: `${name}.csv`, content: "title\nOne\n" };
  return (await upload(admin, url, [{ name: "kind", value: "csv" }, file])).body.id;
}

async function makePersonOf(t: TestApp, scope: Scope, workspaceId: number): Promise<TestUser> {
  const name = marker(scope, "person");
  const user = await makeUser(t.db, { email: `${name.toLowerCase()}@example.com` });
  await t.db
    .updateTable("users")
    .set({ first_name: name, last_name: name })
    .where("id", "=", user.id)
    .execute();
  return makeWorkspaceMember(t.db, workspaceId, { user });
}

/** Pictures are named by their content, so each scope needs its own. */
const COLORS = { A: "#aa0000", B: "#00bb00", C: "#0000cc" };

/** Creates a session, a token and an identity of the user. */
async function accountOf(t: TestApp, user: TestUser): Promise<Ids> {
  await makeCookie(t.db, user.id);
  await makePersonalToken(t.db, user.id);
  const idIn = async (table: "sessions" | "personal_tokens") =>
    (
      await t.db
        .selectFrom(table)
        .select("id")
        .where("user_id", "=", user.id)
        .orderBy("id")
        .executeTakeFirstOrThrow()
    ).id;
  const identity = await t.db
    .insertInto("identities")
    .values({ user_id: user.id, issuer: "https://id.example.com", subject: String(user.id), email: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  return {
    sessionId: await idIn("sessions"),
    personalTokenId: await idIn("personal_tokens"),
    identityId: identity.id,
    ownViewId: await makeOwnView(t, user),
  };
}

async function makeOwnView(t: TestApp, user: TestUser): Promise<number> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  return (await client.post("/api/profile/views", { page: "my-issues", name: "Mine" })).body.id;
}

async function pictureOf(t: TestApp, user: TestUser, scope: Scope): Promise<Ids> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const file = { name: "file", filename: "me.png", content: await png(64, 64, COLORS[scope]) };
  const answer = await upload(client, "/api/profile/picture", [file]);
  assert.ok(answer.status < 300, answer.text);
  return { pictureFile: answer.body.profile_picture.webp.split("/").at(-1) };
}

async function makeGroup(
  t: TestApp,
  scope: Scope,
  projectId: number,
  creatorId: number,
  admin: Client,
  event_id: string,
): Promise<number> {
  const text = marker(scope, "error");
  const sender = t.http.as(await makeProjectToken(t.db, projectId, creatorId));
  const p = `/api/projects/${projectId}`;
  const event = anEvent({
    event_id,
    environment: text,
    exception_class: text,
    message: text,
    release: text,
    host: text,
    stack_trace: `#0 /srv/${text}.php(1): run()`,
    context: { kind: "job", name: text },
  });
  assert.equal((await sender.post(`${p}/error-events`, event)).status, 202);
  const { id } = (await admin.get(`${p}/error-groups`)).body.data[0];
  // The change is announced asynchronously; wait for it.
  const change = t.db
    .selectFrom("changes")
    .select("id")
    .where("kind", "=", "error_group")
    .where("target_id", "=", id);
  await waitUntil(async () => (await change.executeTakeFirst()) !== undefined);
  return id;
}
