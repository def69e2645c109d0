import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeCookie,
  makeFreshCookie,
  makePersonalToken,
  makeUser,
  type TestUser,
} from "../../../../test/support/make.ts";
import { makePerson, PASSWORD } from "../../../../test/support/person.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { cookieHeader, useTrustedProvider } from "../../../../test/support/trusted-provider.ts";

let user: TestUser;
let cookie: string;
let browser: Client;
let subject: string;
let count = 0;
const { provider, t, arrive, signIn, ownerOf, profileOf } = await useTrustedProvider();

beforeEach(async () => {
  user = await makeUser(t.db);
  cookie = await makeFreshCookie(t.db, user.id);
  browser = t.http.withCookie(cookie);
  subject = `subject-${++count}`;
});
const PROFILE = "/settings/profile?section=security";

const link = (client: Client, body: object = {}) =>
  client.post("/api/profile/identities", { return_to: PROFILE, ...body });

/** Goes through the provider to link an identity; returns the callback address and the browser's cookies. */
async function wayBackToLink(who: string) {
  const started = await link(browser);
  assert.equal(started.status, 200, started.text);
  const path = await provider.signIn(started.body.authorization_url, who);
  return { path, cookie: `${cookie}; ${cookieHeader(started)}` };
}

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
    await makeFreshCookie(t.db, user.id),
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
