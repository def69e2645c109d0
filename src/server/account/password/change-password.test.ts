import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { cookieOf, type Client } from "../../../../test/support/client.ts";
import { makeCookie, makeFreshCookie, makePersonalToken, makeUser } from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";
import { queuePasswordResets } from "./queue-password-resets.ts";

const NEW = "battery staple";

let person: Person;
let browser: Client;
const t = await useTestApp();
beforeEach(async () => {
  person = await makePerson(t);
  browser = await person.signIn();
});

const change = (current_password: unknown, password: unknown = NEW, client = browser) =>
  client.post("/api/profile/password", { current_password, password });

test("changing the password requires the current one, ends all other sessions and renews this one's cookie", async () => {
  const other = await person.signIn();
  const answer = await change(PASSWORD);
  assert.deepEqual([answer.status, answer.text], [204, ""]);
  assert.match(String(answer.headers["set-cookie"]), /^signalbox=[\w-]{43};.*HttpOnly; SameSite=Lax/);
  assert.equal((await other.get("/api/profile")).status, 401);
  assert.equal((await browser.get("/api/profile")).status, 401);
  assert.equal((await t.http.withCookie(cookieOf(answer)).get("/api/profile")).body.id, person.id);
  assert.equal(await person.canSignIn(NEW), true);
  assert.equal(await person.canSignIn(PASSWORD), false);
});

test("a wrong or missing current password returns 422 and changes nothing", async () => {
  for (const current of ["wrong password", undefined, null, "", 5, `${PASSWORD} `]) {
    const answer = await change(current);
    assert.deepEqual(
      [answer.status, Object.keys(answer.body.errors)],
      [422, ["current_password"]],
      JSON.stringify(current),
    );
  }
  assert.deepEqual(Object.keys((await change(PASSWORD, "too short")).body.errors), ["password"]);
  assert.equal((await browser.get("/api/profile")).status, 200);
  assert.equal(await person.canSignIn(PASSWORD), true);
});

test("if two password changes race, one wins and the other returns 422", async () => {
  const second = await person.signIn();
  const answers = await Promise.all([
    change(PASSWORD, "battery staple 1"),
    change(PASSWORD, "battery staple 2", second),
  ]);
  const statuses = answers.map(({ status }) => status);
  // The slower request gets 422, or 401 if its session has already ended.
  assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses));
  const winner = statuses.indexOf(204) + 1;
  assert.equal(await person.canSignIn(`battery staple ${winner}`), true);
  assert.equal(await person.canSignIn(`battery staple ${3 - winner}`), false);
});

test("a token cannot change the password, and personal tokens survive a change", async () => {
  const token = t.http.as(await makePersonalToken(t.db, person.id));
  assert.equal((await change(PASSWORD, NEW, token)).status, 403);
  assert.equal((await change(PASSWORD)).status, 204);
  assert.equal((await token.get("/api/profile")).status, 200);
});

test("an account without a password sets its first one without a current password", async () => {
  const user = await makeUser(t.db);
  const client = t.http.withCookie(await makeFreshCookie(t.db, user.id));
  const first = await change(undefined, NEW, client);
  assert.equal(first.status, 204);
  const again = t.http.withCookie(cookieOf(first));
  assert.deepEqual(Object.keys((await change(undefined, PASSWORD, again)).body.errors), ["current_password"]);
  assert.equal((await t.http.post("/api/session", { email: user.email, password: NEW })).status, 200);
});

test("a password change voids a mailed reset link", async () => {
  await t.http.post("/api/password/forgot", { email: person.email });
  await queuePasswordResets(t.db);
  const mail = await t.db.selectFrom("mails").select("button_path").executeTakeFirstOrThrow();
  const token = mail.button_path?.split("token=")[1];
  assert.equal((await change(PASSWORD)).status, 204);
  assert.equal((await t.http.post("/api/password/reset", { token, password: "another one" })).status, 422);
});

test("attempts at the current password are limited per account, over all its sessions", async () => {
  const limited = await openTestApp({ LIMIT_SIGN_IN: "3" });
  try {
    const { id, email } = await makePerson(limited);
    const statuses = [];
    for (let n = 0; n < 4; n++) {
      const client = limited.http.withCookie(await makeCookie(limited.db, id));
      statuses.push((await change("wrong password", NEW, client)).status);
    }
    assert.deepEqual(statuses, [422, 422, 422, 429]);
    // Changing the address counts, too.
    const client = limited.http.withCookie(await makeCookie(limited.db, id));
    const body = { email: "new@example.com", current_password: PASSWORD };
    assert.equal((await client.patch("/api/profile", body)).status, 429);
    // Sign-in attempts count separately, so that nobody else can use up this limit.
    assert.equal((await limited.http.post("/api/session", { email, password: PASSWORD })).status, 200);
  } finally {
    await limited.close();
  }
});
