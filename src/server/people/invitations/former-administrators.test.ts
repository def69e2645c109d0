import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeCookie,
  makeProject,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { makePerson, type Person } from "../../../../test/support/person.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

/** Eve is an administrator, invites people, and is then removed, demoted or deactivated by another one. */

const t = await useTestApp();

let workspaceId: number;
let admin: Client;
let eve: Person;
let browser: Client;
beforeEach(async () => {
  const workspace = await makeWorkspace(t.db);
  workspaceId = workspace.id;
  admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  eve = await makePerson(t);
  await makeWorkspaceMember(t.db, workspaceId, { user: eve, is_admin: true });
  browser = await eve.signIn();
});

const member = () => `/api/workspaces/${workspaceId}/members/${eve.id}`;
const invitations = () => `/api/workspaces/${workspaceId}/invitations`;

/** Creates an invitation and returns its path in the API. */
async function invite(by: Client, email: string, more: Record<string, unknown> = {}): Promise<string> {
  const made = await by.post(invitations(), { email, is_admin: true, ...more });
  assert.equal(made.status, 201);
  return `/api${new URL(made.body.link).pathname}`;
}

const emails = async () =>
  (await admin.get(invitations())).body.data.map((invitation: { email: string }) => invitation.email);

test("a removed administrator cannot come back with an invitation to their own address", async () => {
  const path = await invite(browser, eve.email.toUpperCase());
  assert.equal((await admin.delete(member())).status, 204);
  assert.equal((await browser.post(path)).status, 404);
  assert.equal((await browser.get(invitations())).status, 403);
});

test("removing a member withdraws the invitations to their addresses, whoever sent them, and those they sent", async () => {
  const { issuer, subject, email } = {
    issuer: "https://id.example",
    subject: eve.username,
    email: `sso-${eve.email}`,
  };
  await t.db.insertInto("identities").values({ user_id: eve.id, issuer, subject, email }).execute();
  await invite(admin, eve.email);
  await invite(admin, email);
  await invite(browser, `alias-${eve.email}`);
  await invite(admin, `other-${eve.email}`);
  const elsewhere = await makeWorkspace(t.db);
  const otherAdmin = t.http.withCookie(await makeCookie(t.db, elsewhere.admin.id));
  assert.equal(
    (await otherAdmin.post(`/api/workspaces/${elsewhere.id}/invitations`, { email: eve.email })).status,
    201,
  );
  assert.equal((await admin.delete(member())).status, 204);
  assert.deepEqual(await emails(), [`other-${eve.email}`]);
  const left = (await otherAdmin.get(`/api/workspaces/${elsewhere.id}/invitations`)).body.data;
  assert.equal(left.length, 1);
  const { data } = (await admin.get(`/api/workspaces/${workspaceId}/audit-events?kind=invitation.deleted`))
    .body;
  assert.equal(data.length, 3);
});

for (const [what, change] of [
  ["is no longer an administrator", { is_admin: false }],
  ["is deactivated", { active: false }],
] as const)
  test(`an invitation works only while its inviter, who ${what}, is an active administrator`, async () => {
    const project = await makeProject(t.db, workspaceId);
    const projects = [{ project_id: project.id, role_id: await makeRole(t.db, workspaceId, "Manager") }];
    const user = await makeUser(t.db);
    const guest = t.http.withCookie(await makeCookie(t.db, user.id));
    const path = await invite(browser, user.email, { projects });
    assert.equal((await admin.patch(member(), change)).status, 200);
    assert.equal((await guest.get(path)).status, 404);
    assert.equal((await guest.post(path)).status, 404);
    assert.equal((await guest.get(`/api/projects/${project.id}`)).status, 403);
    assert.equal((await admin.patch(member(), { is_admin: true, active: true })).status, 200);
    assert.equal((await guest.post(path)).status, 200);
  });

test("if the inviter is demoted while an invitation is accepted, it is refused", async () => {
  const user = await makeUser(t.db);
  const guest = t.http.withCookie(await makeCookie(t.db, user.id));
  const path = await invite(browser, user.email);
  const lock = `select from workspaces where id = ${workspaceId} for update`;
  const [demoted, accepted] = await collide(t.database, lock, async (waiting) => {
    const demoted = admin.patch(member(), { is_admin: false });
    await waiting(1);
    const accepted = guest.post(path);
    await waiting(2);
    return [demoted, accepted];
  });
  assert.deepEqual([demoted?.status, accepted?.status], [200, 404]);
});
