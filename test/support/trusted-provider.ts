import assert from "node:assert/strict";
import { after } from "node:test";
import type { Answer } from "./client.ts";
import { startIdentityProvider, type Person } from "./identity-provider.ts";
import { comeBack, cookiesOf } from "./provider-sign-in.ts";
import { useTestApp } from "./test-app.ts";

/** An app with a provider whose verified addresses it trusts. */
export async function useTrustedProvider() {
  const provider = await startIdentityProvider();
  const t = await useTestApp({ ...provider.settings, OIDC_TRUST_EMAIL: "true" });
  after(() => provider.stop());

  /** Goes through the provider; returns the callback address and the browser's cookies. */
  async function wayBack(who: string) {
    const started = await t.http.get("/api/oidc/start");
    assert.equal(started.status, 302, started.text);
    const path = await provider.signIn(String(started.headers["location"]), who);
    return { path, cookie: cookieHeader(started) };
  }

  const arrive = ({ path, cookie }: { path: string; cookie: string }) => comeBack(t.http, path, cookie);

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

  /** The profile of the user whom the response signs in. */
  async function profileOf(answer: Answer) {
    assert.equal(answer.headers["location"], "/");
    return (await t.http.withCookie(cookieHeader(answer)).get("/api/profile")).body;
  }

  return { provider, t, wayBack, arrive, signIn, ownerOf, profileOf };
}

/** All cookies that a response sets, as a browser sends them. */
export const cookieHeader = (answer: Answer): string => cookiesOf(answer).join("; ");
