import assert from "node:assert/strict";
import type { Db } from "../../src/server/db/connect.ts";
import type { Answer, Client } from "./client.ts";
import type { startIdentityProvider } from "./identity-provider.ts";
import { makeUser, type TestUser } from "./make.ts";

/** `name=value` of every cookie that a response sets; cleared ones have no value. */
export function cookiesOf(answer: Answer): string[] {
  const header = answer.headers["set-cookie"] as string | string[] | undefined;
  return [header ?? []].flat().map((one) => one.split(";", 1).join());
}

/** Starts a sign-in, and returns the provider's address and the attempt's cookie. */
export async function startSignIn(http: Client, query = ""): Promise<{ address: URL; cookie: string }> {
  const answer = await http.get(`/api/oidc/start${query}`);
  assert.equal(answer.status, 302);
  const [cookie] = cookiesOf(answer);
  assert.ok(cookie);
  return { address: new URL(String(answer.headers["location"])), cookie };
}

/** Returns from the provider to the callback. */
export const comeBack = (http: Client, path: string, cookie: string) =>
  http.send({ method: "GET", url: path, headers: { cookie, "sec-fetch-site": "cross-site" } });

export function assertFailed(answer: Answer, code: string, returnTo = "") {
  assert.equal(answer.status, 302);
  assert.equal(answer.headers["location"], `/sign-in?error=${code}${returnTo}`);
  assert.ok(!cookiesOf(answer).some((cookie) => cookie.startsWith("signalbox=")), "no session was opened");
}

/** A user whose identity at the provider is this subject. */
export async function makeIdentity(
  db: Db,
  provider: Awaited<ReturnType<typeof startIdentityProvider>>,
  subject: string,
): Promise<TestUser> {
  const user = await makeUser(db);
  provider.people.set(subject, { email: user.email, email_verified: true });
  await db.insertInto("identities").values({ user_id: user.id, issuer: provider.issuer, subject }).execute();
  return user;
}
