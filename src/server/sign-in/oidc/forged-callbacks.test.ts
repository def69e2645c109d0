import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import {
  assertFailed,
  comeBack,
  makeIdentity,
  startSignIn,
} from "../../../../test/support/provider-sign-in.ts";

let subject: string;
let count = 0;
const provider = await startIdentityProvider();
const t = await useTestApp(provider.settings);
after(() => provider.stop());
beforeEach(async () => {
  subject = `subject-${++count}`;
  await makeIdentity(t.db, provider, subject);
});

const start = (query?: string) => startSignIn(t.http, query);
const arrive = (path: string, cookie: string) => comeBack(t.http, path, cookie);

async function attemptsOf(path: string): Promise<number> {
  const rows = await t.db
    .selectFrom("oidc_attempts")
    .select("return_to")
    .where("return_to", "=", path)
    .execute();
  return rows.length;
}

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
