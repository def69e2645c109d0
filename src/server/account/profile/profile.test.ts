import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeFreshCookie,
  makePersonalToken,
  makeUser,
  type TestUser,
} from "../../../../test/support/make.ts";
import { makePerson, PASSWORD } from "../../../../test/support/person.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { queuePasswordResets } from "../password/queue-password-resets.ts";

let user: TestUser;
let browser: Client;
const t = await useTestApp();
beforeEach(async () => {
  const person = await makePerson(t);
  user = person;
  browser = await person.signIn();
});

const patch = (body: unknown, client = browser) => client.patch("/api/profile", body);
const read = async () => (await browser.get("/api/profile")).body;

test("a new profile has the system theme, single-key shortcuts, UTC and no picture", async () => {
  const { theme, single_keys, time_zone, profile_picture } = await read();
  assert.deepEqual(
    { theme, single_keys, time_zone, profile_picture },
    {
      theme: "system",
      single_keys: true,
      time_zone: "UTC",
      profile_picture: null,
    },
  );
});

test("the profile says whether the account has a password", async () => {
  assert.equal((await read()).has_password, true);
  await t.db.updateTable("users").set({ password_hash: null }).where("id", "=", user.id).execute();
  assert.equal((await read()).has_password, false);
});

test("only the sent fields change, and null is the same as not sent", async () => {
  const before = await read();
  const changes = {
    username: `${user.username}-2`,
    first_name: "Bea",
    last_name: "Lund 日本",
    time_zone: "America/Argentina/Buenos_Aires",
    theme: "dark",
    single_keys: false,
  };
  const answer = await patch({ ...changes, id: 1, is_admin: true, password_hash: "x", created_at: null });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { ...before, ...changes });
  assert.deepEqual(await read(), answer.body);
  const same = await patch({
    theme: null,
    single_keys: null,
    first_name: null,
    email: null,
    time_zone: null,
  });
  assert.deepEqual([same.status, same.body], [200, answer.body]);
});

test("every field is validated, and an invalid change changes nothing", async () => {
  const before = await read();
  const wrong: Record<string, unknown[]> = {
    username: ["", "a b", "-a", "a.", "x".repeat(41), "ä", 5, "a\nb"],
    email: ["nobody", "a@b@c", "", `${"x".repeat(250)}@x.de`, 5, "a @b"],
    first_name: ["", "  ", "x".repeat(101), "a\nb", 5],
    last_name: ["", "x".repeat(101), "a\u0000", false],
    time_zone: ["Mars/Olympus", "+01:00", "-03", "", "Europe/Berlin; drop table users", 1, "x".repeat(65)],
    theme: ["", "Dark", "blue", 0, true],
    single_keys: [0, 1, "true", ""],
    current_password: [5, "x".repeat(1001)],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const answer = await patch({ last_name: "Changed", [field]: value });
      const name = `${field}: ${JSON.stringify(value)}`;
      assert.equal(answer.status, 422, name);
      assert.ok(Object.keys(answer.body.errors).includes(field), name);
    }
  assert.deepEqual(await read(), before);
});

test("a username or address that another user has returns 422 on its field, ignoring case", async () => {
  const other = await makeUser(t.db);
  assert.deepEqual((await patch({ username: other.username.toUpperCase() })).body.errors, {
    username: ["is taken"],
  });
  const taken = await patch({ email: other.email.toUpperCase(), current_password: PASSWORD });
  assert.deepEqual(taken.body.errors, { email: ["is taken"] });
  assert.equal((await patch({ username: user.username.toUpperCase() })).status, 200);
});

test("changing the email address requires the current password, sending the same one does not", async () => {
  const email = `new-${user.email}`;
  for (const current_password of [undefined, null, "wrong password"]) {
    const answer = await patch({ email, first_name: "Eve", current_password });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["current_password"]]);
  }
  assert.deepEqual([(await read()).email, (await read()).first_name], [user.email, "Ada"]);
  assert.equal((await patch({ email: user.email, first_name: "Bea" })).body.first_name, "Bea");
  const answer = await patch({ email, current_password: PASSWORD });
  assert.deepEqual([answer.status, answer.body.email], [200, email]);
  assert.equal((await t.http.post("/api/session", { email, password: PASSWORD })).status, 200);
  assert.equal((await t.http.post("/api/session", { email: user.email, password: PASSWORD })).status, 401);
});

test("a token can change names but not the address", async () => {
  const token = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await patch({ first_name: "Bea" }, token)).status, 200);
  assert.equal((await patch({ email: "new@example.com", current_password: PASSWORD }, token)).status, 403);
  assert.equal((await read()).email, user.email);
});

test("an account without a password changes its address after a fresh sign-in", async () => {
  const other = await makeUser(t.db);
  const client = t.http.withCookie(await makeFreshCookie(t.db, other.id));
  const email = `new-${other.email}`;
  assert.equal((await patch({ email }, client)).body.email, email);
});

test("changing the address voids a reset link sent to the old one", async () => {
  await t.http.post("/api/password/forgot", { email: user.email });
  await queuePasswordResets(t.db);
  const mail = await t.db.selectFrom("mails").select("button_path").executeTakeFirstOrThrow();
  assert.equal((await patch({ email: `new-${user.email}`, current_password: PASSWORD })).status, 200);
  const token = mail.button_path?.split("token=")[1];
  const answer = await t.http.post("/api/password/reset", { token, password: "battery staple" });
  assert.deepEqual(Object.keys(answer.body.errors), ["token"]);
});
