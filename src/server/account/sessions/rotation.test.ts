import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { cookieOf } from "../../../../test/support/client.ts";
import { makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { useTestApp, SETUP_TOKEN } from "../../../../test/support/test-app.ts";

/** What happens to sessions when a new one replaces them, or cannot be opened. */

const t = await useTestApp();

const signIn = (person: Person, cookie?: string) =>
  (cookie === undefined ? t.http : t.http.withCookie(cookie)).post("/api/session", {
    email: person.email,
    password: PASSWORD,
  });

const invitation = async (email: string) => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = t.http.as(await makePersonalToken(t.db, admin.id));
  const { body } = await client.post(`/api/workspaces/${id}/invitations`, { email });
  return `/api${new URL(body.link).pathname}`;
};

const profile = async (cookie: string) => (await t.http.withCookie(cookie).get("/api/profile")).status;

const bea = { first_name: "Bea", last_name: "Lund", username: "bea", password: PASSWORD };

/** Runs while inserting a session fails. */
async function withoutSessions(run: () => Promise<void>) {
  await sql`alter table sessions add constraint none check (user_agent = 'nobody') not valid`.execute(t.db);
  try {
    await run();
  } finally {
    await sql`alter table sessions drop constraint none`.execute(t.db);
  }
}

test("setup creates the account, the workspace and the session together, or nothing", async () => {
  const person = { ...bea, email: "bea@example.com", username: "first" };
  const body = { ...person, setup_token: SETUP_TOKEN, workspace_name: "Acme" };
  await withoutSessions(async () => {
    assert.equal((await t.http.post("/api/setup", body)).status, 500);
    assert.deepEqual((await t.http.get("/api/setup")).body, { required: true });
  });
  assert.equal((await t.http.post("/api/setup", body)).status, 201);
});

test("accepting an invitation creates no account if opening the session fails, and can be repeated", async () => {
  const link = await invitation("new@example.com");
  await withoutSessions(async () => {
    assert.equal((await t.http.post(link, bea)).status, 500);
  });
  assert.equal((await t.http.post(link, bea)).status, 201);
});

test("signing in ends the browser's previous session, regardless of its user", async () => {
  const [ada, eve] = [await makePerson(t), await makePerson(t)];
  const first = cookieOf(await signIn(ada));
  const elsewhere = cookieOf(await signIn(ada));
  const second = cookieOf(await signIn(ada, first));
  assert.deepEqual([await profile(first), await profile(second)], [401, 200]);
  const third = cookieOf(await signIn(eve, second));
  assert.deepEqual([await profile(second), await profile(third)], [401, 200]);
  const accepted = await t.http
    .withCookie(third)
    .post(await invitation("other@example.com"), { ...bea, username: "other" });
  assert.equal(accepted.status, 201);
  assert.deepEqual([await profile(third), await profile(cookieOf(accepted))], [401, 200]);
  assert.equal(await profile(elsewhere), 200);
});

test("a failed sign-in keeps the browser's session", async () => {
  const person = await makePerson(t);
  const cookie = cookieOf(await signIn(person));
  const answer = await t.http
    .withCookie(cookie)
    .post("/api/session", { email: person.email, password: "wrong" });
  assert.equal(answer.status, 401);
  assert.equal(await profile(cookie), 200);
});
