import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import { hashPassword } from "../../src/server/access/passwords.ts";
import type { Answer, Client } from "./client.ts";
import { makeCookie, makeUser, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

export const PATH = "/api/profile/second-factor";
export const PASSWORD = "correct horse";

/** The code that an authenticator shows `steps` half-minutes from now. */
export const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

let hash: Promise<string> | undefined;

/** A user with the password PASSWORD. */
export async function makeUserWithPassword({ db }: TestApp): Promise<TestUser> {
  const user = await makeUser(db);
  const password_hash = await (hash ??= hashPassword(PASSWORD));
  await db.updateTable("users").set({ password_hash }).where("id", "=", user.id).execute();
  return user;
}

/** A signed-in user who can set up a second factor. */
export type SecondFactorUser = {
  user: TestUser;
  /** The API with the user's session. */
  browser: Client;
  /** Starts setting up a second factor, and returns its secret. */
  startPending(): Promise<string>;
  /** Activates a second factor whose codes are all unused. */
  activate(): Promise<{ secret: string; recovery_codes: string[] }>;
  /** Makes the codes used so far older, so that the current one is accepted. */
  letPass(): Promise<unknown>;
  signIn(code?: unknown, email?: string): Promise<Answer>;
};

export async function openSecondFactor(t: TestApp): Promise<SecondFactorUser> {
  const user = await makeUserWithPassword(t);
  const browser = t.http.withCookie(await makeCookie(t.db, user.id));
  const startPending = async () => {
    const answer = await browser.post(PATH, { current_password: PASSWORD });
    assert.equal(answer.status, 200);
    return answer.body.secret as string;
  };
  const letPass = () =>
    t.db.updateTable("second_factors").set({ last_step: 0 }).where("user_id", "=", user.id).execute();
  return {
    user,
    browser,
    startPending,
    letPass,
    activate: async () => {
      const secret = await startPending();
      const answer = await browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
      assert.equal(answer.status, 200);
      await letPass();
      return { secret, recovery_codes: answer.body.recovery_codes };
    },
    signIn: (code, email = user.email) =>
      t.http.post("/api/session", {
        email,
        password: PASSWORD,
        ...(code === undefined ? {} : { code }),
      }),
  };
}
