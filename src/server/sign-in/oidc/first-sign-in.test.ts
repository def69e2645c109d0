import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import {
  makePersonalToken,
  makeProject,
  makeRole,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { cookieHeader, useTrustedProvider } from "../../../../test/support/trusted-provider.ts";

let user: TestUser;
let subject: string;
let count = 0;
const { provider, t, wayBack, arrive, signIn, ownerOf, profileOf } = await useTrustedProvider();

beforeEach(async () => {
  user = await makeUser(t.db);
  subject = `subject-${++count}`;
});

async function invite(email: string, overrides: Record<string, unknown> = {}) {
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const body = { email, projects: [{ project_id: project.id, role_id }], ...overrides };
  const made = await admin.post(`/api/workspaces/${workspace.id}/invitations`, body);
  assert.equal(made.status, 201);
  return { workspace, project, link: `/api${new URL(made.body.link).pathname}` };
}

test("a verified address links the identity to its account, ignoring case, and signs in", async () => {
  const answer = await signIn(subject, { email: user.email.toUpperCase(), email_verified: true });
  assert.equal((await profileOf(answer)).id, user.id);
  assert.equal(await ownerOf(subject), user.id);
  const moved = await signIn(subject, { email: "moved@example.com", email_verified: true });
  assert.equal((await profileOf(moved)).id, user.id);
});

test("an unverified address neither links an identity nor accepts an invitation", async () => {
  const invited = `unverified${count}@example.com`;
  const { link } = await invite(invited);
  for (const email of [user.email, invited])
    for (const verified of [
      { email_verified: false },
      {},
      { email_verified: "true" as unknown as boolean },
    ]) {
      const answer = await signIn(subject, { email, ...verified });
      assert.equal(answer.headers["location"], "/sign-in?error=unknown_identity");
      assert.doesNotMatch(cookieHeader(answer), /signalbox=/);
    }
  const none = await signIn(subject, { email_verified: true });
  assert.equal(none.headers["location"], "/sign-in?error=unknown_identity");
  assert.equal(await ownerOf(subject), undefined);
  assert.equal((await t.http.get(link)).status, 200);
});

test("a verified address without an account or an invitation creates no account", async () => {
  const email = `nobody${count}@example.com`;
  const answer = await signIn(subject, { email, email_verified: true });
  assert.equal(answer.headers["location"], "/sign-in?error=unknown_identity");
  assert.deepEqual(await t.db.selectFrom("users").select("id").where("email", "=", email).execute(), []);
});

test("a verified address with an open invitation creates an account from the claims and uses up the invitation", async () => {
  const email = `Invited${count}@example.com`;
  const { project, link, workspace } = await invite(email);
  const answer = await signIn(subject, {
    email: email.toLowerCase(),
    email_verified: true,
    preferred_username: "Zoë.Müller!@corp",
    given_name: "Zoë",
    family_name: "Müller",
  });
  const profile = await profileOf(answer);
  assert.deepEqual(
    [profile.email, profile.username, profile.first_name, profile.last_name],
    [email, "zoe.muller", "Zoë", "Müller"],
  );
  const session = t.http.withCookie(cookieHeader(answer));
  assert.equal((await session.get(`/api/projects/${project.id}`)).status, 200);
  assert.equal((await session.get(`/api/workspaces/${workspace.id}/members`)).status, 200);
  assert.equal((await t.http.get(link)).status, 404);
  assert.equal((await profileOf(await signIn(subject, {}))).id, profile.id);
  const byPassword = await t.http.post("/api/session", { email, password: "" });
  assert.equal(byPassword.status, 401);
});

test("a taken username gets a number appended, and an invalid one is replaced", async () => {
  const names = [];
  for (const preferred_username of ["quinn", "Quinn", "quinn", "…", "..--", "x".repeat(80)]) {
    const email = `quinn${++count}@example.com`;
    await invite(email);
    const made = await signIn(`quinn-${count}`, {
      email,
      email_verified: true,
      preferred_username,
      name: "Quinn",
    });
    const profile = await profileOf(made);
    names.push(profile.username);
    assert.deepEqual([profile.first_name, profile.last_name], ["Quinn", "-"]);
  }
  assert.deepEqual(names, ["quinn", "quinn2", "quinn3", "user", "user2", "x".repeat(36)]);
});

test("an expired invitation creates no account", async () => {
  const email = `late${count}@example.com`;
  await invite(email);
  await t.db
    .updateTable("invitations")
    .set({ expires_at: new Date(0).toISOString() })
    .where("email", "=", email)
    .execute();
  const answer = await signIn(subject, { email, email_verified: true });
  assert.equal(answer.headers["location"], "/sign-in?error=unknown_identity");
});

test("if two callbacks race with a new identity, one account is created", async () => {
  const email = `twice${count}@example.com`;
  await invite(email);
  provider.people.set(subject, { email, email_verified: true });
  const ways = [await wayBack(subject), await wayBack(subject)];
  const lock = `select from invitations where email = '${email}' for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = ways.map(arrive);
    await waiting(2);
    return requests;
  });
  const [first, second] = await Promise.all(answers.map(profileOf));
  assert.equal(first.id, second.id);
  const users = await t.db.selectFrom("users").select("id").where("email", "=", email).execute();
  assert.equal(users.length, 1);
});
