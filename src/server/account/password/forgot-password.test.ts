import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { makePersonalToken, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { openSmtpSink } from "../../../../test/support/smtp-sink.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";
import { MailDelivery } from "../../mail/delivery.ts";
import { mailJobs } from "../../jobs/mail-jobs.ts";
import { runJobs } from "../../jobs/run-jobs.ts";
import { queuePasswordResets } from "./queue-password-resets.ts";

const NEW = "battery staple";
const PUBLIC = "http://localhost:3000";

let person: Person;
const t = await useTestApp();
beforeEach(async () => {
  await t.db.deleteFrom("mails").execute();
  await t.db.deleteFrom("password_requests").execute();
  person = await makePerson(t);
});

const forgot = (email: unknown) => t.http.post("/api/password/forgot", { email });
const reset = (token: unknown, password: unknown = NEW) =>
  t.http.post("/api/password/reset", { token, password });
const mails = () => t.db.selectFrom("mails").selectAll().orderBy("id").execute();

/** Requests a link and returns the token from the mail. */
async function tokenFor(email: string): Promise<string> {
  assert.equal((await forgot(email)).status, 204);
  await queuePasswordResets(t.db);
  const path = (await mails()).at(-1)?.button_path ?? "";
  const token = /^\/password\/reset\?token=([\w-]{43})$/.exec(path)?.[1];
  assert.ok(token, path);
  return token;
}

test("a mailed link resets a forgotten password, ignoring the case of the address", async () => {
  const sink = await openSmtpSink();
  const log = pino({ level: "fatal" });
  const delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  const sending = runJobs(mailJobs(t.db, delivery, { pauseMs: 10, retentionDays: 90 }), {
    pool: t.database.pool,
    db: t.db,
    log,
  });
  try {
    const answer = await forgot(person.email.toUpperCase());
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    await sink.waitForMails(1);
  } finally {
    await sending.stop();
    delivery.close();
    await sink.close();
  }
  const [mail, ...more] = sink.mails;
  assert.deepEqual(more, []);
  assert.deepEqual(mail?.recipients, [person.email]);
  const token = /http:\/\/localhost:3000\/password\/reset\?token=([\w-]+)\s/.exec(mail?.text ?? "")?.[1];
  assert.equal((await reset(token)).status, 204);
  assert.equal(await person.canSignIn(NEW), true);
  assert.equal(await person.canSignIn(PASSWORD), false);
});

test("an unknown address gets the same response by the same statements, and no mail", async () => {
  const statementsOf = async (email: string) => {
    const texts: string[] = [];
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text: string }];
      texts.push(typeof first === "string" ? first : first.text);
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      const { status, text, headers } = await forgot(email);
      return { status, text, names: Object.keys(headers).sort(), texts };
    } finally {
      pg.Client.prototype.query = query;
    }
  };
  await forgot("first@example.com"); // opens the connection
  const known = await statementsOf(person.email);
  const unknown = await statementsOf("nobody@example.com");
  assert.equal(known.status, 204);
  assert.ok(known.texts.length > 0);
  assert.deepEqual(unknown, known);
  await queuePasswordResets(t.db);
  assert.deepEqual(
    (await mails()).map((mail) => mail.user_id),
    [person.id],
  );
  assert.deepEqual(await t.db.selectFrom("password_requests").selectAll().execute(), []);
});

test("a value that is not text returns 422, and a malformed address is treated like an unknown one", async () => {
  for (const email of [undefined, 5, ["a@example.com"], { a: 1 }, "", "x".repeat(255), "a\0b"])
    assert.deepEqual(Object.keys((await forgot(email)).body.errors), ["email"], JSON.stringify(email));
  for (const email of ["nobody", "%", "x".repeat(254)]) assert.equal((await forgot(email)).status, 204);
  await queuePasswordResets(t.db);
  assert.deepEqual(await mails(), []);
});

test("an account without a password gets no reset link", async () => {
  const user = await makeUser(t.db);
  assert.equal((await forgot(user.email)).status, 204);
  await queuePasswordResets(t.db);
  assert.deepEqual(await mails(), []);
});

test("a request that waited over an hour is dropped", async () => {
  await forgot(person.email);
  await sql`update password_requests set created_at = now() - interval '61 minutes'`.execute(t.db);
  await queuePasswordResets(t.db);
  assert.deepEqual(await mails(), []);
  assert.deepEqual(await t.db.selectFrom("password_requests").selectAll().execute(), []);
});

test("two processes with the same request send one mail, and so do two requests in one batch", async () => {
  await forgot(person.email);
  await Promise.all([queuePasswordResets(t.db), queuePasswordResets(t.db)]);
  assert.equal((await mails()).length, 1);
  await forgot(person.email);
  await forgot(person.email.toUpperCase());
  await queuePasswordResets(t.db);
  assert.equal((await mails()).length, 2);
});

test("all requests are answered even if there are more than fit in one batch", async () => {
  await sql`insert into password_requests (email) select 'x' || n from generate_series(1, 250) n`.execute(
    t.db,
  );
  await forgot(person.email);
  await queuePasswordResets(t.db);
  assert.equal((await mails()).length, 1);
  assert.deepEqual(await t.db.selectFrom("password_requests").selectAll().execute(), []);
});

test("a reset ends all sessions at once and revokes the personal tokens made since the last password change", async () => {
  const old = t.http.as(await makePersonalToken(t.db, person.id));
  await sql`update users set password_set_at = clock_timestamp() where id = ${person.id}`.execute(t.db);
  const browsers = [await person.signIn(), await person.signIn()];
  const token = t.http.as(await makePersonalToken(t.db, person.id));
  for (const browser of browsers) assert.equal((await browser.get("/api/profile")).status, 200);
  assert.equal((await reset(await tokenFor(person.email))).status, 204);
  for (const browser of browsers) assert.equal((await browser.get("/api/profile")).status, 401);
  assert.equal((await token.get("/api/profile")).status, 401);
  assert.equal((await old.get("/api/profile")).status, 200);
  // The reset counts as a change, so the next one leaves the same token.
  assert.equal((await reset(await tokenFor(person.email))).status, 204);
  assert.equal((await old.get("/api/profile")).status, 200);
});

test("a reset revokes all personal tokens on request", async () => {
  const old = t.http.as(await makePersonalToken(t.db, person.id));
  await sql`update users set password_set_at = clock_timestamp() where id = ${person.id}`.execute(t.db);
  const token = await tokenFor(person.email);
  const wrong = { token, password: NEW, revoke_tokens: "yes" };
  assert.deepEqual(Object.keys((await t.http.post("/api/password/reset", wrong)).body.errors), [
    "revoke_tokens",
  ]);
  const all = { token, password: NEW, revoke_tokens: true };
  assert.equal((await t.http.post("/api/password/reset", all)).status, 204);
  assert.equal((await old.get("/api/profile")).status, 401);
});

test("a link works once, and if two requests race, one wins", async () => {
  const token = await tokenFor(person.email);
  const passwords = ["battery staple 1", "battery staple 2"];
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422]);
  const lost = answers.find(({ status }) => status === 422);
  assert.deepEqual(Object.keys(lost?.body.errors), ["token"]);
  const works = await Promise.all(passwords.map((password) => person.canSignIn(password)));
  assert.deepEqual(
    works,
    answers.map(({ status }) => status === 204),
  );
  assert.equal((await reset(token)).status, 422);
});

test("a newer link voids the older one", async () => {
  const older = await tokenFor(person.email);
  const newer = await tokenFor(person.email);
  assert.equal((await reset(older)).status, 422);
  assert.equal((await reset(newer)).status, 204);
});

test("a link works for an hour", async () => {
  const token = await tokenFor(person.email);
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from expires_at - now())::int as left from password_resets where user_id = ${person.id}`.execute(
    t.db,
  );
  assert.ok((rows[0]?.left ?? 0) > 3_500 && (rows[0]?.left ?? 0) <= 3_600);
  await sql`update password_resets set expires_at = now() where user_id = ${person.id}`.execute(t.db);
  const answer = await reset(token);
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["token"]]);
  assert.equal(await person.canSignIn(PASSWORD), true);
});

test("a wrong token or an invalid password returns 422 on its field, and the link still works", async () => {
  const token = await tokenFor(person.email);
  for (const wrong of [`${token.slice(1)}A`, token.slice(1), "x", 5, null, "", "a\0"])
    assert.deepEqual(Object.keys((await reset(wrong)).body.errors), ["token"], JSON.stringify(wrong));
  for (const password of ["short one", null, 1234567890, "x".repeat(1001)])
    assert.deepEqual(Object.keys((await reset(token, password)).body.errors), ["password"]);
  assert.equal((await reset(token)).status, 204);
});

test("the database never stores the token, before or after the mail is sent", async () => {
  const token = await tokenFor(person.email);
  const resets = await t.db.selectFrom("password_resets").selectAll().execute();
  assert.doesNotMatch(JSON.stringify(resets), new RegExp(token));
  const hashes = resets.map(({ token_hash }) => token_hash.toString("latin1"));
  assert.ok(!hashes.some((hash) => hash.includes(token)));
  await new MailDelivery(t.db, undefined, () => PUBLIC).deliver();
  const [mail] = await mails();
  assert.deepEqual([mail?.state, mail?.button_path], ["kept", null]);
});

test("the mail appears in no administrator's list, before or after it is sent", async () => {
  const workspace = await makeWorkspace(t.db, { admin: person });
  const browser = await person.signIn();
  await tokenFor(person.email);
  const list = () => browser.get(`/api/workspaces/${workspace.id}/mails`);
  assert.deepEqual((await list()).body.data, []);
  await new MailDelivery(t.db, undefined, () => PUBLIC).deliver();
  assert.deepEqual((await list()).body.data, []);
});

test("requesting a reset counts against the sign-in limits of the address and of the client", async () => {
  const limited = await openTestApp({ LIMIT_SIGN_IN: "3", TRUST_PROXY: "127.0.0.1" });
  try {
    const ask = (url: string, client: number, email: string) =>
      limited.http.send({
        method: "POST",
        url,
        headers: { "content-type": "application/json", "x-forwarded-for": `192.0.2.${client}` },
        payload: JSON.stringify({ email, password: "x", token: "x" }),
      });
    for (const client of [1, 2])
      assert.equal((await ask("/api/password/forgot", client, "Ada@example.com")).status, 204);
    assert.equal((await ask("/api/session", 3, "ada@example.com")).status, 401);
    const refused = await ask("/api/password/forgot", 4, "ada@EXAMPLE.com");
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    const noted = await limited.db.selectFrom("password_requests").select("email").execute();
    assert.equal(noted.length, 2);
    // Attempts at tokens are limited only by client.
    const guesses = [];
    for (let n = 0; n < 4; n++) guesses.push((await ask("/api/password/reset", 5, "")).status);
    assert.deepEqual(guesses, [422, 422, 422, 429]);
  } finally {
    await limited.close();
  }
});

test("a page of another site can neither request nor perform a reset", async () => {
  for (const url of ["/api/password/forgot", "/api/password/reset"]) {
    const answer = await t.http.send({
      method: "POST",
      url,
      headers: { "sec-fetch-site": "cross-site", "content-type": "application/json" },
      payload: JSON.stringify({ email: person.email }),
    });
    assert.equal(answer.status, 403);
  }
});
