import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { Secret, TOTP, URI } from "otpauth";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeCookie, makePersonalToken, makeUser, type TestUser } from "../../../../test/support/make.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";
import { hashPassword } from "../../access/passwords.ts";

const path = "/api/profile/second-factor";
const password = "correct horse";
let user: TestUser;
let browser: Client;
const t = await useTestApp();
const password_hash = await hashPassword(password);
beforeEach(async () => {
  user = await makeUser(t.db);
  await t.db.updateTable("users").set({ password_hash }).where("id", "=", user.id).execute();
  browser = t.http.withCookie(await makeCookie(t.db, user.id));
});

/** The code that an authenticator shows `steps` half-minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

const remove = (code: unknown, by = browser) =>
  by.send({
    method: "DELETE",
    url: path,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ code }),
  });

/** Makes the codes used so far older, so that the current one is accepted. */
const letPass = () =>
  t.db.updateTable("second_factors").set({ last_step: 0 }).where("user_id", "=", user.id).execute();

async function startPending(): Promise<string> {
  const answer = await browser.post(path, { current_password: password });
  assert.equal(answer.status, 200);
  return answer.body.secret;
}

/** Activates a second factor whose codes are all unused. */
async function activate(): Promise<{ secret: string; recovery_codes: string[] }> {
  const secret = await startPending();
  const answer = await browser.post(`${path}/confirm`, { code: codeOf(secret) });
  assert.equal(answer.status, 200);
  await letPass();
  return { secret, recovery_codes: answer.body.recovery_codes };
}

const signIn = (code?: unknown, email = user.email) =>
  t.http.post("/api/session", { email, password, ...(code === undefined ? {} : { code }) });

const stateOf = async () => (await browser.get(path)).body;

test("a second factor becomes active with its first code", async () => {
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
  const started = await browser.post(path, { current_password: password });
  assert.equal(started.status, 200);
  assert.deepEqual(Object.keys(started.body).sort(), ["otpauth_url", "secret"]);
  assert.match(started.body.secret, /^[A-Z2-7]{32}$/);
  const otpauth = URI.parse(started.body.otpauth_url) as TOTP;
  assert.deepEqual(
    [otpauth.issuer, otpauth.label, otpauth.secret.base32, otpauth.digits, otpauth.period, otpauth.algorithm],
    ["Signalbox", user.email, started.body.secret, 6, 30, "SHA1"],
  );
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
  assert.equal((await signIn()).status, 200);

  const confirmed = await browser.post(`${path}/confirm`, { code: codeOf(started.body.secret) });
  assert.equal(confirmed.status, 200);
  const codes: string[] = confirmed.body.recovery_codes;
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  assert.deepEqual(Object.keys(confirmed.body), ["recovery_codes"]);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("recovery codes are stored as hashes, and the secret is shown only once", async () => {
  const { secret, recovery_codes } = await activate();
  const kept = JSON.stringify(
    await t.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", user.id).execute(),
  );
  for (const code of recovery_codes)
    for (const text of [code, code.replaceAll("-", "")]) assert.ok(!kept.includes(text));
  for (const url of [path, "/api/profile"]) assert.ok(!(await browser.get(url)).text.includes(secret));
});

test("setting up requires the password of an account that has one", async () => {
  for (const [current_password, message] of [
    [undefined, "is required"],
    [null, "is required"],
    ["wrong", "is wrong"],
    [5, "must be a string"],
  ]) {
    const answer = await browser.post(path, { current_password });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.errors, { current_password: [message] });
  }
  assert.equal((await browser.post(path)).status, 422);
  await t.db.updateTable("users").set({ password_hash: null }).where("id", "=", user.id).execute();
  assert.equal((await browser.post(path)).status, 200);
});

test("starting again replaces an unconfirmed secret, but not an active one", async () => {
  const first = await startPending();
  const second = await startPending();
  assert.notEqual(first, second);
  assert.equal((await browser.post(`${path}/confirm`, { code: codeOf(first) })).status, 422);
  assert.equal((await browser.post(`${path}/confirm`, { code: codeOf(second) })).status, 200);
  const third = await browser.post(path, { current_password: password });
  assert.equal(third.status, 422);
  assert.equal(third.body.secret, undefined);
  await letPass();
  assert.equal((await signIn(codeOf(second))).status, 200);
});

test("confirming with a wrong code, or with nothing to confirm, returns 422 on the code", async () => {
  const nothing = await browser.post(`${path}/confirm`, { code: "123456" });
  assert.deepEqual([nothing.status, Object.keys(nothing.body.errors)], [422, ["code"]]);
  const secret = await startPending();
  for (const code of [
    codeOf(secret, -3),
    codeOf(secret, 3),
    "12345",
    "1234567",
    "abcdef",
    "",
    " ",
    123456,
    null,
    undefined,
  ]) {
    const answer = await browser.post(`${path}/confirm`, { code });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["code"]], String(code));
  }
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
});

test("if two confirmations race, one returns the recovery codes", async () => {
  const code = codeOf(await startPending());
  const lock = `select from second_factors where user_id = ${user.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [1, 2].map(() => browser.post(`${path}/confirm`, { code }));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422]);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("sign-in reveals the second factor only after the right password", async () => {
  const { secret } = await activate();
  const asked = await signIn();
  assert.equal(asked.status, 401);
  assert.equal(asked.headers["www-authenticate"], "Bearer");
  assert.equal(asked.headers["set-cookie"], undefined);
  assert.deepEqual(Object.keys(asked.body).sort(), ["message", "second_factor_required"]);
  assert.equal(asked.body.second_factor_required, true);

  const wrong = await t.http.post("/api/session", {
    email: user.email,
    password: "wrong",
    code: codeOf(secret),
  });
  const plain = await t.http.post("/api/session", { email: "nobody@example.com", password: "wrong" });
  assert.deepEqual([wrong.status, wrong.body], [401, plain.body]);

  const answer = await signIn(codeOf(secret));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.id, user.id);
  assert.ok(answer.headers["set-cookie"]);
});

test("a code works once, across sign-in, confirmation and all other uses", async () => {
  const secret = await startPending();
  const code = codeOf(secret);
  assert.equal((await browser.post(`${path}/confirm`, { code })).status, 200);
  assert.equal((await signIn(code)).status, 401);
  assert.equal((await remove(code)).status, 422);
  await letPass();
  assert.equal((await signIn(code)).status, 200);
  const again = await signIn(code);
  assert.deepEqual([again.status, again.body.second_factor_required], [401, true]);
  assert.equal((await browser.post(`${path}/recovery-codes`, { code })).status, 422);
});

test("an earlier code is invalid once a later one was used", async () => {
  const { secret } = await activate();
  assert.equal((await signIn(codeOf(secret, 1))).status, 200);
  assert.equal((await signIn(codeOf(secret))).status, 401);
});

test("a clock that is half a minute off is accepted, one and a half minutes are not", async () => {
  const { secret } = await activate();
  for (const steps of [-3, 3]) assert.equal((await signIn(codeOf(secret, steps))).status, 401, String(steps));
  const { last_step } = await t.db
    .selectFrom("second_factors")
    .select("last_step")
    .where("user_id", "=", user.id)
    .executeTakeFirstOrThrow();
  assert.equal(last_step, 0);
  assert.equal((await signIn(codeOf(secret))).status, 200);
});

test("if two sign-ins race with one code, one succeeds", async () => {
  const { secret, recovery_codes } = await activate();
  for (const [code, lock] of [
    [codeOf(secret), `select from second_factors where user_id = ${user.id} for update`],
    [recovery_codes[0], `select from recovery_codes where user_id = ${user.id} for update`],
  ] as const) {
    const answers = await collide(t.database, lock, async (waiting) => {
      const requests = [1, 2].map(() => signIn(code));
      await waiting(2);
      return requests;
    });
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 401]);
  }
});

test("a recovery code signs in once, however it is written", async () => {
  const { recovery_codes } = await activate();
  const [first = "", second = "", third = ""] = recovery_codes;
  assert.equal((await signIn(first)).status, 200);
  assert.equal((await signIn(first)).status, 401);
  assert.equal((await signIn(second.toUpperCase().replaceAll("-", " "))).status, 200);
  assert.equal((await signIn(` ${third.replaceAll("-", "")} `)).status, 200);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 7 });
});

test("codes of another account are invalid", async () => {
  const { secret, recovery_codes } = await activate();
  const other = await makeUser(t.db);
  await t.db.updateTable("users").set({ password_hash }).where("id", "=", other.id).execute();
  await t.db
    .insertInto("second_factors")
    .values({ user_id: other.id, secret: new Secret().base32, confirmed_at: new Date().toISOString() })
    .execute();
  for (const code of [codeOf(secret), recovery_codes[0]]) {
    const answer = await signIn(code, other.email);
    assert.deepEqual([answer.status, answer.body.second_factor_required], [401, true]);
  }
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("a code sent for an account without a second factor is ignored, but must be text", async () => {
  assert.equal((await signIn("123456")).status, 200);
  assert.equal((await signIn(null)).status, 200);
  for (const code of [123456, ["1"], "", "x".repeat(101), "1\u00002"]) {
    const answer = await signIn(code);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["code"]], String(code));
  }
});

test("renewing the recovery codes requires a code and voids the old ones", async () => {
  const { secret, recovery_codes } = await activate();
  assert.equal((await browser.post(`${path}/recovery-codes`, {})).status, 422);
  assert.equal((await browser.post(`${path}/recovery-codes`, { code: "nonsense" })).status, 422);
  const renewed = await browser.post(`${path}/recovery-codes`, { code: codeOf(secret) });
  assert.equal(renewed.status, 200);
  assert.equal(renewed.body.recovery_codes.length, 10);
  assert.equal((await signIn(recovery_codes[0])).status, 401);
  assert.equal((await signIn(renewed.body.recovery_codes[0])).status, 200);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 9 });
});

test("a code or a recovery code turns the second factor off, and the password alone signs in again", async () => {
  for (const kind of ["code", "recovery code"]) {
    const { secret, recovery_codes } = await activate();
    for (const wrong of ["000000x", "", undefined]) assert.equal((await remove(wrong)).status, 422);
    const off = await remove(kind === "code" ? codeOf(secret) : recovery_codes[9]);
    assert.equal(off.status, 204, kind);
    assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
    assert.equal((await signIn()).status, 200);
    assert.equal((await remove(codeOf(secret))).status, 404);
    assert.equal((await browser.post(`${path}/recovery-codes`, { code: codeOf(secret) })).status, 404);
  }
});

test("a token cannot manage the second factor", async () => {
  const bearer = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await bearer.get(path)).status, 403);
  assert.equal((await bearer.post(path, { current_password: password })).status, 403);
  assert.equal((await bearer.post(`${path}/confirm`, { code: "123456" })).status, 403);
  assert.equal((await bearer.post(`${path}/recovery-codes`, { code: "123456" })).status, 403);
  assert.equal((await remove("123456", bearer)).status, 403);
});

test("turning on the second factor ends all other sessions, even one that is opened meanwhile without a code", async () => {
  const other = t.http.withCookie(await makeCookie(t.db, user.id));
  const secret = await startPending();
  const lock = `select from users where id = ${user.id} for update`;
  const [confirmed, signedIn] = await collide(t.database, lock, async (waiting) => {
    const first = browser.post(`${path}/confirm`, { code: codeOf(secret) });
    await waiting(1);
    const second = signIn();
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual([confirmed?.status, signedIn?.status], [200, 401]);
  assert.equal(signedIn?.body.second_factor_required, true);
  assert.equal((await browser.get("/api/profile")).status, 200);
  assert.equal((await other.get("/api/profile")).status, 401);
});

const guess = () => browser.post(`${path}/recovery-codes`, { code: "wrong" });
const wrongCodeMails = () =>
  t.db
    .selectFrom("mails")
    .select("id")
    .where("user_id", "=", user.id)
    .where("subject", "like", "Wrong codes%")
    .execute();
const age = (seconds: number) =>
  sql`update second_factors set wrong_code_at = clock_timestamp() - make_interval(secs => ${seconds})
      where user_id = ${user.id}`.execute(t.db);

test("ten wrong codes in a row pause the entry of codes everywhere, longer after each further one, with one email", async () => {
  const { secret, recovery_codes } = await activate();
  for (let n = 0; n < 9; n++) assert.equal((await guess()).status, 422);
  assert.deepEqual(await wrongCodeMails(), []);
  assert.equal((await signIn("wrong")).status, 401);
  assert.equal((await wrongCodeMails()).length, 1);
  for (const refused of [await guess(), await signIn(codeOf(secret)), await signIn(recovery_codes[0])]) {
    assert.equal(refused.status, 429);
    const seconds = Number(refused.headers["retry-after"]);
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
  }
  for (const pause of [60, 120, 240]) {
    await age(pause + 1);
    assert.equal((await guess()).status, 422);
    await age(pause + 1);
    assert.equal((await guess()).status, 429);
  }
  await age(3_601);
  assert.equal((await signIn(codeOf(secret))).status, 200);
  assert.equal((await guess()).status, 422);
  assert.equal((await wrongCodeMails()).length, 1);
});

test("no more than ten of many concurrent wrong codes are checked", async () => {
  await activate();
  const answers = await Promise.all(Array.from({ length: 30 }, guess));
  assert.equal(answers.filter(({ status }) => status === 422).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20);
});

test("a clock that was set back does not prolong the pause", async () => {
  const { secret } = await activate();
  await Promise.all(Array.from({ length: 10 }, guess));
  assert.equal((await guess()).status, 429);
  await age(-2 * 86_400);
  assert.equal((await signIn(codeOf(secret))).status, 200);
});

test("attempts at codes are limited like sign-in, per account and over all its sessions", async () => {
  const limited = await openTestApp({ LIMIT_SIGN_IN: "3" });
  try {
    const owner = await makeUser(limited.db);
    await limited.db.updateTable("users").set({ password_hash }).where("id", "=", owner.id).execute();
    const secret = new Secret().base32;
    await limited.db
      .insertInto("second_factors")
      .values({ user_id: owner.id, secret, confirmed_at: new Date().toISOString() })
      .execute();
    const guess = async () => {
      const session = limited.http.withCookie(await makeCookie(limited.db, owner.id));
      return session.post(`${path}/recovery-codes`, { code: "000000x" });
    };
    const answers = [await guess(), await guess(), await guess(), await guess()];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [422, 422, 422, 429],
    );

    const tries = [];
    for (const code of ["000000x", "000000x", "000000x", codeOf(secret)])
      tries.push(
        await limited.http.send({
          method: "POST",
          url: "/api/session",
          headers: { "content-type": "application/json" },
          payload: JSON.stringify({ email: owner.email, password, code }),
        }),
      );
    assert.deepEqual(
      tries.map((answer) => answer.status),
      [401, 401, 401, 429],
    );
  } finally {
    await limited.close();
  }
});
