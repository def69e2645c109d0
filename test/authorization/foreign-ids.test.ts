import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMember, makePersonalToken, makeRole, type TestUser } from "../support/make.ts";
import { useTestApp } from "../support/test-app.ts";
import { leaks } from "./markers.ts";
import { dump } from "./dump.ts";
import { ROLES, type Principal } from "./principals.ts";
import { makeFixture } from "./fixture.ts";
import { ISSUE_FILTERS, issueFields } from "./foreign-id-case.ts";
import { foreignIdsOfLists } from "./foreign-ids-of-lists.ts";
import { foreignIdsOfPeople } from "./foreign-ids-of-people.ts";
import { foreignIdsOfWork } from "./foreign-ids-of-work.ts";

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

const UNKNOWN = 999_999_999;
const own = (name: string) => Number(fixture.A[name]);
const project = { path: p, own, fixture };
const CASES = {
  ...foreignIdsOfWork(project),
  ...foreignIdsOfPeople(project),
  ...foreignIdsOfLists(project),
};

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
  for (const [filter, id] of Object.entries(ISSUE_FILTERS))
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
  for (const [name, [id, value]] of Object.entries(issueFields(own))) {
    const field = name.split(" ", 1).join();
    if (id === "issueId" || name !== field) continue;
    const answer = await manager.client.patch(`${p}/issues/${own("issueId")}`, { [field]: value(own(id)) });
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  }
});
