import assert from "node:assert/strict";
import { hashPassword } from "../../src/server/access/passwords.ts";
import { cookieOf, type Client } from "./client.ts";
import { makeUser, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

export const PASSWORD = "correct horse";

/** A user with a password. */
export type Person = TestUser & {
  /** Signs in and returns a client with the session cookie. */
  signIn(password?: string): Promise<Client>;
  canSignIn(password: string): Promise<boolean>;
};

export async function makePerson(t: TestApp): Promise<Person> {
  const user = await makeUser(t.db);
  const password_hash = await hashPassword(PASSWORD);
  await t.db.updateTable("users").set({ password_hash }).where("id", "=", user.id).execute();
  const post = (password: string) => t.http.post("/api/session", { email: user.email, password });
  return {
    ...user,
    signIn: async (password = PASSWORD) => {
      const answer = await post(password);
      assert.equal(answer.status, 200, answer.text);
      return t.http.withCookie(cookieOf(answer));
    },
    canSignIn: async (password) => (await post(password)).status === 200,
  };
}
