import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Secret, type TOTP, URI } from "otpauth";
import { collide } from "../../../../test/support/collide.ts";
import { makeCookie, makeFreshCookie, makePersonalToken } from "../../../../test/support/make.ts";
import {
  codeOf,
  makeUserWithPassword,
  openSecondFactor,
  PASSWORD,
  PATH,
  type SecondFactorUser,
} from "../../../../test/support/second-factor.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

let me: SecondFactorUser;
const t = await useTestApp();
beforeEach(async () => {
  me = await openSecondFactor(t);
});

const remove = (code: unknown, by = me.browser) =>
  by.send({
    method: "DELETE",
    url: PATH,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ code }),
  });

const stateOf = async () => (await me.browser.get(PATH)).body;

test("a second factor becomes active with its first code", async () => {
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
  const started = await me.browser.post(PATH, { current_password: PASSWORD });
  assert.equal(started.status, 200);
  assert.deepEqual(Object.keys(started.body).sort(), ["otpauth_url", "secret"]);
  assert.match(started.body.secret, /^[A-Z2-7]{32}$/);
  const otpauth = URI.parse(started.body.otpauth_url) as TOTP;
  assert.deepEqual(
    [otpauth.issuer, otpauth.label, otpauth.secret.base32, otpauth.digits, otpauth.period, otpauth.algorithm],
    ["Signalbox", me.user.email, started.body.secret, 6, 30, "SHA1"],
  );
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
  assert.equal((await me.signIn()).status, 200);

  const confirmed = await me.browser.post(`${PATH}/confirm`, { code: codeOf(started.body.secret) });
  assert.equal(confirmed.status, 200);
  const codes: string[] = confirmed.body.recovery_codes;
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  assert.deepEqual(Object.keys(confirmed.body), ["recovery_codes"]);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("recovery codes are stored as hashes, and the secret is shown only once", async () => {
  const { secret, recovery_codes } = await me.activate();
  const kept = JSON.stringify(
    await t.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", me.user.id).execute(),
  );
  for (const code of recovery_codes)
    for (const text of [code, code.replaceAll("-", "")]) assert.ok(!kept.includes(text));
  for (const url of [PATH, "/api/profile"]) assert.ok(!(await me.browser.get(url)).text.includes(secret));
});

test("setting up requires the password, or without one a fresh sign-in at the identity provider", async () => {
  for (const [current_password, message] of [
    [undefined, "is required"],
    [null, "is required"],
    ["wrong", "is wrong"],
    [5, "must be a string"],
  ]) {
    const answer = await me.browser.post(PATH, { current_password });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.errors, { current_password: [message] });
  }
  assert.equal((await me.browser.post(PATH)).status, 422);
  await t.db.updateTable("users").set({ password_hash: null }).where("id", "=", me.user.id).execute();
  assert.equal((await me.browser.post(PATH)).status, 403);
  const fresh = t.http.withCookie(await makeFreshCookie(t.db, me.user.id));
  assert.equal((await fresh.post(PATH)).status, 200);
});

test("starting again replaces an unconfirmed secret, but not an active one", async () => {
  const first = await me.startPending();
  const second = await me.startPending();
  assert.notEqual(first, second);
  assert.equal((await me.browser.post(`${PATH}/confirm`, { code: codeOf(first) })).status, 422);
  assert.equal((await me.browser.post(`${PATH}/confirm`, { code: codeOf(second) })).status, 200);
  const third = await me.browser.post(PATH, { current_password: PASSWORD });
  assert.equal(third.status, 422);
  assert.equal(third.body.secret, undefined);
  await me.letPass();
  assert.equal((await me.signIn(codeOf(second))).status, 200);
});

test("confirming with a wrong code, or with nothing to confirm, returns 422 on the code", async () => {
  const nothing = await me.browser.post(`${PATH}/confirm`, { code: "123456" });
  assert.deepEqual([nothing.status, Object.keys(nothing.body.errors)], [422, ["code"]]);
  const secret = await me.startPending();
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
    const answer = await me.browser.post(`${PATH}/confirm`, { code });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["code"]], String(code));
  }
  assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
});

test("if two confirmations race, one returns the recovery codes", async () => {
  const code = codeOf(await me.startPending());
  const lock = `select from second_factors where user_id = ${me.user.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [1, 2].map(() => me.browser.post(`${PATH}/confirm`, { code }));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422]);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("sign-in reveals the second factor only after the right password", async () => {
  const { secret } = await me.activate();
  const asked = await me.signIn();
  assert.equal(asked.status, 401);
  assert.equal(asked.headers["www-authenticate"], "Bearer");
  assert.equal(asked.headers["set-cookie"], undefined);
  assert.deepEqual(Object.keys(asked.body).sort(), ["message", "second_factor_required"]);
  assert.equal(asked.body.second_factor_required, true);

  const wrong = await t.http.post("/api/session", {
    email: me.user.email,
    password: "wrong",
    code: codeOf(secret),
  });
  const plain = await t.http.post("/api/session", { email: "nobody@example.com", password: "wrong" });
  assert.deepEqual([wrong.status, wrong.body], [401, plain.body]);

  const answer = await me.signIn(codeOf(secret));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.id, me.user.id);
  assert.ok(answer.headers["set-cookie"]);
});

test("a code works once, across sign-in, confirmation and all other uses", async () => {
  const secret = await me.startPending();
  const code = codeOf(secret);
  assert.equal((await me.browser.post(`${PATH}/confirm`, { code })).status, 200);
  assert.equal((await me.signIn(code)).status, 401);
  assert.equal((await remove(code)).status, 422);
  await me.letPass();
  assert.equal((await me.signIn(code)).status, 200);
  const again = await me.signIn(code);
  assert.deepEqual([again.status, again.body.second_factor_required], [401, true]);
  assert.equal((await me.browser.post(`${PATH}/recovery-codes`, { code })).status, 422);
});

test("an earlier code is invalid once a later one was used", async () => {
  const { secret } = await me.activate();
  assert.equal((await me.signIn(codeOf(secret, 1))).status, 200);
  assert.equal((await me.signIn(codeOf(secret))).status, 401);
});

test("a clock that is half a minute off is accepted, one and a half minutes are not", async () => {
  const { secret } = await me.activate();
  for (const steps of [-3, 3])
    assert.equal((await me.signIn(codeOf(secret, steps))).status, 401, String(steps));
  const { last_step } = await t.db
    .selectFrom("second_factors")
    .select("last_step")
    .where("user_id", "=", me.user.id)
    .executeTakeFirstOrThrow();
  assert.equal(last_step, 0);
  assert.equal((await me.signIn(codeOf(secret))).status, 200);
});

test("if two sign-ins race with one code, one succeeds", async () => {
  const { secret, recovery_codes } = await me.activate();
  for (const [code, lock] of [
    [codeOf(secret), `select from second_factors where user_id = ${me.user.id} for update`],
    [recovery_codes[0], `select from recovery_codes where user_id = ${me.user.id} for update`],
  ] as const) {
    const answers = await collide(t.database, lock, async (waiting) => {
      const requests = [1, 2].map(() => me.signIn(code));
      await waiting(2);
      return requests;
    });
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 401]);
  }
});

test("a recovery code signs in once, however it is written", async () => {
  const { recovery_codes } = await me.activate();
  const [first = "", second = "", third = ""] = recovery_codes;
  assert.equal((await me.signIn(first)).status, 200);
  assert.equal((await me.signIn(first)).status, 401);
  assert.equal((await me.signIn(second.toUpperCase().replaceAll("-", " "))).status, 200);
  assert.equal((await me.signIn(` ${third.replaceAll("-", "")} `)).status, 200);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 7 });
});

test("codes of another account are invalid", async () => {
  const { secret, recovery_codes } = await me.activate();
  const other = await makeUserWithPassword(t);
  await t.db
    .insertInto("second_factors")
    .values({ user_id: other.id, secret: new Secret().base32, confirmed_at: new Date().toISOString() })
    .execute();
  for (const code of [codeOf(secret), recovery_codes[0]]) {
    const answer = await me.signIn(code, other.email);
    assert.deepEqual([answer.status, answer.body.second_factor_required], [401, true]);
  }
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 10 });
});

test("a code sent for an account without a second factor is ignored, but must be text", async () => {
  assert.equal((await me.signIn("123456")).status, 200);
  assert.equal((await me.signIn(null)).status, 200);
  for (const code of [123456, ["1"], "", "x".repeat(101), "1\u00002"]) {
    const answer = await me.signIn(code);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["code"]], String(code));
  }
});

test("renewing the recovery codes requires a code and voids the old ones", async () => {
  const { secret, recovery_codes } = await me.activate();
  assert.equal((await me.browser.post(`${PATH}/recovery-codes`, {})).status, 422);
  assert.equal((await me.browser.post(`${PATH}/recovery-codes`, { code: "nonsense" })).status, 422);
  const renewed = await me.browser.post(`${PATH}/recovery-codes`, { code: codeOf(secret) });
  assert.equal(renewed.status, 200);
  assert.equal(renewed.body.recovery_codes.length, 10);
  assert.equal((await me.signIn(recovery_codes[0])).status, 401);
  assert.equal((await me.signIn(renewed.body.recovery_codes[0])).status, 200);
  assert.deepEqual(await stateOf(), { active: true, recovery_codes_left: 9 });
});

test("a code or a recovery code turns the second factor off, and the password alone signs in again", async () => {
  for (const kind of ["code", "recovery code"]) {
    const { secret, recovery_codes } = await me.activate();
    for (const wrong of ["000000x", "", undefined]) assert.equal((await remove(wrong)).status, 422);
    const off = await remove(kind === "code" ? codeOf(secret) : recovery_codes[9]);
    assert.equal(off.status, 204, kind);
    assert.deepEqual(await stateOf(), { active: false, recovery_codes_left: 0 });
    assert.equal((await me.signIn()).status, 200);
    assert.equal((await remove(codeOf(secret))).status, 404);
    assert.equal((await me.browser.post(`${PATH}/recovery-codes`, { code: codeOf(secret) })).status, 404);
  }
});

test("a token cannot manage the second factor", async () => {
  const bearer = t.http.as(await makePersonalToken(t.db, me.user.id));
  assert.equal((await bearer.get(PATH)).status, 403);
  assert.equal((await bearer.post(PATH, { current_password: PASSWORD })).status, 403);
  assert.equal((await bearer.post(`${PATH}/confirm`, { code: "123456" })).status, 403);
  assert.equal((await bearer.post(`${PATH}/recovery-codes`, { code: "123456" })).status, 403);
  assert.equal((await remove("123456", bearer)).status, 403);
});

test("turning on the second factor ends all other sessions, even one that is opened meanwhile without a code", async () => {
  const other = t.http.withCookie(await makeCookie(t.db, me.user.id));
  const secret = await me.startPending();
  const lock = `select from users where id = ${me.user.id} for update`;
  const [confirmed, signedIn] = await collide(t.database, lock, async (waiting) => {
    const first = me.browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
    await waiting(1);
    const second = me.signIn();
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual([confirmed?.status, signedIn?.status], [200, 401]);
  assert.equal(signedIn?.body.second_factor_required, true);
  assert.equal((await me.browser.get("/api/profile")).status, 200);
  assert.equal((await other.get("/api/profile")).status, 401);
});
