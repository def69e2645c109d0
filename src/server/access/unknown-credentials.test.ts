import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import type { Answer } from "../../../test/support/client.ts";
import { makeCookie, makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { openTestApp, type TestApp } from "../../../test/support/test-app.ts";
import { makeToken } from "./tokens.ts";

const LIMIT = 3;

async function withApp(run: (t: TestApp) => Promise<void>) {
  const t = await openTestApp({ LIMIT_API: String(LIMIT), TRUST_PROXY: "127.0.0.1" });
  try {
    await run(t);
  } finally {
    await t.close();
  }
}

const ask = (t: TestApp, headers: Record<string, string>, from = "203.0.113.7") =>
  t.http.send({ method: "GET", url: "/api/profile", headers: { ...headers, "x-forwarded-for": from } });
const stranger = () => ({ authorization: `Bearer ${makeToken("pat").token}` });
const endedSession = () => ({
  cookie: `signalbox=${makeToken("pat").token}`,
  "sec-fetch-site": "same-origin",
});
const left = (answer: Answer) => [
  String(answer.headers["x-ratelimit-limit"]),
  String(answer.headers["x-ratelimit-remaining"]),
];

for (const [what, credential] of [
  ["unknown tokens", stranger],
  ["unknown sessions", endedSession],
  ["requests without a credential", () => ({})],
] as const)
  test(`${what} return 401 up to the limit, then 429, and every response says what remains`, () =>
    withApp(async (t) => {
      for (let n = 1; n <= LIMIT; n++) {
        const answer = await ask(t, credential());
        assert.equal(answer.status, 401);
        assert.deepEqual(left(answer), [String(LIMIT), String(LIMIT - n)]);
      }
      const refused = await ask(t, credential());
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
      assert.deepEqual(left(refused), [String(LIMIT), "0"]);
    }));

test("invalid credentials of an address block neither valid ones nor, if they are tokens, the sign-in page", () =>
  withApp(async (t) => {
    const user = await makeUser(t.db);
    for (let n = 0; n <= LIMIT; n++) await ask(t, stranger());
    const token = await makePersonalToken(t.db, user.id);
    assert.equal((await ask(t, { authorization: `Bearer ${token}` })).status, 200);
    assert.equal((await ask(t, { cookie: await makeCookie(t.db, user.id) })).status, 200);
    assert.equal((await ask(t, endedSession())).status, 401);
    assert.equal((await ask(t, {})).status, 401);
    assert.equal((await ask(t, stranger(), "203.0.113.8")).status, 401);
    assert.equal((await ask(t, stranger())).status, 429);
  }));

test("a repeated invalid credential is rejected without a query", () =>
  withApp(async (t) => {
    const one = stranger();
    for (let n = 0; n <= LIMIT; n++) await ask(t, one);
    const { query } = pg.Client.prototype;
    let queries = 0;
    pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
      queries++;
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      for (let n = 0; n < 3; n++) assert.equal((await ask(t, one)).status, 429);
    } finally {
      pg.Client.prototype.query = query;
    }
    assert.equal(queries, 0);
  }));

test("the client's address ignores the port that a proxy adds, and malformed addresses", () =>
  withApp(async (t) => {
    for (const froms of [
      ["198.51.100.4:40001", "198.51.100.4:40002", "198.51.100.4"],
      ["[2001:db8:1:2::5]:40001", "[2001:db8:1:2::6]", "2001:db8:1:2::7"],
      ["unknown", "_hidden:1", "somebody"],
    ]) {
      for (const from of froms) assert.equal((await ask(t, stranger(), from)).status, 401, from);
      for (const from of froms) assert.equal((await ask(t, stranger(), from)).status, 429, from);
    }
  }));
