import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { Answer } from "../../../../test/support/client.ts";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import { makeUser, type TestUser } from "../../../../test/support/make.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";

/** Signing in with an identity provider whose addresses are not trusted. */

let user: TestUser;
let subject: string;
let count = 0;
const provider = await startIdentityProvider();
const t = await useTestApp({ ...provider.settings, OIDC_NAME: "Acme Login" });
after(() => provider.stop());
beforeEach(async () => {
  user = await makeUser(t.db);
  subject = `subject-${++count}`;
  provider.people.set(subject, { email: user.email, email_verified: true });
  await t.db
    .insertInto("identities")
    .values({ user_id: user.id, issuer: provider.issuer, subject })
    .execute();
});

/** `name=value` of every cookie that a response sets; cleared ones have no value. */
function cookiesOf(answer: Answer): string[] {
  const header: unknown = answer.headers["set-cookie"];
  return [header ?? []].flat().map((one) => String(one).split(";", 1)[0] as string);
}

async function start(query = ""): Promise<{ address: URL; cookie: string }> {
  const answer = await t.http.get(`/api/oidc/start${query}`);
  assert.equal(answer.status, 302);
  const [cookie] = cookiesOf(answer);
  assert.ok(cookie);
  return { address: new URL(String(answer.headers["location"])), cookie };
}

const arrive = (path: string, cookie: string) =>
  t.http.send({ method: "GET", url: path, headers: { cookie, "sec-fetch-site": "cross-site" } });

async function attemptsOf(path: string): Promise<number> {
  const rows = await t.db
    .selectFrom("oidc_attempts")
    .select("return_to")
    .where("return_to", "=", path)
    .execute();
  return rows.length;
}

function assertFailed(answer: Answer, code: string, returnTo = "") {
  assert.equal(answer.status, 302);
  assert.equal(answer.headers["location"], `/sign-in?error=${code}${returnTo}`);
  assert.ok(!cookiesOf(answer).some((cookie) => cookie.startsWith("signalbox=")), "no session was opened");
}

test("the sign-in methods contain the provider's name", async () => {
  const answer = await t.http.get("/api/sign-in");
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { password: true, oidc: { name: "Acme Login" } });
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
  const profile = await t.http.withCookie(session).get("/api/profile");
  assert.equal(profile.body.id, user.id);
  const used = await t.http.withCookie(session).get("/api/profile/identities");
  assert.match(used.body.data[0].last_used_at, /Z$/);
  assert.equal(used.body.data[0].email, user.email);
});

test("a callback works once, even if two requests race", async () => {
  const first = await start();
  const back = await provider.signIn(first.address.href, subject);
  assert.equal((await arrive(back, first.cookie)).headers["location"], "/");
  assertFailed(await arrive(back, first.cookie), "expired");

  const second = await start();
  const again = await provider.signIn(second.address.href, subject);
  const answers = await Promise.all([arrive(again, second.cookie), arrive(again, second.cookie)]);
  assert.deepEqual(answers.map((answer) => answer.headers["location"]).sort(), [
    "/",
    "/sign-in?error=expired",
  ]);
});

test("a state of another browser is rejected and leaves the attempt intact", async () => {
  const { address, cookie } = await start();
  const back = await provider.signIn(address.href, subject);
  for (const path of [
    back.replace(/state=[^&]+/, "state=another"),
    back.replace(/state=[^&]+/, "state=%00"),
    back.replace(/state=[^&]+&?/, ""),
    "/api/oidc/callback",
    "/api/oidc/callback?error=access_denied&state=another",
  ])
    assertFailed(await arrive(path, cookie), "expired");
  assert.equal((await arrive(back, cookie)).headers["location"], "/");
});

test("a callback in a browser that did not start the sign-in is rejected", async () => {
  const attacker = await start();
  const victim = await start();
  const back = await provider.signIn(attacker.address.href, subject);
  assertFailed(await arrive(back, victim.cookie), "expired");
  assertFailed(await t.http.get(back), "expired");
  assertFailed(await arrive(back, "signalbox-oidc=nonsense"), "expired");
});

test("an attempt older than ten minutes is rejected, and deleted when the next one starts at the latest", async () => {
  const { address, cookie } = await start("?return_to=/late");
  await start("?return_to=/late");
  const back = await provider.signIn(address.href, subject);
  await t.db
    .updateTable("oidc_attempts")
    .set({ expires_at: new Date(0).toISOString() })
    .where("return_to", "=", "/late")
    .execute();
  assertFailed(await arrive(back, cookie), "expired", "&return_to=%2Flate");
  assert.equal(await attemptsOf("/late"), 1);
  assertFailed(await arrive(back, cookie), "expired");
  await start();
  assert.equal(await attemptsOf("/late"), 0);
});

for (const [what, name] of [
  ["another nonce", "nonce"],
  ["another PKCE challenge", "code_challenge"],
] as const)
  test(`a code issued for ${what} is rejected`, async () => {
    const { address, cookie } = await start();
    address.searchParams.set(name, "x".repeat(43));
    const back = await provider.signIn(address.href, subject);
    assertFailed(await arrive(back, cookie), "failed");
  });

test("a code of one attempt is rejected in another", async () => {
  const attacker = await start();
  const victim = await start();
  const stolen = new URL(await provider.signIn(attacker.address.href, subject), "http://localhost:3000");
  const back = new URL(await provider.signIn(victim.address.href, subject), "http://localhost:3000");
  back.searchParams.set("code", String(stolen.searchParams.get("code")));
  assertFailed(await arrive(`${back.pathname}${back.search}`, victim.cookie), "failed");
});

test("a callback with another issuer, no code or two codes is rejected", async () => {
  for (const spoil of [
    (back: string) => back.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example"),
    (back: string) => back.replace(/code=[^&]+&?/, ""),
    (back: string) => `${back}&code=another`,
  ]) {
    const { address, cookie } = await start();
    const back = await provider.signIn(address.href, subject);
    assertFailed(await arrive(spoil(back), cookie), "failed");
  }
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

test("starting counts against the client's sign-in limit", async () => {
  const limited = await openTestApp({ ...provider.settings, LIMIT_SIGN_IN: "2" });
  try {
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await limited.http.get("/api/oidc/start"));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [302, 302, 429],
    );
    assert.ok(Number(answers[2]?.headers["retry-after"]) > 0);
    // A browser navigation is answered with a page, not JSON.
    const headers = { "sec-fetch-mode": "navigate" };
    const go = (query: string) =>
      limited.http.send({ method: "GET", url: `/api/oidc/start?return_to=${query}`, headers });
    assertFailed(await go("/my-issues"), "too_many", "&return_to=%2Fmy-issues");
    assertFailed(await go("//evil.example"), "too_many");
  } finally {
    await limited.close();
  }
});

test("on https the attempt's cookie is bound to the host, and the callback is on PUBLIC_URL", async () => {
  const secure = await openTestApp({ ...provider.settings, PUBLIC_URL: "https://track.example.com" });
  try {
    const answer = await secure.http.get("/api/oidc/start");
    assert.match(String(answer.headers["set-cookie"]), /^__Host-signalbox-oidc=[\w-]+; .*; Secure/);
    const address = new URL(String(answer.headers["location"]));
    assert.equal(address.searchParams.get("redirect_uri"), "https://track.example.com/api/oidc/callback");
  } finally {
    await secure.close();
  }
});

test("a provider that expects the secret in the body and sends all claims in the ID token works", async () => {
  const other = await startIdentityProvider({ claimsInIdToken: true, authMethod: "client_secret_post" });
  const app = await openTestApp({ ...other.settings, OIDC_TRUST_EMAIL: "true" });
  try {
    const known = await makeUser(app.db);
    other.people.set("somebody", { email: known.email, email_verified: true });
    const started = await app.http.get("/api/oidc/start");
    const back = await other.signIn(String(started.headers["location"]), "somebody");
    const [cookie = ""] = cookiesOf(started);
    const answer = await app.http.send({ method: "GET", url: back, headers: { cookie } });
    assert.equal(answer.headers["location"], "/");
  } finally {
    await app.close();
    await other.stop();
  }
});

test("without a provider its routes return 404, and the sign-in methods contain none", async () => {
  const plain = await openTestApp();
  try {
    assert.deepEqual((await plain.http.get("/api/sign-in")).body, { password: true, oidc: null });
    assert.equal((await plain.http.get("/api/oidc/start")).status, 404);
    assert.equal((await plain.http.get("/api/oidc/callback?code=a&state=b")).status, 404);
  } finally {
    await plain.close();
  }
});

test("an unavailable provider breaks only its own sign-in, at the start and at the callback", async () => {
  const away = await startIdentityProvider();
  const app = await openTestApp(away.settings);
  try {
    const started = await app.http.get("/api/oidc/start");
    away.people.set("somebody", {});
    const back = await away.signIn(String(started.headers["location"]), "somebody");
    await away.stop();
    const [cookie = ""] = cookiesOf(started);
    const answer = await app.http.send({ method: "GET", url: back, headers: { cookie } });
    assertFailed(answer, "provider_unavailable");
  } finally {
    await app.close();
  }

  const fresh = await openTestApp(away.settings);
  try {
    const refused = await fresh.http.get("/api/oidc/start");
    assert.equal(refused.status, 503);
    assert.match(refused.body.message, /identity provider/);
    assert.equal(refused.headers["retry-after"], "30");
    assert.equal(refused.headers["set-cookie"], undefined);
    const browser = { "sec-fetch-mode": "navigate" };
    const sent = await fresh.http.send({ method: "GET", url: "/api/oidc/start", headers: browser });
    assertFailed(sent, "provider_unavailable");
    assert.equal((await fresh.http.get("/api/sign-in")).status, 200);
    assert.deepEqual(await fresh.db.selectFrom("oidc_attempts").selectAll().execute(), []);
  } finally {
    await fresh.close();
  }
});

test("discovery is retried after a failure", async () => {
  const flaky = await startIdentityProvider();
  const app = await openTestApp(flaky.settings);
  try {
    flaky.isBroken = true;
    assert.equal((await app.http.get("/api/oidc/start")).status, 503);
    flaky.isBroken = false;
    const started = await app.http.get("/api/oidc/start");
    assert.equal(started.status, 302);
    flaky.people.set("somebody", {});
    const back = await flaky.signIn(String(started.headers["location"]), "somebody");
    flaky.isBroken = true;
    const [cookie = ""] = cookiesOf(started);
    const answer = await app.http.send({ method: "GET", url: back, headers: { cookie } });
    assertFailed(answer, "provider_unavailable");
  } finally {
    await app.close();
    await flaky.stop();
  }
});
