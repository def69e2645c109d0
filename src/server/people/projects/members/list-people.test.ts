import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeTeam,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { ProjectPerson } from "../../../../shared/projects.ts";

const t = await useTestApp();

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const idsOf = (rows: ProjectPerson[]) => rows.map((row) => row.user_id);

test("the people of a project are all who can access it, without duplicates", async () => {
  const { id: workspaceId, admin } = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspaceId);
  const url = `/api/projects/${project.id}/people`;
  const member = await makeMember(t.db, project.id, { role: "Viewer" });
  const teammate = await makeWorkspaceMember(t.db, workspaceId);
  const gone = await makeMember(t.db, project.id);
  const outsider = await makeWorkspaceMember(t.db, workspaceId);
  for (const members of [[member, teammate, gone], [teammate]])
    await makeTeam(t.db, workspaceId, { members, projects: [project] });
  await makeTeam(t.db, workspaceId, { members: [outsider] });
  const client = await as(admin);
  await client.patch(`/api/workspaces/${workspaceId}/members/${gone.id}`, { active: false });

  const list = await (await as(teammate)).get(url);
  assert.equal(list.status, 200);
  assert.deepEqual(idsOf(list.body.data), [admin.id, member.id, teammate.id]);
  assert.deepEqual(list.body.data[1], {
    user_id: member.id,
    username: member.username,
    first_name: "Ada",
    last_name: "Moss",
    profile_picture: null,
  });
  const first = await client.get(`${url}?limit=2`);
  const second = await client.get(`${url}?limit=2&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual([...first.body.data, ...second.body.data], list.body.data);
  assert.equal(second.body.meta.next_cursor, null);
  assert.equal((await client.get(`${url}?limit=201`)).status, 422);
  assert.equal((await (await as(outsider)).get(url)).status, 403);
  assert.equal((await (await as(gone)).get(url)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, project.id, admin.id));
  assert.equal((await token.get(url)).status, 403);
  const members = (await client.get(`/api/projects/${project.id}/members`)).body.data;
  assert.deepEqual(idsOf(members), [member.id, gone.id], "the members are those who were added themselves");
});

test("former people are users without access who acted in the project or were assigned something", async () => {
  const { id: workspaceId, admin } = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspaceId);
  const other = await makeProject(t.db, workspaceId);
  const base = `/api/projects/${project.id}`;
  const [author, assignee, liker, idle, elsewhere] = [
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
    await makeMember(t.db, project.id),
    await makeMember(t.db, other.id),
  ];
  const client = await as(admin);
  const former = async () => (await client.get(`${base}/people?former=true`)).body.data as ProjectPerson[];
  const issue = (await client.post(`${base}/issues`, { title: "Pay", assignee_id: assignee.id })).body.id;
  const comments = `${base}/issues/${issue}/comments`;
  const comment = (await (await as(author)).post(comments, { content: "Seen." })).body.id;
  await (await as(liker)).post(`${comments}/${comment}/like`);
  await (await as(elsewhere)).post(`/api/projects/${other.id}/issues`, { title: "Elsewhere" });
  assert.deepEqual(await former(), []);
  for (const { id } of [author, liker, idle]) await client.delete(`${base}/members/${id}`);
  await client.patch(`/api/workspaces/${workspaceId}/members/${assignee.id}`, { active: false });
  await client.delete(`/api/projects/${other.id}/members/${elsewhere.id}`);
  assert.deepEqual(idsOf(await former()), [author.id, assignee.id, liker.id]);
  assert.deepEqual(idsOf((await client.get(`${base}/people`)).body.data), [admin.id]);
  assert.equal((await client.get(`${base}/people?former=yes`)).status, 422);
});
