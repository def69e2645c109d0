import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../test/support/client.ts";
import { makeCookie, makeMember, makeProject, makeUser, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();

test("the boot response equals the first pages of the routes that it replaces", async () => {
  const owner = await makeUser(t.db);
  const { id: workspaceId } = await makeWorkspace(t.db, { admin: owner });
  const project = await makeProject(t.db, workspaceId);
  const client = t.http.withCookie(await makeCookie(t.db, owner.id));
  const p = `/api/projects/${project.id}`;
  assert.equal((await client.post(`${p}/labels`, { name: "checkout", color: "#1f6feb" })).status, 201);
  assert.equal((await client.post(`${p}/sprints`, { name: "Sprint 1" })).status, 201);
  assert.equal((await client.post(`${p}/epics`, { title: "Checkout" })).status, 201);
  assert.equal((await client.post(`${p}/views`, { page: "board", name: "Ours" })).status, 201);
  assert.equal((await client.post("/api/profile/views", { page: "my-issues", name: "Mine" })).status, 201);
  const read = async (path: string) => (await client.get(path)).body;
  const lists = ["lanes", "labels", "sprints", "people", "epics", "views"];
  const parts = [...lists, "counts"];

  const boot = await read(`/api/boot?project=${project.key}`);
  assert.deepEqual(boot, {
    profile: await read("/api/profile"),
    workspaces: await read("/api/workspaces"),
    projects: await read("/api/projects"),
    unread_count: (await read("/api/notifications/unread-count?include=all")).count,
    views: await read("/api/profile/views"),
    project: {
      id: project.id,
      ...Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await read(`${p}/${part}`)]))),
    },
  });
  assert.ok(lists.every((part) => boot.project[part].data.length > 0));
  assert.deepEqual(await read(`/api/boot?project=${project.id}`), boot);
});

test("the boot response has all of a person's 201 projects", async () => {
  const owner = await makeUser(t.db);
  const { id: workspace_id } = await makeWorkspace(t.db, { admin: owner });
  const rows = Array.from({ length: 201 }, (_, n) => ({ workspace_id, key: `MANY${n}`, name: `Many ${n}` }));
  await t.db.insertInto("projects").values(rows).execute();
  const { projects } = (await t.http.withCookie(await makeCookie(t.db, owner.id)).get("/api/boot")).body;
  assert.deepEqual([projects.data.length, projects.meta.next_cursor], [201, null]);
});

test("without a project that the caller can access, the boot response has none", async () => {
  const member = await makeUser(t.db);
  const { id: workspaceId } = await makeWorkspace(t.db);
  const [own, foreign] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  await makeMember(t.db, own.id, { user: member, role: "Reporter" });
  const client = t.http.withCookie(await makeCookie(t.db, member.id));
  for (const query of [
    "",
    `?project=${foreign.key}`,
    `?project=${foreign.id}`,
    "?project=NONE",
    "?project=",
  ]) {
    const { status, body } = await client.get(`/api/boot${query}`);
    assert.deepEqual([status, body.project], [200, null], query);
    assert.deepEqual(
      body.projects.data.map(({ id }: { id: number }) => id),
      [own.id],
    );
  }
  // The role Reporter may not read epics.
  assert.equal((await client.get(`/api/boot?project=${own.key}`)).body.project.epics, null);
});

test("several reads in one request have the bodies of the single ones, with the caller's permissions, and null for failed ones", async () => {
  const owner = await makeUser(t.db);
  const { id: workspaceId } = await makeWorkspace(t.db, { admin: owner });
  const project = await makeProject(t.db, workspaceId);
  const foreign = await makeProject(t.db, (await makeWorkspace(t.db)).id);
  const client = t.http.withCookie(await makeCookie(t.db, owner.id));
  const p = `/api/projects/${project.id}`;
  assert.equal((await client.post(`${p}/labels`, { name: "a b,c", color: "#1f6feb" })).status, 201);
  const paths = [
    `${p}/labels?limit=200`,
    "/api/profile",
    `/api/projects/${foreign.id}/labels`,
    `${p}/issues/1`,
  ];
  const { status, body } = await client.get(`/api/reads?${new URLSearchParams({ paths: paths.join(" ") })}`);
  const single = await Promise.all(paths.slice(0, 2).map(async (path) => (await client.get(path)).body));
  assert.deepEqual([status, body], [200, { data: [...single, null, null] }]);
});

test("reads in one request are JSON only: downloads, the event stream, pictures and other sites return 422", async () => {
  const client = t.http.withCookie(await makeCookie(t.db, (await makeUser(t.db)).id));
  for (const path of [
    "/api/events",
    "/api/reads?paths=/api/profile",
    "/api/projects/1/issues/1/attachments/1/download",
    "/api/projects/1/issues/1/attachments/1/download?x",
    "/api/users/1/picture/x.webp",
    "/api/boot",
    "https://example.com/api/profile",
    "//example.com/api/profile",
    "http://[",
    "/api/projects/../events",
    "/api/projects/1/%2e%2e/../../events",
    Array(11).fill("/api/profile").join(" "),
  ]) {
    const answer = await client.get(`/api/reads?${new URLSearchParams({ paths: path })}`);
    assert.equal(answer.status, 422, path);
  }
});

const readsOf = (client: Client, ...paths: string[]) =>
  client.get(`/api/reads?${new URLSearchParams({ paths: paths.join(" ") })}`);

test("a read that succeeds but is not JSON is null in a combined response", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = t.http.withCookie(await makeCookie(t.db, admin.id));
  const csv = `/api/workspaces/${id}/audit-events?format=csv`;
  assert.equal((await client.get(csv)).status, 200);
  const { status, body } = await readsOf(client, csv, "/api/profile");
  assert.deepEqual([status, body.data[0], body.data[1].id], [200, null, admin.id]);
});

test("no cache may store a combined response if it must not store one of the reads", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = t.http.withCookie(await makeCookie(t.db, admin.id));
  const { headers } = await readsOf(client, "/api/profile", `/api/workspaces/${id}/mails`);
  assert.deepEqual([headers["cache-control"], headers["etag"]], ["no-store", undefined]);
  const { headers: usual } = await readsOf(client, "/api/profile");
  assert.equal(usual["cache-control"], "private, no-cache");
});
