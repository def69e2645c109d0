import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type Client, fieldsOf } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeCookie,
  makePersonalToken,
  makeProject,
  makeRole,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://signalbox.example.com" });

let workspaceId: number;
let admin: TestUser;
let client: Client;
let url: string;
beforeEach(async () => {
  ({ id: workspaceId, admin } = await makeWorkspace(t.db));
  client = await as(admin);
  url = `/api/workspaces/${workspaceId}/invitations`;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

test("creating an invitation returns 201 with a link that is never shown or stored again", async () => {
  const project = await makeProject(t.db, workspaceId);
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  const projects = [{ project_id: project.id, role_id }];
  const browser = t.http.withCookie(`__Host-${await makeCookie(t.db, admin.id)}`);
  const made = await browser.post(url, { email: "Bea@example.com", is_admin: true, projects });
  assert.equal(made.status, 201);
  const { link, ...row } = made.body;
  const token = /^https:\/\/signalbox\.example\.com\/invitations\/([A-Za-z0-9_-]{43})$/.exec(link)?.[1];
  assert.ok(token);
  assert.equal(row.email, "Bea@example.com");
  assert.equal(row.is_admin, true);
  assert.deepEqual(row.projects, projects);
  const days = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 86_400_000;
  assert.ok(Math.abs(days - 7) < 0.001, String(days));
  assert.deepEqual((await client.get(url)).body, { data: [row], meta: { next_cursor: null } });
  const stored = await t.db.selectFrom("invitations").selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(token));
});

test("a token cannot invite an administrator, so that a leaked one cannot become a session of one", async () => {
  const refused = await client.post(url, { email: "mallory@example.com", is_admin: true });
  assert.deepEqual([refused.status, refused.body.errors], [403, undefined]);
  assert.deepEqual((await client.get(url)).body.data, []);
  assert.equal((await client.post(url, { email: "mallory@example.com", is_admin: false })).status, 201);
});

test("an address receives at most 20 invitations within a day, even from several workspaces concurrently", async () => {
  const email = `flood${workspaceId}@example.com`;
  const other = await makeWorkspace(t.db);
  const second = await as(other.admin);
  const invite = (n: number) =>
    n % 2 === 0
      ? client.post(url, { email })
      : second.post(`/api/workspaces/${other.id}/invitations`, { email: email.toUpperCase() });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => invite(n)));
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [...Array<number>(20).fill(201), ...Array<number>(4).fill(429)],
  );
  // Revoking an invitation does not allow another one.
  const [first] = (await client.get(url)).body.data;
  assert.equal((await client.delete(`${url}/${first.id}`)).status, 204);
  const refused = await client.post(url, { email });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers["retry-after"]) > 86_000);
  assert.equal((await client.post(url, { email: `x${email}` })).status, 201);
  await sql`update mails set created_at = created_at - interval '1 day'
    where id = (select min(id) from mails where address = ${email})`.execute(t.db);
  assert.equal((await client.post(url, { email })).status, 201);
  assert.equal((await client.post(url, { email })).status, 429);
});

test("names in invitations cannot contain a web address", async () => {
  const browser = t.http.withCookie(`__Host-${await makeCookie(t.db, admin.id)}`);
  for (const bad of [
    "Win at https://evil.example",
    "www.evil",
    "evil.example",
    "Claim it: shop.example/x",
    "Bücher.köln",
  ]) {
    const names = await browser.patch("/api/profile", { first_name: bad, last_name: bad });
    assert.deepEqual(fieldsOf(names), ["first_name", "last_name"], bad);
    assert.deepEqual(
      fieldsOf(await browser.patch(`/api/workspaces/${workspaceId}`, { name: bad })),
      ["name"],
      bad,
    );
    assert.deepEqual(fieldsOf(await browser.post("/api/workspaces", { name: bad })), ["name"], bad);
  }
  for (const good of ["J. R. R.", "Acme Inc.", "St. John", "J.Robert", "Dr.-Ing. Ada", "C: the band", "1/2"])
    assert.equal((await browser.patch("/api/profile", { first_name: good })).status, 200, good);
});

test("an invitation requires only an address", async () => {
  const made = await client.post(url, { email: "bea@example.com" });
  assert.equal(made.status, 201);
  assert.deepEqual([made.body.is_admin, made.body.projects], [false, []]);
});

test("a project or role of another workspace returns 422 on its field, and nothing is created", async () => {
  const other = await makeWorkspace(t.db);
  const foreign = await makeProject(t.db, other.id);
  const foreignRole = await makeRole(t.db, other.id, "Viewer");
  const project = await makeProject(t.db, workspaceId);
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  const answer = await client.post(url, {
    email: "bea@example.com",
    projects: [
      { project_id: project.id, role_id: foreignRole },
      { project_id: foreign.id, role_id },
      { project_id: 999_999, role_id: 999_999 },
    ],
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(fieldsOf(answer), [
    "projects.0.role_id",
    "projects.1.project_id",
    "projects.2.project_id",
    "projects.2.role_id",
  ]);
  const repeated = [1, 2, 3].map(() => ({ project_id: project.id, role_id }));
  assert.deepEqual(fieldsOf(await client.post(url, { email: "bea@example.com", projects: repeated })), [
    "projects.1.project_id",
    "projects.2.project_id",
  ]);
  assert.deepEqual((await client.get(url)).body.data, []);
});

test("missing fields, wrong types and one project too many return 422 on their fields", async () => {
  const fields = async (body: unknown) => fieldsOf(await client.post(url, body));
  assert.deepEqual(await fields({}), ["email"]);
  assert.deepEqual(await fields({ email: "nobody", is_admin: 1, projects: {} }), [
    "email",
    "is_admin",
    "projects",
  ]);
  assert.deepEqual(await fields({ email: `${"x".repeat(250)}@x.y` }), []);
  assert.deepEqual(await fields({ email: `${"x".repeat(251)}@x.y` }), ["email"]);
  assert.deepEqual(await fields({ email: "a@b.c", projects: [1, {}, { project_id: "1", role_id: 1.5 }] }), [
    "projects.0",
    "projects.1.project_id",
    "projects.1.role_id",
    "projects.2.project_id",
    "projects.2.role_id",
  ]);
  const many = Array.from({ length: 201 }, (_, index) => ({ project_id: index + 1, role_id: 1 }));
  assert.deepEqual(await fields({ email: "a@b.c", projects: many }), ["projects"]);
});

test("only administrators manage invitations, and another workspace's invitation returns 404", async () => {
  const made = await client.post(url, { email: "bea@example.com" });
  const member = await as(await makeWorkspaceMember(t.db, workspaceId));
  assert.equal((await member.get(url)).status, 403);
  assert.equal((await member.post(url, { email: "eve@example.com", is_admin: true })).status, 403);
  assert.equal((await member.delete(`${url}/${made.body.id}`)).status, 403);
  const other = await makeWorkspace(t.db);
  const theirs = `/api/workspaces/${other.id}/invitations`;
  assert.equal((await (await as(other.admin)).delete(`${theirs}/${made.body.id}`)).status, 404);
  assert.equal((await client.get(theirs)).status, 403);
  assert.equal((await client.get(url)).body.data.length, 1);
});

test("deleting an invitation voids its link", async () => {
  const made = await client.post(url, { email: "bea@example.com" });
  const path = new URL(made.body.link).pathname;
  assert.equal((await t.http.get(`/api${path}`)).status, 200);
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 204);
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 404);
  assert.equal((await t.http.get(`/api${path}`)).status, 404);
  assert.deepEqual((await client.get(url)).body.data, []);
});

test("deleting a project or role removes it from the invitation", async () => {
  const [kept, gone] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  await client.post(url, {
    email: "bea@example.com",
    projects: [kept, gone].map((project) => ({ project_id: project.id, role_id })),
  });
  assert.equal((await client.delete(`/api/projects/${gone.id}`)).status, 202);
  const list = await client.get(url);
  assert.deepEqual(list.body.data[0].projects, [{ project_id: kept.id, role_id }]);
});

test("a project that is deleted during the invitation returns 422 like an unknown one", async () => {
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  const { id } = await makeProject(t.db, workspaceId);
  const lock = `select from projects where id = ${id} for update`;
  const [deleted, invited] = await collide(t.database, lock, async (waiting) => {
    const first = client.delete(`/api/projects/${id}`);
    await waiting(1);
    const projects = [{ project_id: id, role_id }];
    const second = client.post(url, { email: "bea@example.com", projects });
    await waiting(2);
    return [first, second];
  });
  assert.equal(deleted?.status, 202);
  assert.deepEqual(fieldsOf(invited as NonNullable<typeof invited>), ["projects.0.project_id"]);
});

test("a list of invitations has pages by cursor", async () => {
  for (const name of ["a", "b", "c"]) await client.post(url, { email: `${name}@example.com` });
  const first = await client.get(`${url}?limit=2`);
  const second = await client.get(`${url}?limit=2&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map((row: { email: string }) => row.email),
    ["a@example.com", "b@example.com", "c@example.com"],
  );
  assert.equal(second.body.meta.next_cursor, null);
});
