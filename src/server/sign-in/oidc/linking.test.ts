import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { Answer, Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { startIdentityProvider, type Person } from "../../../../test/support/identity-provider.ts";
import {
  makeCookie,
  makePersonalToken,
  makeProject,
  makeRole,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { makePerson, PASSWORD } from "../../../../test/support/person.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";

/** Which account an identity is linked to, with a provider whose verified addresses are trusted. */

let user: TestUser;
let cookie: string;
let browser: Client;
let subject: string;
let count = 0;
const provider = await startIdentityProvider();
const t = await useTestApp({ ...provider.settings, OIDC_TRUST_EMAIL: "true" });
after(() => provider.stop());
beforeEach(async () => {
  user = await makeUser(t.db);
  cookie = await makeCookie(t.db, user.id);
  browser = t.http.withCookie(cookie);
  subject = `subject-${++count}`;
});

/** All cookies that a response sets, as a browser sends them. */
function cookieHeader(answer: Answer): string {
  const header: unknown = answer.headers["set-cookie"];
  return [header ?? []]
    .flat()
    .map((one) => String(one).split(";", 1)[0])
    .join("; ");
}

/** Goes through the provider; returns the callback address and the browser's cookies. */
async function wayBack(who: string) {
  const started = await t.http.get("/api/oidc/start");
  assert.equal(started.status, 302, started.text);
  const path = await provider.signIn(String(started.headers["location"]), who);
  return { path, cookie: cookieHeader(started) };
}

const PROFILE = "/settings/profile?section=security";

const link = (client: Client, body: object = {}) =>
  client.post("/api/profile/identities", { return_to: PROFILE, ...body });

/** Like the above, but to link an identity to the user's account. */
async function wayBackToLink(who: string) {
  const started = await link(browser);
  assert.equal(started.status, 200, started.text);
  const path = await provider.signIn(started.body.authorization_url, who);
  return { path, cookie: `${cookie}; ${cookieHeader(started)}` };
}

const arrive = ({ path, cookie }: { path: string; cookie: string }) =>
  t.http.send({ method: "GET", url: path, headers: { cookie, "sec-fetch-site": "cross-site" } });

async function signIn(who: string, person: Person): Promise<Answer> {
  provider.people.set(who, person);
  return arrive(await wayBack(who));
}

async function ownerOf(who: string): Promise<number | undefined> {
  const row = await t.db
    .selectFrom("identities")
    .select("user_id")
    .where("subject", "=", who)
    .executeTakeFirst();
  return row?.user_id;
}

async function profileOf(answer: Answer) {
  assert.equal(answer.headers["location"], "/");
  return (await t.http.withCookie(cookieHeader(answer)).get("/api/profile")).body;
}

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

test("a signed-in user links an identity with any address, repeatably, and then signs in with it", async () => {
  provider.people.set(subject, { email: "private@example.org", email_verified: false });
  for (const round of ["first", "again"]) {
    const answer = await arrive(await wayBackToLink(subject));
    assert.equal(answer.headers["location"], PROFILE, round);
    assert.doesNotMatch(cookieHeader(answer), /signalbox=/);
  }
  const listed = await browser.get("/api/profile/identities");
  assert.equal(listed.status, 200);
  const [{ id, created_at, last_used_at, ...rest }] = listed.body.data;
  assert.ok(Number.isInteger(id));
  for (const time of [created_at, last_used_at]) assert.match(time, /^\d{4}-.*\.\d{6}Z$/);
  assert.deepEqual(rest, { issuer: provider.issuer, email: "private@example.org" });
  assert.deepEqual(listed.body.meta, { next_cursor: null });
  assert.equal(listed.body.data.length, 1);
  assert.equal((await profileOf(await signIn(subject, {}))).id, user.id);
});

test("linking another account's identity fails with an error on the profile page", async () => {
  const other = await makeUser(t.db);
  await signIn(subject, { email: other.email, email_verified: true });
  const answer = await arrive(await wayBackToLink(subject));
  assert.equal(answer.headers["location"], `${PROFILE}&error=identity_taken`);
  assert.equal(await ownerOf(subject), other.id);
  assert.deepEqual((await browser.get("/api/profile/identities")).body.data, []);
});

test("linking starts only in the app, not by a token or from a page of another site", async () => {
  assert.equal((await link(t.http)).status, 401);
  assert.equal((await link(t.http.withCookie("signalbox=ended"))).status, 401);
  assert.equal((await link(t.http.as(await makePersonalToken(t.db, user.id)))).status, 403);
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
    { origin: "https://evil.example" },
    {},
  ] as Record<string, string>[]) {
    const answer = await t.http.send({
      method: "POST",
      url: "/api/profile/identities",
      headers: { cookie, ...headers },
    });
    assert.equal(answer.status, 403, JSON.stringify(headers));
  }
  for (const return_to of ["https://evil.example", "//evil.example", "", 5])
    assert.deepEqual(Object.keys((await link(browser, { return_to })).body.errors), ["return_to"]);
});

test("linking requires the password of an account that has one, in the same rate limit as other attempts", async () => {
  const limited = await openTestApp({ ...provider.settings, LIMIT_SIGN_IN: "3" });
  try {
    const person = await makePerson(limited);
    const client = await person.signIn();
    const none = await link(client);
    assert.deepEqual([none.status, none.body.errors], [422, { current_password: ["is required"] }]);
    assert.equal((await link(client, { current_password: "wrong password" })).status, 422);
    const right = await link(client, { current_password: PASSWORD });
    assert.equal(right.status, 200);
    assert.equal(new URL(right.body.authorization_url).origin, provider.issuer);
    const again = limited.http.withCookie(await makeCookie(limited.db, person.id));
    const path = "/api/profile/second-factor";
    assert.equal((await again.post(path, { current_password: "wrong password" })).status, 422);
    assert.equal((await again.post(path, { current_password: PASSWORD })).status, 429);
  } finally {
    await limited.close();
  }
});

test("only the session that started linking can finish it", async () => {
  provider.people.set(subject, {});
  const other = await makeUser(t.db);
  for (const instead of [
    await makeCookie(t.db, other.id),
    await makeCookie(t.db, user.id),
    "signalbox=ended",
  ]) {
    const way = await wayBackToLink(subject);
    const answer = await arrive({ path: way.path, cookie: way.cookie.replace(cookie, instead) });
    assert.equal(answer.headers["location"], `${PROFILE}&error=expired`);
  }
  assert.equal(await ownerOf(subject), undefined);
  const unchanged = await wayBackToLink(subject);
  assert.equal((await browser.delete("/api/session")).status, 204);
  assert.equal((await arrive(unchanged)).headers["location"], `${PROFILE}&error=expired`);
  assert.equal(await ownerOf(subject), undefined);
});

test("the only way to sign in cannot be removed; with a password or another identity it can", async () => {
  await signIn(subject, { email: user.email, email_verified: true });
  const [{ id }] = (await browser.get("/api/profile/identities")).body.data;
  const last = await browser.delete(`/api/profile/identities/${id}`);
  assert.equal(last.status, 422);
  assert.match(last.body.message, /only way to sign in/);

  await signIn(`${subject}-more`, { email: user.email, email_verified: true });
  assert.equal((await browser.delete(`/api/profile/identities/${id}`)).status, 204);
  assert.equal((await browser.delete(`/api/profile/identities/${id}`)).status, 404);
  assert.equal(await ownerOf(subject), undefined);

  await t.db.updateTable("users").set({ password_hash: "$argon2id$" }).where("id", "=", user.id).execute();
  const [only] = (await browser.get("/api/profile/identities")).body.data;
  assert.equal((await browser.delete(`/api/profile/identities/${only.id}`)).status, 204);
  assert.deepEqual((await browser.get("/api/profile/identities")).body.data, []);
});

test("if the last two identities are removed concurrently, one stays", async () => {
  await signIn(subject, { email: user.email, email_verified: true });
  await signIn(`${subject}-more`, { email: user.email, email_verified: true });
  const { data } = (await browser.get("/api/profile/identities")).body;
  const answers = await collide(
    t.database,
    `select from users where id = ${user.id} for update`,
    async (waiting) => {
      const requests = data.map(({ id }: { id: number }) => browser.delete(`/api/profile/identities/${id}`));
      await waiting(2);
      return requests as Promise<Answer>[];
    },
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 422]);
});

test("identities of other accounts are neither listed nor removed", async () => {
  const other = await makeUser(t.db);
  await signIn(subject, { email: other.email, email_verified: true });
  const row = await t.db
    .selectFrom("identities")
    .select("id")
    .where("subject", "=", subject)
    .executeTakeFirstOrThrow();
  assert.deepEqual((await browser.get("/api/profile/identities")).body.data, []);
  assert.equal((await browser.delete(`/api/profile/identities/${row.id}`)).status, 404);
  assert.equal((await browser.delete("/api/profile/identities/x")).status, 404);
  assert.equal(await ownerOf(subject), other.id);
});

test("a token can neither list nor remove identities", async () => {
  const bearer = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await bearer.get("/api/profile/identities")).status, 403);
  assert.equal((await bearer.delete("/api/profile/identities/1")).status, 403);
});

test("identities are listed in pages", async () => {
  for (const n of [1, 2, 3]) await signIn(`${subject}-${n}`, { email: user.email, email_verified: true });
  const first = (await browser.get("/api/profile/identities?limit=2")).body;
  assert.equal(first.data.length, 2);
  const rest = (await browser.get(`/api/profile/identities?cursor=${first.meta.next_cursor}`)).body;
  assert.equal(rest.data.length, 1);
  assert.equal((await browser.get("/api/profile/identities?limit=0")).status, 422);
});
