import assert from "node:assert/strict";
import { test } from "node:test";
import { cookieOf } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makePerson, PASSWORD } from "../../../../test/support/person.ts";
import { openTestApp, useTestApp, SETUP_TOKEN } from "../../../../test/support/test-app.ts";

const person = {
  first_name: "Ada",
  last_name: "Moss",
  username: "ada",
  email: "Ada@example.com",
  password: "correct horse",
};
let cookie: string;
const t = await useTestApp();

test("a new installation requires setup, and a wrong setup token returns 403", async () => {
  assert.deepEqual((await t.http.get("/api/setup")).body, { required: true });
  const answer = await t.http.post("/api/setup", { ...person, setup_token: "wrong", workspace_name: "Acme" });
  assert.equal(answer.status, 403);
});

test("setup reports every invalid field", async () => {
  const answer = await t.http.post("/api/setup", { setup_token: 5, email: "nobody", password: "short" });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors).sort(), [
    "email",
    "first_name",
    "last_name",
    "password",
    "setup_token",
    "username",
    "workspace_name",
  ]);
  assert.deepEqual(answer.body.errors.workspace_name, ["is required"]);
  const blank = await t.http.post("/api/setup", { ...person, password: " ".repeat(10) });
  assert.deepEqual(blank.body.errors.password, ["must not be blank"]);
});

test("if two setups race, one administrator is created and signed in", async () => {
  const body = { ...person, setup_token: SETUP_TOKEN, workspace_name: "Acme" };
  const answers = await Promise.all([
    t.http.post("/api/setup", body),
    t.http.post("/api/setup", { ...body, username: "eve", email: "eve@example.com" }),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [201, 403],
  );
  const made = answers.find((answer) => answer.status === 201);
  assert.ok(made);
  assert.equal(made.body.is_admin, true);
  assert.equal(made.body.email_notifications_enabled, true);
  assert.match(made.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.match(String(made.headers["set-cookie"]), /HttpOnly; SameSite=Lax/);
  const profile = await t.http.withCookie(cookieOf(made)).get("/api/profile");
  assert.equal(profile.body.username, made.body.username);
  await t.db.updateTable("users").set({ username: "ada", email: "Ada@example.com" }).execute();
});

test("setup returns 403 once there is a user, even for an invalid body", async () => {
  assert.equal((await t.http.post("/api/setup", {})).status, 403);
  for (const [type, payload] of [
    ["application/json", "{"],
    ["application/json", `"${"x".repeat(3 * 1_048_576)}"`],
    ["text/plain", "x"],
  ] as const) {
    const headers = { "content-type": type };
    const answer = await t.http.send({ method: "POST", url: "/api/setup", headers, payload });
    assert.equal(answer.status, 403, payload.slice(0, 9));
  }
  assert.deepEqual((await t.http.get("/api/setup")).body, { required: false });
});

test("sign-in returns the profile and a session cookie, ignoring the case of the address", async () => {
  const answer = await t.http.post("/api/session", { email: "ada@EXAMPLE.com", password: person.password });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.username, "ada");
  cookie = cookieOf(answer);
});

test("an address with a letter that is not ASCII belongs to another account than one with the ASCII letter", async () => {
  const person = await makePerson(t);
  const email = `kim.i${person.id}@example.com`;
  await t.db.updateTable("users").set({ email }).where("id", "=", person.id).execute();
  const signIn = async (written: string) =>
    (await t.http.post("/api/session", { email: written, password: PASSWORD })).status;
  assert.equal(await signIn(email.toUpperCase()), 200);
  const others = [email.replace("i", "İ"), email.replace("i", "ı"), email.replace("k", "\u212a")];
  for (const other of [...others, ...others.map((one) => one.toLowerCase())])
    if (other !== email) assert.equal(await signIn(other), 401, other);
});

test("failed sign-ins from one address do not lock the owner out elsewhere, and all clients together have a limit", async () => {
  const limited = await openTestApp({ LIMIT_SIGN_IN: "4", TRUST_PROXY: "127.0.0.1" });
  try {
    const owner = await makePerson(limited);
    const attempt = async (client: number, password: string) => {
      const answer = await limited.http.send({
        method: "POST",
        url: "/api/session",
        headers: { "content-type": "application/json", "x-forwarded-for": `192.0.2.${client}` },
        payload: JSON.stringify({ email: owner.email, password }),
      });
      return answer.status;
    };
    const fromOne = [];
    for (let n = 0; n < 6; n++) fromOne.push(await attempt(1, "wrong"));
    assert.deepEqual(fromOne, [401, 401, 401, 401, 429, 429]);
    assert.equal(await attempt(2, PASSWORD), 200);
    const fromMany = [];
    for (let client = 3; client < 33; client++)
      for (let n = 0; n < 4; n++) fromMany.push(await attempt(client, "wrong"));
    assert.equal(fromMany.filter((status) => status === 401).length, 3);
  } finally {
    await limited.close();
  }
});

test("a wrong password and an unknown address get the same 401", async () => {
  const wrong = await t.http.post("/api/session", { email: "ada@example.com", password: "wrong password" });
  const unknown = await t.http.post("/api/session", {
    email: "nobody@example.com",
    password: "wrong password",
  });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.headers["www-authenticate"], "Bearer");
  assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body]);
});

test("a change by cookie from another site, or without an Origin, returns 403", async () => {
  const send = (headers: Record<string, string>) =>
    t.http.send({
      method: "PATCH",
      url: "/api/profile",
      headers: { cookie, "content-type": "application/json", ...headers },
      payload: "{}",
    });
  assert.equal((await send({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })).status, 403);
  assert.equal((await send({ "sec-fetch-site": "same-site" })).status, 403);
  assert.equal((await send({})).status, 403);
  assert.equal((await send({ origin: "https://evil.example" })).status, 403);
  assert.equal((await send({ origin: "http://localhost:3000" })).status, 200);
  assert.equal((await send({ "sec-fetch-site": "same-origin" })).status, 200);
});

test("signing in from a page of another site returns 403", async () => {
  const answer = await t.http.send({
    method: "POST",
    url: "/api/session",
    headers: { "sec-fetch-site": "cross-site", "content-type": "application/json" },
    payload: JSON.stringify({ email: "ada@example.com", password: person.password }),
  });
  assert.equal(answer.status, 403);
});

test("a signed-out session returns 401 at once", async () => {
  const session = t.http.withCookie(cookie);
  assert.equal((await session.get("/api/profile")).status, 200);
  assert.equal((await session.delete("/api/session")).status, 204);
  assert.equal((await session.get("/api/profile")).status, 401);
});

test("a request without a credential returns 401 with WWW-Authenticate", async () => {
  const answer = await t.http.get("/api/profile");
  assert.equal(answer.status, 401);
  assert.equal(answer.headers["www-authenticate"], "Bearer");
});

test("sign-in opens no session if the password changes while it is checked", async () => {
  const person = await makePerson(t);
  const change = `update users set password_hash = 'another' where id = ${person.id}`;
  const [answer] = await collide(t.database, change, async (waiting) => {
    const signIn = t.http.post("/api/session", { email: person.email, password: PASSWORD });
    await waiting(1);
    return [signIn];
  });
  assert.equal(answer?.status, 401);
  const sessions = await t.db.selectFrom("sessions").select("id").where("user_id", "=", person.id).execute();
  assert.deepEqual(sessions, []);
});
