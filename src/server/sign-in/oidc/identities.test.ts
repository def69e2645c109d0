import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Answer, Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeFreshCookie,
  makePersonalToken,
  makeUser,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTrustedProvider } from "../../../../test/support/trusted-provider.ts";

let user: TestUser;
let browser: Client;
let subject: string;
let count = 0;
const { t, signIn, ownerOf } = await useTrustedProvider();

beforeEach(async () => {
  user = await makeUser(t.db);
  browser = t.http.withCookie(await makeFreshCookie(t.db, user.id));
  subject = `subject-${++count}`;
});

test("the only way to sign in cannot be removed; with a password or another identity it can", async () => {
  await signIn(subject, { email: user.email, email_verified: true });
  const [{ id }] = (await browser.get("/api/profile/identities")).body.data;
  const last = await browser.delete(`/api/profile/identities/${id}`);
  assert.equal(last.status, 422);
  assert.match(last.body.message, /only way to sign in/);

  await signIn(`${subject}-more`, { email: user.email, email_verified: true });
  assert.equal((await browser.delete(`/api/profile/identities/${id}`)).status, 204);
  assert.equal((await browser.delete(`/api/profile/identities/${id}`)).status, 404);
  assert.equal(await ownerOf(subject), undefined);

  await t.db.updateTable("users").set({ password_hash: "$argon2id$" }).where("id", "=", user.id).execute();
  const [only] = (await browser.get("/api/profile/identities")).body.data;
  assert.equal((await browser.delete(`/api/profile/identities/${only.id}`)).status, 204);
  assert.deepEqual((await browser.get("/api/profile/identities")).body.data, []);
});

test("if the last two identities are removed concurrently, one stays", async () => {
  await signIn(subject, { email: user.email, email_verified: true });
  await signIn(`${subject}-more`, { email: user.email, email_verified: true });
  const { data } = (await browser.get("/api/profile/identities")).body;
  const answers = await collide(
    t.database,
    `select from users where id = ${user.id} for update`,
    async (waiting) => {
      const requests = data.map(({ id }: { id: number }) => browser.delete(`/api/profile/identities/${id}`));
      await waiting(2);
      return requests as Promise<Answer>[];
    },
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 422]);
});

test("identities of other accounts are neither listed nor removed", async () => {
  const other = await makeUser(t.db);
  await signIn(subject, { email: other.email, email_verified: true });
  const row = await t.db
    .selectFrom("identities")
    .select("id")
    .where("subject", "=", subject)
    .executeTakeFirstOrThrow();
  assert.deepEqual((await browser.get("/api/profile/identities")).body.data, []);
  assert.equal((await browser.delete(`/api/profile/identities/${row.id}`)).status, 404);
  assert.equal((await browser.delete("/api/profile/identities/x")).status, 404);
  assert.equal(await ownerOf(subject), other.id);
});

test("a token can neither list nor remove identities", async () => {
  const bearer = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await bearer.get("/api/profile/identities")).status, 403);
  assert.equal((await bearer.delete("/api/profile/identities/1")).status, 403);
});

test("identities are listed in pages", async () => {
  for (const n of [1, 2, 3]) await signIn(`${subject}-${n}`, { email: user.email, email_verified: true });
  const first = (await browser.get("/api/profile/identities?limit=2")).body;
  assert.equal(first.data.length, 2);
  const rest = (await browser.get(`/api/profile/identities?cursor=${first.meta.next_cursor}`)).body;
  assert.equal(rest.data.length, 1);
  assert.equal((await browser.get("/api/profile/identities?limit=0")).status, 422);
});
