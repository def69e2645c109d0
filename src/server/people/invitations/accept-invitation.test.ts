import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Client, cookieOf, fieldsOf } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

let workspaceId: number;
let admin: Client;
let project: { id: number };
let viewer: number;
let count = 0;
let person: { first_name: string; last_name: string; username: string; password: string };
let address: string;
beforeEach(async () => {
  const workspace = await makeWorkspace(t.db);
  workspaceId = workspace.id;
  admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  project = await makeProject(t.db, workspaceId);
  viewer = await makeRole(t.db, workspaceId, "Viewer");
  const username = `bea${++count}`;
  person = { first_name: "Bea", last_name: "Lund", username, password: "correct horse" };
  address = `${username}@example.com`;
});

const browser = async (user: TestUser) => t.http.withCookie(await makeCookie(t.db, user.id));

/** Creates an invitation and returns its path in the API. */
async function invite(overrides: Record<string, unknown> = {}): Promise<string> {
  const made = await admin.post(`/api/workspaces/${workspaceId}/invitations`, {
    email: address,
    projects: [{ project_id: project.id, role_id: viewer }],
    ...overrides,
  });
  assert.equal(made.status, 201);
  return `/api${new URL(made.body.link).pathname}`;
}

async function membership(user: { id: number }) {
  return t.db
    .selectFrom("workspace_members as w")
    .leftJoin("project_members as p", "p.user_id", "w.user_id")
    .select(["w.is_admin", "p.project_id", "p.role_id", "p.is_owner"])
    .where("w.user_id", "=", user.id)
    .where("w.workspace_id", "=", workspaceId)
    .execute();
}

test("the link shows anybody the workspace, the address and the inviter", async () => {
  const shown = await t.http.get(await invite());
  assert.equal(shown.status, 200);
  const { expires_at, workspace, ...rest } = shown.body;
  assert.equal(workspace.id, workspaceId);
  assert.equal(typeof workspace.name, "string");
  assert.deepEqual(rest, { email: address, invited_by: { first_name: "Ada", last_name: "Moss" } });
  assert.match(expires_at, /^\d{4}-.*Z$/);
});

test("a new person gets an account with the invited address, a session and the projects", async () => {
  const link = await invite();
  const accepted = await t.http.post(link, { ...person, email: "other@example.com", is_admin: true });
  assert.equal(accepted.status, 201);
  assert.equal(accepted.body.email, address);
  assert.equal(accepted.body.username, person.username);
  assert.equal(accepted.body.is_admin, false);
  const session = t.http.withCookie(cookieOf(accepted));
  assert.equal((await session.get("/api/profile")).body.id, accepted.body.id);
  assert.equal((await session.get(`/api/projects/${project.id}`)).status, 200);
  assert.deepEqual(await membership(accepted.body), [
    { is_admin: false, project_id: project.id, role_id: viewer, is_owner: false },
  ]);
  const signIn = await t.http.post("/api/session", { email: address, password: person.password });
  assert.equal(signIn.status, 200);
  assert.equal((await t.http.get(link)).status, 404);
  assert.equal((await t.http.post(link, person)).status, 404);
  const pending = await admin.get(`/api/workspaces/${workspaceId}/invitations`);
  assert.deepEqual(pending.body.data, []);
});

test("a signed-in user joins with an empty, missing or null body", async () => {
  for (const payload of [undefined, "", "{}", '{"username":null}']) {
    const user = await makeUser(t.db);
    const link = await invite({ email: user.email.toUpperCase(), is_admin: true });
    const accepted = await (
      await browser(user)
    ).send({
      method: "POST",
      url: link,
      ...(payload === undefined ? {} : { headers: { "content-type": "application/json" }, payload }),
    });
    assert.equal(accepted.status, 200, payload);
    assert.equal(accepted.body.id, user.id);
    assert.equal(accepted.body.is_admin, true);
    assert.equal(accepted.headers["set-cookie"], undefined);
    assert.deepEqual(await membership(user), [
      { is_admin: true, project_id: project.id, role_id: viewer, is_owner: false },
    ]);
    assert.equal((await t.http.get(link)).status, 404);
  }
});

test("an existing member keeps a role that permits more", async () => {
  const user = await makeMember(t.db, project.id, { role: "Manager", is_owner: true });
  const manager = await makeRole(t.db, workspaceId, "Manager");
  await admin.patch(`/api/workspaces/${workspaceId}/members/${user.id}`, { is_admin: true });
  const other = await makeProject(t.db, workspaceId);
  const link = await invite({
    email: user.email,
    is_admin: false,
    projects: [project, other].map(({ id }) => ({ project_id: id, role_id: viewer })),
  });
  assert.equal((await (await browser(user)).post(link)).status, 200);
  const rows = await membership(user);
  assert.deepEqual(
    rows.sort((a, b) => Number(a.project_id) - Number(b.project_id)),
    [
      { is_admin: true, project_id: project.id, role_id: manager, is_owner: true },
      { is_admin: true, project_id: other.id, role_id: viewer, is_owner: false },
    ],
  );

  const plain = await makeWorkspaceMember(t.db, workspaceId);
  const lift = await invite({ email: plain.email, is_admin: true, projects: [] });
  assert.equal((await (await browser(plain)).post(lift)).status, 200);
  assert.deepEqual((await membership(plain))[0]?.is_admin, true);
});

test("a member with fewer permissions gets the invited role, and is not notified of the membership again", async () => {
  const user = await makeMember(t.db, project.id, { role: "Viewer" });
  const manager = await makeRole(t.db, workspaceId, "Manager");
  const role = (role_id: number) => ({ email: user.email, projects: [{ project_id: project.id, role_id }] });
  const session = await browser(user);
  const roleNow = async () => (await membership(user))[0]?.role_id;
  assert.equal((await session.post(await invite(role(manager)))).status, 200);
  assert.equal(await roleNow(), manager);
  const reporter = await makeRole(t.db, workspaceId, "Reporter");
  assert.equal((await session.post(await invite(role(reporter)))).status, 200);
  assert.equal(await roleNow(), manager);
  const entries = await t.db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", user.id)
    .execute();
  assert.deepEqual(entries, []);
  const events = await admin.get(`/api/workspaces/${workspaceId}/audit-events?kind=project_member`);
  const [{ kind, details }, ...more] = events.body.data;
  assert.deepEqual([kind, details.role_id, more], ["project_member.changed", manager, []]);
});

test("an invitation for another address returns 403 and stays open", async () => {
  const link = await invite();
  const user = await makeUser(t.db);
  const refused = await (await browser(user)).post(link);
  assert.equal(refused.status, 403);
  assert.deepEqual(await membership(user), []);
  assert.equal((await t.http.get(link)).status, 200);
});

test("an empty body without a valid session returns 422, even with an ended session or a token", async () => {
  const user = await makeUser(t.db);
  const link = await invite({ email: user.email });
  const fields = ["first_name", "last_name", "password", "username"];
  assert.deepEqual(fieldsOf(await t.http.post(link)), fields);
  assert.deepEqual(fieldsOf(await t.http.withCookie("signalbox=ended").post(link)), fields);
  const bearer = t.http.as(await makePersonalToken(t.db, user.id));
  assert.deepEqual(fieldsOf(await bearer.post(link)), fields);
  // A bearer token takes precedence over the cookie.
  const cookie = await makeCookie(t.db, user.id);
  const both = { cookie, authorization: "Bearer nonsense", "sec-fetch-site": "same-origin" };
  assert.deepEqual(fieldsOf(await t.http.send({ method: "POST", url: link, headers: both })), fields);
  assert.deepEqual(await membership(user), []);
});

test("joining by cookie from another site, or without an Origin, returns 403", async () => {
  const user = await makeUser(t.db);
  const link = await invite({ email: user.email });
  const cookie = await makeCookie(t.db, user.id);
  const send = (headers: Record<string, string>) =>
    t.http.send({ method: "POST", url: link, headers: { cookie, ...headers } });
  assert.equal((await send({})).status, 403);
  assert.equal((await send({ "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await send({ origin: "https://evil.example" })).status, 403);
  assert.deepEqual(await membership(user), []);
  assert.equal((await send({ origin: "http://localhost:3000" })).status, 200);
});

test("a taken address or username returns 422, and the invitation stays open", async () => {
  const user = await makeUser(t.db);
  const link = await invite({ email: user.email.toUpperCase() });
  const known = await t.http.post(link, person);
  assert.equal(known.status, 422);
  assert.match(known.body.errors.email[0], /sign in/);
  const other = await invite();
  const taken = await t.http.post(other, { ...person, username: user.username.toUpperCase() });
  assert.deepEqual(taken.body.errors, { username: ["is taken"] });
  assert.equal((await t.http.post(other, person)).status, 201);
  assert.equal((await t.http.get(link)).status, 200);
});

test("every invalid field is reported, and a signed-in user who sends fields creates a new account", async () => {
  const user = await makeUser(t.db);
  const link = await invite();
  const wrong = { first_name: " ", last_name: 5, password: "short" };
  for (const who of [t.http, await browser(user)]) {
    const answer = await who.post(link, wrong);
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.errors, {
      first_name: ["must not be blank"],
      last_name: ["must be a string"],
      username: ["is required"],
      password: ["must have at least 10 characters"],
    });
  }
  assert.deepEqual(fieldsOf(await t.http.post(link, { ...person, first_name: "x".repeat(101) })), [
    "first_name",
  ]);
  const accepted = await (await browser(user)).post(link, person);
  assert.equal(accepted.status, 201);
  assert.notEqual(accepted.body.id, user.id);
  assert.ok(cookieOf(accepted));
});

test("unknown and expired invitations return 404 before the body is validated", async () => {
  const link = await invite();
  await t.db
    .updateTable("invitations")
    .set({ expires_at: new Date(0).toISOString() })
    .where("workspace_id", "=", workspaceId)
    .execute();
  for (const path of [link, "/api/invitations/unknown", `/api/invitations/${"A".repeat(43)}`]) {
    assert.equal((await t.http.get(path)).status, 404, path);
    assert.equal((await t.http.post(path, person)).status, 404, path);
    assert.equal((await t.http.post(path, { username: 5 })).status, 404, path);
  }
  const users = await t.db.selectFrom("users").select("id").where("email", "=", address).execute();
  assert.deepEqual(users, []);
});

test("if several requests race to accept, one joins and the others return 404", async () => {
  const link = await invite();
  const lock = `select from invitations where email = '${address}' for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = ["a", "b", "c"].map((end) =>
      t.http.post(link, { ...person, username: `${person.username}${end}` }),
    );
    await waiting(3);
    return requests;
  });
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [201, 404, 404],
  );
  const users = await t.db.selectFrom("users").select("id").where("email", "=", address).execute();
  assert.equal(users.length, 1);
});

test("if two invitations of one address are accepted concurrently, one creates the account", async () => {
  const links = [await invite(), await invite()];
  const answers = await Promise.all(links.map((link) => t.http.post(link, person)));
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [201, 422],
  );
});

test("a project that is deleted while its invitation is accepted is skipped", async () => {
  const user = await makeUser(t.db);
  const link = await invite({ email: user.email });
  const session = await browser(user);
  const lock = `select from projects where id = ${project.id} for update`;
  const [deleted, accepted] = await collide(t.database, lock, async (waiting) => {
    const first = admin.delete(`/api/projects/${project.id}`);
    await waiting(1);
    const second = session.post(link);
    await waiting(2);
    return [first, second];
  });
  assert.equal(deleted?.status, 202);
  assert.equal(accepted?.status, 200);
  assert.deepEqual(await membership(user), [
    { is_admin: false, project_id: null, role_id: null, is_owner: null },
  ]);
});
