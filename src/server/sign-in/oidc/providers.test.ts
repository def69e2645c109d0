import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import { makeUser } from "../../../../test/support/make.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { assertFailed, cookiesOf } from "../../../../test/support/provider-sign-in.ts";

const provider = await startIdentityProvider();
after(() => provider.stop());

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
    assert.deepEqual((await plain.http.get("/api/sign-in")).body, {
      password: true,
      oidc: null,
      mail: false,
    });
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
