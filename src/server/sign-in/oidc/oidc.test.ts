import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import type { TestUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import {
  assertFailed,
  comeBack,
  cookiesOf,
  makeIdentity,
  startSignIn,
} from "../../../../test/support/provider-sign-in.ts";

/** Signing in with an identity provider whose addresses are not trusted. */

let user: TestUser;
let subject: string;
let count = 0;
const provider = await startIdentityProvider();
const t = await useTestApp({ ...provider.settings, OIDC_NAME: "Acme Login" });
after(() => provider.stop());
beforeEach(async () => {
  subject = `subject-${++count}`;
  user = await makeIdentity(t.db, provider, subject);
});

const start = (query?: string) => startSignIn(t.http, query);
const arrive = (path: string, cookie: string) => comeBack(t.http, path, cookie);

test("the sign-in methods contain the provider's name", async () => {
  const answer = await t.http.get("/api/sign-in");
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { password: true, oidc: { name: "Acme Login" }, mail: false });
});

test("the redirect carries state, nonce and a PKCE challenge, and their secrets stay on the server", async () => {
  const answer = await t.http.get("/api/oidc/start?return_to=/somewhere");
  assert.equal(answer.status, 302);
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.match(
    String(answer.headers["set-cookie"]),
    /^signalbox-oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const address = new URL(String(answer.headers["location"]));
  assert.equal(address.origin, provider.issuer);
  const query = Object.fromEntries(address.searchParams);
  assert.deepEqual(
    [query["response_type"], query["client_id"], query["redirect_uri"], query["code_challenge_method"]],
    ["code", "signalbox", "http://localhost:3000/api/oidc/callback", "S256"],
  );
  for (const name of ["state", "nonce", "code_challenge"])
    assert.match(String(query[name]), /^[\w-]{43}$/, name);
  const kept = await t.db
    .selectFrom("oidc_attempts")
    .selectAll()
    .where("return_to", "=", "/somewhere")
    .executeTakeFirstOrThrow();
  assert.equal(kept.nonce, query["nonce"]);
  assert.doesNotMatch(address.href, new RegExp(kept.code_verifier));
});

test("a user with a known identity is signed in and returns to the page they wanted", async () => {
  const { address, cookie } = await start("?return_to=/projects/WEB?view=board%23top");
  const back = await provider.signIn(address.href, subject);
  const answer = await arrive(back, cookie);
  assert.equal(answer.status, 302);
  assert.equal(answer.headers["location"], "/projects/WEB?view=board#top");
  assert.equal(answer.headers["cache-control"], "no-store");
  const cookies = cookiesOf(answer);
  assert.ok(cookies.includes("signalbox-oidc="), "the attempt's cookie is cleared");
  const session = cookies.find((one) => one.startsWith("signalbox="));
  assert.ok(session);
  assert.ok(cookies.includes("new_session=1"), "the web app is told that a session was opened");
  const profile = await t.http.withCookie(session).get("/api/profile");
  assert.equal(profile.body.id, user.id);
  const used = await t.http.withCookie(session).get("/api/profile/identities");
  assert.match(used.body.data[0].last_used_at, /Z$/);
  assert.equal(used.body.data[0].email, user.email);
});

test("declining at the provider shows an error", async () => {
  const { address, cookie } = await start();
  const back = await provider.signIn(address.href, "");
  assert.match(back, /error=access_denied/);
  assertFailed(await arrive(back, cookie), "denied");
});

test("a failed sign-in redirects to the sign-in page, which keeps the wanted page", async () => {
  const { address, cookie } = await start("?return_to=/issues/WEB-1?tab=a%26b%23c");
  const answer = await arrive(await provider.signIn(address.href, ""), cookie);
  assertFailed(answer, "denied", "&return_to=%2Fissues%2FWEB-1%3Ftab%3Da%26b%23c");
});

test("return_to accepts only paths of the app", async () => {
  for (const path of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%09/evil.example",
    "/%0A/evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%252e%252e//evil.example",
    "/%2e%2e//evil.example",
    "javascript:alert(1)",
    "projects",
    "",
    `/${"x".repeat(2000)}`,
  ]) {
    const answer = await t.http.get(`/api/oidc/start?return_to=${path}`);
    assert.equal(answer.status, 422, path);
    assert.deepEqual(Object.keys(answer.body.errors), ["return_to"], path);
    assert.equal(answer.headers["set-cookie"], undefined, path);
  }
  assert.equal((await t.http.get("/api/oidc/start?return_to=/a&return_to=/b")).status, 422);
});

test("without trusted addresses an unknown identity cannot sign in, even if its address matches", async () => {
  provider.people.set("stranger", { email: user.email, email_verified: true });
  const { address, cookie } = await start();
  assertFailed(await arrive(await provider.signIn(address.href, "stranger"), cookie), "unknown_identity");
  const rows = await t.db.selectFrom("identities").select("id").where("subject", "=", "stranger").execute();
  assert.deepEqual(rows, []);
});

test("the same subject of another issuer is a different identity", async () => {
  provider.people.set("elsewhere", { email: user.email, email_verified: true });
  await t.db
    .insertInto("identities")
    .values({ user_id: user.id, issuer: "https://other.example", subject: "elsewhere" })
    .execute();
  const { address, cookie } = await start();
  assertFailed(await arrive(await provider.signIn(address.href, "elsewhere"), cookie), "unknown_identity");
});

test("signing in with the provider requires no second factor", async () => {
  await t.db
    .insertInto("second_factors")
    .values({ user_id: user.id, secret: "AAAAAAAA", confirmed_at: new Date().toISOString() })
    .execute();
  const { address, cookie } = await start();
  assert.equal((await arrive(await provider.signIn(address.href, subject), cookie)).headers["location"], "/");
});
