import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { Secret } from "otpauth";
import { makeCookie } from "../../../../test/support/make.ts";
import {
  codeOf,
  makeUserWithPassword,
  openSecondFactor,
  PASSWORD,
  PATH,
  type SecondFactorUser,
} from "../../../../test/support/second-factor.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";

let me: SecondFactorUser;
const t = await useTestApp();
beforeEach(async () => {
  me = await openSecondFactor(t);
});

const guess = () => me.browser.post(`${PATH}/recovery-codes`, { code: "wrong" });
const wrongCodeMails = () =>
  t.db
    .selectFrom("mails")
    .select("id")
    .where("user_id", "=", me.user.id)
    .where("subject", "like", "Wrong codes%")
    .execute();
const age = (seconds: number) =>
  sql`update second_factors set wrong_code_at = clock_timestamp() - make_interval(secs => ${seconds})
      where user_id = ${me.user.id}`.execute(t.db);

test("ten wrong codes in a row pause the entry of codes everywhere, longer after each further one, with one email", async () => {
  const { secret, recovery_codes } = await me.activate();
  for (let n = 0; n < 9; n++) assert.equal((await guess()).status, 422);
  assert.deepEqual(await wrongCodeMails(), []);
  assert.equal((await me.signIn("wrong")).status, 401);
  assert.equal((await wrongCodeMails()).length, 1);
  for (const refused of [
    await guess(),
    await me.signIn(codeOf(secret)),
    await me.signIn(recovery_codes[0]),
  ]) {
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
  assert.equal((await me.signIn(codeOf(secret))).status, 200);
  assert.equal((await guess()).status, 422);
  assert.equal((await wrongCodeMails()).length, 1);
});

test("no more than ten of many concurrent wrong codes are checked", async () => {
  await me.activate();
  const answers = await Promise.all(Array.from({ length: 30 }, guess));
  assert.equal(answers.filter(({ status }) => status === 422).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20);
});

test("a clock that was set back does not prolong the pause", async () => {
  const { secret } = await me.activate();
  await Promise.all(Array.from({ length: 10 }, guess));
  assert.equal((await guess()).status, 429);
  await age(-2 * 86_400);
  assert.equal((await me.signIn(codeOf(secret))).status, 200);
});

test("attempts at codes are limited like sign-in, per account and over all its sessions", async () => {
  const limited = await openTestApp({ LIMIT_SIGN_IN: "3" });
  try {
    const owner = await makeUserWithPassword(limited);
    const secret = new Secret().base32;
    await limited.db
      .insertInto("second_factors")
      .values({ user_id: owner.id, secret, confirmed_at: new Date().toISOString() })
      .execute();
    const guess = async () => {
      const session = limited.http.withCookie(await makeCookie(limited.db, owner.id));
      return session.post(`${PATH}/recovery-codes`, { code: "000000x" });
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
          payload: JSON.stringify({ email: owner.email, password: PASSWORD, code }),
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
