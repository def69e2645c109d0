import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client } from "../support/client.ts";
import { makeMember, makePersonalToken, makeRole, type TestUser } from "../support/make.ts";
import { useTestApp } from "../support/test-app.ts";
import { leaks } from "./markers.ts";
import { dump } from "./dump.ts";
import { ROLES, type Principal, type Scope } from "./principals.ts";
import { makeFixture } from "./fixture.ts";

/** Ids of other projects in bodies and queries get the same response as ids that do not exist. */

const t = await useTestApp();
const fixture = await makeFixture(t);
const a = Number(fixture.A["projectId"]);
const p = `/api/projects/${a}`;
const workspaces = { one: "member" } as const;
const user = await makeMember(t.db, a, { role: "Manager" });
const manager = await principal(user, { name: "a Manager", rights: { A: ROLES.Manager }, workspaces });
const administrator = await principal(fixture.one.admin, {
  name: "an administrator",
  rights: { A: "all", B: "all" },
  workspaces: { one: "administrator" },
});
// A role with a member: deleting it requires a replacement role.
const role = await makeRole(t.db, fixture.one.id, { permissions: ["issues:read"] });
const viewer = await makeMember(t.db, a, { role: "Viewer" });
await t.db.updateTable("project_members").set({ role_id: role }).where("user_id", "=", viewer.id).execute();
fixture.A["usedRoleId"] = role;
fixture.A["viewerRoleId"] = await makeRole(t.db, fixture.one.id, "Viewer");
fixture.A["fullLaneId"] = (
  await t.db
    .selectFrom("issues")
    .select("lane_id")
    .where("project_id", "=", a)
    .limit(1)
    .executeTakeFirstOrThrow()
).lane_id;
for (const scope of ["B", "C"] as const)
  fixture[scope]["notificationId"] = (
    await t.db
      .selectFrom("notifications")
      .select("id")
      .where("user_id", "=", Number(fixture[scope]["userId"]))
      .limit(1)
      .executeTakeFirstOrThrow()
  ).id;
const earlier = await dump(t.db);

async function principal(
  user: TestUser,
  held: Pick<Principal, "name" | "rights" | "workspaces">,
): Promise<Principal> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const rest = { headers: {}, credential: "token", kind: "personal", write: true } as const;
  return { ...rest, ...held, client, project: "A", active: true };
}

type Case = {
  status: number;
  /** The name of the id in the fixture. */
  id: string;
  send: (client: Client, id: number) => Promise<Answer>;
  /** The scopes whose ids must be rejected. Project B is in the same workspace as A, so workspace ids of B are valid. */
  of?: readonly Scope[];
  /** Whether an administrator, who can access B, also sends the request. `not` for requests across all projects. */
  administrator?: "also" | "only" | "not";
};

const UNKNOWN = 999_999_999;
const title = "An issue";
const report = { title, description: title };
const own = (name: string) => Number(fixture.A[name]);
const across = { of: ["B", "C"], administrator: "not" } as const;
const ofWorkspace: Pick<Case, "of"> = { of: ["C"] };

/** The fields of an issue that contain ids. */
const FIELDS: Record<string, [id: string, value: (id: number) => unknown]> = {
  lane_id: ["laneId", (id) => id],
  assignee_id: ["userId", (id) => id],
  sprint_id: ["sprintId", (id) => id],
  epic_id: ["epicId", (id) => id],
  label_ids: ["labelId", (id) => [id]],
  "label_ids with one of the project": ["labelId", (id) => [own("labelId"), id]],
  blocked_by_ids: ["issueId", (id) => [id]],
  blocks_ids: ["issueId", (id) => [id]],
  relates_to_ids: ["issueId", (id) => [id]],
  parent_id: ["issueId", (id) => id],
  duplicate_of_id: ["issueId", (id) => id],
};

const TEMPLATE_FIELDS = Object.fromEntries(
  Object.entries(FIELDS).filter(([field]) => /^(lane_id|label_ids)/.test(field)),
);

const FILTERS: Record<string, string> = {
  ids: "issueId",
  lane_id: "laneId",
  assignee_id: "userId",
  sprint_id: "sprintId",
  epic_id: "epicId",
  label_id: "labelId",
  project_id: "projectId",
};

const CASES: Record<string, Case> = {
  ...eachField("a new issue", (client, body) => client.post(`${p}/issues`, { title, ...body })),
  ...eachField("a changed issue", (client, body) => client.patch(`${p}/issues/${own("issueId")}`, body)),
  ...eachField("a promoted report", (client, body) =>
    client.post(`${p}/reports/promote`, { ...report, report_ids: [own("reportId")], ...body }),
  ),
  ...eachField(
    "a new issue template",
    (client, body) => client.post(`${p}/issue-templates`, { name: title, ...body }),
    TEMPLATE_FIELDS,
  ),
  ...eachField(
    "a changed issue template",
    (client, body) => client.patch(`${p}/issue-templates/${own("issueTemplateId")}`, body),
    TEMPLATE_FIELDS,
  ),
  "report_ids of a promotion": {
    status: 422,
    id: "reportId",
    send: (client, id) => client.post(`${p}/reports/promote`, { ...report, report_ids: [id] }),
  },
  "report_ids of a promotion with one of the project": {
    status: 422,
    id: "reportId",
    send: (client, id) =>
      client.post(`${p}/reports/promote`, { ...report, report_ids: [own("reportId"), id] }),
  },
  "error_group_ids of a promotion": {
    status: 422,
    id: "errorGroupId",
    send: (client, id) =>
      client.post(`${p}/reports/promote`, {
        ...report,
        report_ids: [own("reportId")],
        error_group_ids: [id],
      }),
  },
  "report_ids of an error's promotion": {
    status: 422,
    id: "reportId",
    send: (client, id) =>
      client.post(`${p}/error-groups/${own("errorGroupId")}/promote`, { report_ids: [id] }),
  },
  ...Object.fromEntries(
    ["report_id", "rank_before_id", "rank_after_id"].map((field): [string, Case] => [
      `${field} of a reorder`,
      {
        status: 404,
        id: "reportId",
        send: (client, id) =>
          client.post(`${p}/reports/reorder`, { report_id: own("reportId"), [field]: id }),
      },
    ]),
  ),
  "lane_id of a move": {
    status: 422,
    id: "laneId",
    send: (client, id) => client.post(`${p}/issues/${own("issueId")}/move`, { lane_id: id }),
  },
  ...Object.fromEntries(
    ["rank_before_id", "rank_after_id"].map((field): [string, Case] => [
      `${field} of a move`,
      {
        status: 404,
        id: "issueId",
        send: (client, id) => client.post(`${p}/issues/${own("issueId")}/move`, { [field]: id }),
      },
    ]),
  ),
  "parent_id of a comment on an issue": {
    status: 422,
    id: "issueCommentId",
    send: (client, id) => reply(client, "issues", "issueId", id),
  },
  "parent_id of a comment on an epic": {
    status: 422,
    id: "epicCommentId",
    send: (client, id) => reply(client, "epics", "epicId", id),
  },
  "parent_id on an epic that is a comment on an issue": {
    status: 422,
    id: "issueCommentId",
    of: ["A", "B", "C"],
    send: (client, id) => reply(client, "epics", "epicId", id),
  },
  "parent_id on an issue that is a comment on an epic": {
    status: 422,
    id: "epicCommentId",
    of: ["A", "B", "C"],
    send: (client, id) => reply(client, "issues", "issueId", id),
  },
  "attachment_ids of a comment on an issue": {
    status: 422,
    id: "issueAttachmentId",
    send: (client, id) =>
      client.post(`${p}/issues/${own("issueId")}/comments`, { content: title, attachment_ids: [id] }),
  },
  "move_to of a deleted lane": {
    status: 422,
    id: "laneId",
    send: (client, id) => client.delete(`${p}/lanes/${own("fullLaneId")}?move_to=${id}`),
  },
  "move_to of a deleted role": {
    status: 422,
    id: "roleId",
    ...ofWorkspace,
    administrator: "only",
    send: (client, id) =>
      client.delete(`/api/workspaces/${fixture.one.id}/roles/${own("usedRoleId")}?move_to=${id}`),
  },
  "user_id of a new member": {
    status: 422,
    id: "userId",
    ...ofWorkspace,
    send: (client, id) => client.post(`${p}/members`, { user_id: id, role_id: own("viewerRoleId") }),
  },
  "role_id of a new member": {
    status: 422,
    id: "roleId",
    ...ofWorkspace,
    send: (client, id) => client.post(`${p}/members`, { user_id: Number(fixture.B["userId"]), role_id: id }),
  },
  "role_id of a changed member": {
    status: 422,
    id: "roleId",
    ...ofWorkspace,
    send: (client, id) => client.patch(`${p}/members/${own("userId")}`, { role_id: id }),
  },
  "role_id of a project given to a team": {
    status: 422,
    id: "roleId",
    ...ofWorkspace,
    send: (client, id) => client.put(`${p}/teams/${own("teamId")}`, { role_id: id }),
  },
  "project_id of an invitation": {
    status: 422,
    id: "projectId",
    ...ofWorkspace,
    administrator: "only",
    send: (client, id) => invite(client, { project_id: id, role_id: own("viewerRoleId") }),
  },
  "role_id of an invitation": {
    status: 422,
    id: "roleId",
    ...ofWorkspace,
    administrator: "only",
    send: (client, id) => invite(client, { project_id: own("projectId"), role_id: id }),
  },
  ...Object.fromEntries(
    ["bulk-read", "bulk-unread", "bulk-delete", "bulk-snooze"].map((verb): [string, Case] => [
      `notification_ids of ${verb}`,
      {
        status: 422,
        id: "notificationId",
        send: (client, id) =>
          client.post(`/api/notifications/${verb}`, { notification_ids: [id], until: null }),
      },
    ]),
  ),
  "ids of a project's reports": {
    status: 200,
    id: "reportId",
    send: (client, id) => client.get(`${p}/reports?ids=${id}`),
  },
  "error_group_ids of a bulk status": {
    status: 200,
    id: "errorGroupId",
    ...across,
    send: (client, id) => client.post("/api/error-groups/bulk-status", { error_group_ids: [id], status: 2 }),
  },
  "error_group_ids of a bulk assignment": {
    status: 200,
    id: "errorGroupId",
    ...across,
    send: (client, id) =>
      client.post("/api/error-groups/bulk-assign", { error_group_ids: [id], assignee_id: null }),
  },
  "error_group_ids of a merge": {
    status: 422,
    id: "errorGroupId",
    send: (client, id) =>
      client.post(`${p}/error-groups/${own("errorGroupId")}/merge`, { error_group_ids: [id] }),
  },
  "assignee_id of an error group": {
    status: 422,
    id: "userId",
    send: (client, id) => client.patch(`${p}/error-groups/${own("errorGroupId")}`, { assignee_id: id }),
  },
  ...Object.fromEntries(
    Object.entries(FILTERS).flatMap(([filter, id]): [string, Case][] => [
      [
        `${filter} of all issues`,
        { status: 200, id, ...across, send: (client, one) => client.get(`/api/issues?${filter}=${one}`) },
      ],
      [
        `${filter} of a project's issues`,
        { status: 200, id, send: (client, one) => client.get(`${p}/issues?${filter}=${one}`) },
      ],
    ]),
  ),
  ...Object.fromEntries(
    ["error-groups?", "notifications?", "search?query=MARKER&"].map((path): [string, Case] => [
      `project_id of ${path.split("?", 1)}`,
      {
        status: 200,
        id: "projectId",
        ...across,
        send: (client, id) => client.get(`/api/${path}project_id=${id}`),
      },
    ]),
  ),
};

function eachField(
  where: string,
  send: (client: Client, body: Record<string, unknown>) => Promise<Answer>,
  fields = FIELDS,
): Record<string, Case> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, [id, value]]): [string, Case] => [
      `${field} of ${where}`,
      {
        status: 422,
        id,
        send: (client, one) => send(client, { [field.split(" ", 1).join()]: value(one) }),
      },
    ]),
  );
}

const reply = (client: Client, on: string, id: string, parent_id: number) =>
  client.post(`${p}/${on}/${own(id)}/comments`, { content: title, parent_id });

const invite = (client: Client, project: object) =>
  client.post(`/api/workspaces/${fixture.one.id}/invitations`, {
    email: "somebody@example.com",
    projects: [project],
  });

for (const [name, one] of Object.entries(CASES))
  test(`${name}: the id of another project gets the same response as an unknown id`, async () => {
    const { status, id, send, of = ["B", "C"], administrator: who = "also" } = one;
    const asking = [...(who === "only" ? [] : [manager]), ...(who === "not" ? [] : [administrator])];
    for (const caller of asking) {
      const unknown = await send(caller.client, UNKNOWN);
      assert.equal(unknown.status, status, `${caller.name}: ${unknown.text}`);
      for (const scope of of) {
        const foreign = Number(fixture[scope][id]);
        assert.ok(foreign > 0, `${scope} has no ${id}`);
        const answer = await send(caller.client, foreign);
        const text = answer.text.replaceAll(new RegExp(`\\b${foreign}\\b`, "g"), String(UNKNOWN));
        assert.deepEqual([answer.status, text], [status, unknown.text], `${caller.name}, of ${scope}`);
        assert.deepEqual(leaks(caller, answer), []);
      }
    }
  });

test("filters by ids of the project find its issue", async () => {
  for (const [filter, id] of Object.entries(FILTERS))
    for (const url of ["/api/issues", `${p}/issues`]) {
      const { body } = await manager.client.get(
        `${url}?${filter}=${id === "laneId" ? own("fullLaneId") : own(id)}`,
      );
      assert.deepEqual(
        body.data.map((issue: { id: number }) => issue.id),
        [own("issueId")],
        `${url} ${filter}`,
      );
    }
});

test("the rejected requests changed nothing", async () => {
  assert.deepEqual(await dump(t.db), earlier);
});

test("the same fields accept ids of the project", async () => {
  for (const [name, [id, value]] of Object.entries(FIELDS)) {
    const field = name.split(" ", 1).join();
    if (id === "issueId" || name !== field) continue;
    const answer = await manager.client.patch(`${p}/issues/${own("issueId")}`, { [field]: value(own(id)) });
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  }
});
