import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import { makeCookie, makePersonalToken, type TestUser } from "../../../../test/support/make.ts";
import { makeIdentity } from "../../../../test/support/provider-sign-in.ts";
import { cookieHeader, useTrustedProvider } from "../../../../test/support/trusted-provider.ts";

/** Accounts without a password: a stolen session must not become the account. */

let user: TestUser;
let cookie: string;
let browser: Client;
let subject: string;
let count = 0;
const { provider, t, arrive } = await useTrustedProvider();

beforeEach(async () => {
  provider.authenticatedAgo = 0;
  subject = `again-${++count}`;
  user = await makeIdentity(t.db, provider, subject);
  cookie = await makeCookie(t.db, user.id);
  browser = t.http.withCookie(cookie);
});

const PROFILE = "/settings/profile?section=security";

/** Signs in again as the subject, and returns the path that the browser comes back to. */
async function signInAgain(who = subject): Promise<unknown> {
  const started = await browser.post("/api/profile/sign-in-again", { return_to: PROFILE });
  assert.equal(started.status, 200, started.text);
  assert.equal(new URL(started.body.authorization_url).searchParams.get("max_age"), "0");
  const path = await provider.signIn(started.body.authorization_url, who);
  const answer = await arrive({ path, cookie: `${cookie}; ${cookieHeader(started)}` });
  return answer.headers["location"];
}

/** The statuses of all changes to how the account signs in. */
async function changes(): Promise<number[]> {
  const [identity] = (await browser.get("/api/profile/identities")).body.data;
  const answers = [
    await browser.patch("/api/profile", { email: `new-${user.email}` }),
    await browser.post("/api/profile/identities", {}),
    await browser.delete(`/api/profile/identities/${identity.id}`),
    await browser.post("/api/profile/second-factor", {}),
    await browser.post("/api/profile/password", { password: "battery staple" }),
  ];
  return answers.map(({ status }) => status);
}

test("without a fresh sign-in, a session changes neither address, password, identities nor second factor", async () => {
  assert.deepEqual(await changes(), [403, 403, 403, 403, 403]);
  const profile = (await browser.get("/api/profile")).body;
  assert.deepEqual([profile.email, profile.has_password], [user.email, false]);
});

test("after signing in again, the session comes back to the same page and may change them", async () => {
  assert.equal(await signInAgain(), PROFILE);
  // 422: it is the only identity.
  assert.deepEqual(await changes(), [200, 200, 422, 200, 204]);
});

test("a fresh sign-in counts for ten minutes, and for its session only", async () => {
  const other = t.http.withCookie(await makeCookie(t.db, user.id));
  await signInAgain();
  const email = `new-${user.email}`;
  assert.equal((await other.patch("/api/profile", { email })).status, 403);
  await sql`update sessions set provider_authenticated_at = provider_authenticated_at - interval '10 minutes'`.execute(
    t.db,
  );
  assert.equal((await browser.patch("/api/profile", { email })).status, 403);
});

test("a sign-in that the provider did more than ten minutes ago is refused", async () => {
  provider.authenticatedAgo = 700;
  assert.equal(await signInAgain(), `${PROFILE}&error=failed`);
  assert.equal((await browser.patch("/api/profile", { email: `new-${user.email}` })).status, 403);
});

test("the ten minutes begin when the provider authenticated the user", async () => {
  provider.authenticatedAgo = 590;
  assert.equal(await signInAgain(), PROFILE);
  await sql`update sessions set provider_authenticated_at = provider_authenticated_at - interval '11 seconds'`.execute(
    t.db,
  );
  assert.equal((await browser.patch("/api/profile", { email: `new-${user.email}` })).status, 403);
});

test("another person's identity, linked or not, does not count", async () => {
  await makeIdentity(t.db, provider, `${subject}-other`);
  provider.people.set(`${subject}-unknown`, {});
  for (const who of [`${subject}-other`, `${subject}-unknown`])
    assert.equal(await signInAgain(who), `${PROFILE}&error=wrong_identity`);
  assert.deepEqual(await changes(), [403, 403, 403, 403, 403]);
});

test("only a browser session can sign in again", async () => {
  const bearer = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await bearer.post("/api/profile/sign-in-again", {})).status, 403);
});
