import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeCookie, makePersonalToken, makeUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const user = await makeUser(t.db);
const browser = t.http.withCookie(await makeCookie(t.db, user.id));

test("a personal token is shown once, stored hashed, and acts as its user", async () => {
  const made = await browser.post("/api/profile/tokens", { name: "laptop", write: true });
  assert.equal(made.status, 201);
  assert.match(made.body.token, /^sbx_pat_[0-9A-Za-z]{49}$/);
  const profile = await t.http.as(made.body.token).get("/api/profile");
  assert.equal(profile.body.id, user.id);
  const list = await browser.get("/api/profile/tokens");
  assert.equal(list.body.data[0].token, undefined);
  assert.equal(list.body.data[0].last_four, made.body.token.slice(-4));
  assert.notEqual(list.body.data[0].last_used_at, null);
  const stored = await t.db.selectFrom("personal_tokens").selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(made.body.token));
});

test("a token without the write scope may only read", async () => {
  const reader = t.http.as(await makePersonalToken(t.db, user.id, { write: false }));
  assert.equal((await reader.get("/api/profile")).status, 200);
  assert.equal((await reader.patch("/api/profile", { first_name: "Eve" })).status, 403);
  assert.equal((await reader.get("/api/profile")).body.first_name, "Ada");
});

test("a token cannot list, create or delete tokens, nor change the email address", async () => {
  const token = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await token.get("/api/profile/tokens")).status, 403);
  assert.equal((await token.post("/api/profile/tokens", { name: "more" })).status, 403);
  assert.equal((await token.delete("/api/profile/tokens/1")).status, 403);
  assert.equal((await token.patch("/api/profile", { email: "new@example.com" })).status, 403);
});

test("deleted and expired tokens return 401 at once", async () => {
  const made = await browser.post("/api/profile/tokens", { name: "short-lived" });
  const token = t.http.as(made.body.token);
  assert.equal((await token.get("/api/profile")).status, 200);
  assert.equal((await browser.delete(`/api/profile/tokens/${made.body.id}`)).status, 204);
  assert.equal((await token.get("/api/profile")).status, 401);
  assert.equal((await browser.delete(`/api/profile/tokens/${made.body.id}`)).status, 404);

  const expired = await makePersonalToken(t.db, user.id);
  await t.db
    .updateTable("personal_tokens")
    .set({ expires_at: new Date(0).toISOString() })
    .execute();
  assert.equal((await t.http.as(expired).get("/api/profile")).status, 401);
});

test("another user's token returns 404", async () => {
  const other = t.http.withCookie(await makeCookie(t.db, (await makeUser(t.db)).id));
  const made = await browser.post("/api/profile/tokens", { name: "mine" });
  assert.equal((await other.delete(`/api/profile/tokens/${made.body.id}`)).status, 404);
  assert.deepEqual((await other.get("/api/profile/tokens")).body, { data: [], meta: { next_cursor: null } });
});

test("an expiry in the past, a blank name and a wrong type return 422 on their fields", async () => {
  const answer = await browser.post("/api/profile/tokens", {
    name: " ",
    write: "yes",
    expires_at: "2001-01-01T00:00:00Z",
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["expires_at", "name", "write"]);
});

test("a list of tokens has pages by cursor", async () => {
  const reader = t.http.withCookie(await makeCookie(t.db, (await makeUser(t.db)).id));
  for (const name of ["a", "b", "c"]) await reader.post("/api/profile/tokens", { name });
  const first = await reader.get("/api/profile/tokens?limit=2");
  assert.deepEqual(
    first.body.data.map((row: { name: string }) => row.name),
    ["a", "b"],
  );
  const second = await reader.get(`/api/profile/tokens?limit=2&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual(
    second.body.data.map((row: { name: string }) => row.name),
    ["c"],
  );
  assert.equal(second.body.meta.next_cursor, null);
  assert.equal((await reader.get("/api/profile/tokens?cursor=nonsense")).status, 422);
  assert.equal((await reader.get("/api/profile/tokens?limit=0")).status, 422);
});

test("after the clock was set back, the last use of tokens and sessions is recorded again", async () => {
  const { id } = await makeUser(t.db);
  const clients = [
    t.http.as(await makePersonalToken(t.db, id)),
    t.http.withCookie(await makeCookie(t.db, id)),
  ];
  for (const table of ["personal_tokens", "sessions"] as const)
    await t.db
      .updateTable(table)
      .set({ last_used_at: sql`now() + interval '2 days'` })
      .where("user_id", "=", id)
      .execute();
  for (const client of clients) assert.equal((await client.get("/api/profile")).status, 200);
  for (const table of ["personal_tokens", "sessions"] as const) {
    const { isAhead } = await t.db
      .selectFrom(table)
      .select(sql<boolean>`last_used_at > clock_timestamp()`.as("isAhead"))
      .where("user_id", "=", id)
      .executeTakeFirstOrThrow();
    assert.equal(isAhead, false, table);
  }
});
