import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { inboxOf, makeNotification } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const projectId = (await makeProject(t.db, workspaceId)).id;

let user: TestUser;
let client: Client;
let ids: number[];
beforeEach(async () => {
  user = await makeMember(t.db, projectId);
  client = await as(user);
  ids = [];
  for (let n = 0; n < 4; n++) ids.push(await put(user));
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const put = (one: TestUser, read = false) =>
  makeNotification(t.db, one, { workspace_id: workspaceId, project_id: projectId }, { read });
const bulk = (action: "read" | "unread" | "delete", notification_ids: unknown, by = client) =>
  by.post(`/api/notifications/bulk-${action}`, { notification_ids });
const unread = async () =>
  (await inboxOf(t, user))
    .filter((entry) => entry.read_at === null)
    .map((entry) => entry.id)
    .toReversed();
const left = async () => (await inboxOf(t, user)).map((entry) => entry.id).toReversed();

test("the given entries are marked read, marked unread and deleted; others are unchanged", async () => {
  const [a, b, c, d] = ids;
  const answer = await bulk("read", [b, d]);
  assert.deepEqual([answer.status, answer.text], [204, ""]);
  assert.deepEqual(await unread(), [a, c]);
  assert.equal((await bulk("unread", [d])).status, 204);
  assert.deepEqual(await unread(), [a, c, d]);
  assert.equal((await bulk("delete", [a, b])).status, 204);
  assert.deepEqual(await left(), [c, d]);
});

test("an entry that is already read keeps its read_at, and a duplicate id counts once", async () => {
  const [a, b] = ids;
  await bulk("read", [a]);
  const read = (await inboxOf(t, user)).find((entry) => entry.id === a)?.read_at;
  assert.match(read ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal((await bulk("read", [a, b, a])).status, 204);
  assert.equal((await inboxOf(t, user)).find((entry) => entry.id === a)?.read_at, read);
});

for (const action of ["read", "unread", "delete"] as const)
  test(`bulk-${action} is 422 on every id that is not the caller's, and changes nothing`, async () => {
    const other = await put(await makeMember(t.db, projectId), action === "unread");
    const before = await inboxOf(t, user);
    const answer = await bulk(action, [ids[0], other, ids[1], 999_999_999]);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ["notification_ids.1", "notification_ids.3"]);
    assert.deepEqual(
      answer.body.errors["notification_ids.1"],
      answer.body.errors["notification_ids.3"],
      "an entry of somebody else looks like none",
    );
    assert.deepEqual(await inboxOf(t, user), before);
    const row = await t.db.selectFrom("notifications").select("read_at").where("id", "=", other).execute();
    assert.equal(row.length, 1);
    assert.equal(row[0]?.read_at === null, action !== "unread");
  });

for (const [wrong, field] of [
  [undefined, "notification_ids"],
  [null, "notification_ids"],
  [[], "notification_ids"],
  [5, "notification_ids"],
  [["1"], "notification_ids.0"],
  [[0], "notification_ids.0"],
  [[1.5], "notification_ids.0"],
] as const)
  test(`${JSON.stringify(wrong)} is not a valid list of ids`, async () => {
    const answer = await bulk("delete", wrong);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
    assert.deepEqual(await left(), ids);
  });

test("read-all marks all entries of the caller, and only theirs, whatever the body", async () => {
  const other = await makeMember(t.db, projectId);
  await put(other);
  assert.equal((await client.post("/api/notifications/read-all")).status, 204);
  assert.deepEqual(await unread(), []);
  assert.equal((await client.post("/api/notifications/read-all", {})).status, 204);
  assert.equal((await inboxOf(t, other))[0]?.read_at, null);
});

const rows = (some: number[]) => `select from notifications where id in (${some.join()}) for update`;

test("if two deletions share an entry, one deletes all of its entries and the other deletes nothing", async () => {
  const [a, b, c] = ids as [number, number, number];
  const answers = await collide(t.database, rows([b]), async (waiting) => {
    const requests = [bulk("delete", [a, b]), bulk("delete", [c, b])];
    await waiting(2);
    return requests;
  });
  const [winner] = answers.map((answer) => answer.status === 204);
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 422]);
  assert.deepEqual(answers.find((answer) => answer.status === 422)?.body.errors, {
    "notification_ids.1": ["is not one of your notifications"],
  });
  assert.deepEqual(await left(), winner ? [c, ids[3]] : [a, ids[3]]);
});

test("marking the same entries read and unread in opposite orders does not deadlock", async () => {
  const backwards = ids.toReversed();
  const answers = await collide(t.database, rows(ids), async (waiting) => {
    const requests = [
      bulk("read", ids),
      bulk("unread", backwards),
      bulk("read", backwards),
      client.post("/api/notifications/read-all"),
    ];
    await waiting(4);
    return requests;
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 204, 204, 204],
  );
  assert.ok([0, 4].includes((await unread()).length), "all entries have the state of the last one");
});

test("an entry that is created while all are marked read stays unread", async () => {
  const [first] = ids as [number];
  let late = 0;
  await collide(t.database, rows([first]), async (waiting) => {
    const request = client.post("/api/notifications/read-all");
    await waiting(1);
    late = await put(user);
    return [request];
  });
  assert.deepEqual(await unread(), [late]);
});

const INBOX = ["notifications:update", "notifications:delete"];
const roles: [string, string[][], boolean, boolean][] = [
  ["both permissions", [INBOX], true, true],
  ["neither", [["issues:read"]], false, false],
  ["update alone", [["notifications:update"]], true, false],
  ["delete alone", [["notifications:delete"]], false, true],
  ["neither in one project, both in another", [["issues:read"], INBOX], true, true],
  ["each in another project", [["notifications:update"], ["notifications:delete"]], true, true],
];
for (const [name, permissions, mayUpdate, mayDelete] of roles)
  test(`with ${name}, users may ${mayUpdate ? "" : "not "}mark and ${mayDelete ? "" : "not "}delete their notifications`, async () => {
    const person = await makeUser(t.db);
    for (const role of permissions) {
      const { id } = await makeProject(t.db, workspaceId);
      await makeMember(t.db, id, { user: person, role: { permissions: role } });
    }
    await allows(person, mayUpdate, mayDelete);
  });

test("users without any project role, owners and administrators may change their inbox", async () => {
  const none = { permissions: ["issues:read"] };
  await allows(await makeUser(t.db), true, true);
  await allows(await makeMember(t.db, projectId, { role: none, is_owner: true }), true, true);
  const admin = await makeWorkspaceMember(t.db, workspaceId, { is_admin: true });
  await makeMember(t.db, projectId, { user: admin, role: none });
  await allows(admin, true, true);
});

/** 422 means that the permission check has passed: the entry does not exist. */
async function allows(person: { id: number }, mayUpdate: boolean, mayDelete: boolean) {
  const by = await as(person);
  assert.equal((await bulk("read", [1e9], by)).status, mayUpdate ? 422 : 403);
  assert.equal((await bulk("unread", [1e9], by)).status, mayUpdate ? 422 : 403);
  assert.equal((await by.post("/api/notifications/read-all")).status, mayUpdate ? 204 : 403);
  assert.equal((await bulk("delete", [1e9], by)).status, mayDelete ? 422 : 403);
  assert.equal((await by.get("/api/notifications")).status, 200);
  assert.equal((await by.post("/api/profile/notification-preferences", {})).status, 200);
}

test("missing permissions are refused before the body is read", async () => {
  const person = await makeMember(t.db, projectId, { role: { permissions: ["issues:read"] } });
  const broken = { headers: { "content-type": "application/json" }, payload: "{" };
  const send = async (by: Client) =>
    (await by.send({ method: "POST", url: "/api/notifications/bulk-read", ...broken })).status;
  assert.deepEqual([await send(await as(person)), await send(client)], [403, 400]);
});

test("a token without the write scope can read the inbox but not change it", async () => {
  const reader = t.http.as(await makePersonalToken(t.db, user.id, { write: false }));
  assert.equal((await reader.get("/api/notifications")).status, 200);
  for (const action of ["read", "unread", "delete"] as const)
    assert.equal((await bulk(action, ids, reader)).status, 403);
  assert.equal((await reader.post("/api/notifications/read-all")).status, 403);
  assert.deepEqual(await unread(), ids);
});

test("each change of the inbox is announced once to its owner; a request that changes nothing is not", async () => {
  const updates = async () => {
    const rows = await t.db
      .selectFrom("changes")
      .select(["kind", "target_id"])
      .where("user_id", "=", user.id)
      .where("kind", "=", "notification")
      .orderBy("id")
      .execute();
    return rows.map((row) => [row.kind, row.target_id]);
  };
  const [a, b, c, d] = ids;
  await bulk("read", [c, a]);
  await client.post("/api/notifications/read-all");
  await client.post("/api/notifications/read-all");
  await bulk("delete", [a, b, 999_999_999]);
  assert.deepEqual(await updates(), [
    ["notification", c],
    ["notification", d],
  ]);
});
