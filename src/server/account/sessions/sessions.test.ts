import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Session } from "../../../shared/sessions.ts";
import type { Client } from "../../../../test/support/client.ts";
import { makeCookie, makePersonalToken, makeUser, type TestUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

let user: TestUser;
let cookies: string[];
let browsers: [Client, Client, Client];
const t = await useTestApp();
beforeEach(async () => {
  user = await makeUser(t.db);
  cookies = [];
  for (let n = 0; n < 3; n++) cookies.push(await makeCookie(t.db, user.id));
  browsers = cookies.map((cookie) => t.http.withCookie(cookie)) as typeof browsers;
});

const url = "/api/profile/sessions";
const list = async (client: Client, query = "") => {
  const answer = await client.get(`${url}${query}`);
  assert.equal(answer.status, 200);
  return answer.body as { data: Session[]; meta: { next_cursor: string | null } };
};
const statuses = async () =>
  Promise.all(browsers.map(async (browser) => (await browser.get("/api/profile")).status));

test("sessions are listed newest first, with the current one marked and without their secrets or hashes", async () => {
  const { data, meta } = await list(browsers[1]);
  assert.deepEqual(
    data.map(({ current }) => current),
    [false, true, false],
  );
  assert.ok((data[0]?.id ?? 0) > (data[1]?.id ?? 0) && (data[1]?.id ?? 0) > (data[2]?.id ?? 0));
  assert.equal(meta.next_cursor, null);
  const [{ created_at, last_used_at, expires_at, ...session }] = data as [Session];
  assert.deepEqual(session, { id: session.id, current: false, user_agent: "test" });
  for (const time of [created_at, last_used_at, expires_at])
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const rows = await t.db.selectFrom("sessions").select("id_hash").execute();
  const text = JSON.stringify(data);
  for (const { id_hash } of rows)
    for (const encoding of ["hex", "base64", "base64url"] as const)
      assert.ok(!text.includes(id_hash.toString(encoding)));
  for (const cookie of cookies) assert.ok(!text.includes(cookie.split("=")[1] as string));
});

test("the list has pages, and contains neither expired sessions nor those of other users", async () => {
  await makeCookie(t.db, (await makeUser(t.db)).id);
  const first = await list(browsers[0], "?limit=2");
  const second = await list(browsers[0], `?limit=2&cursor=${first.meta.next_cursor}`);
  assert.equal(second.meta.next_cursor, null);
  assert.deepEqual(
    [...first.data, ...second.data].map(({ current }) => current),
    [false, false, true],
  );
  const newest = first.data[0]?.id as number;
  await sql`update sessions set expires_at = now() where id = ${newest}`.execute(t.db);
  assert.ok(!(await list(browsers[0])).data.some(({ id }) => id === newest));
  for (const query of ["?limit=0", "?limit=201", "?cursor=x"])
    assert.equal((await browsers[0].get(`${url}${query}`)).status, 422, query);
});

test("the next request of an ended session returns 401, and other sessions continue", async () => {
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const newest = (await list(browsers[0])).data[0]?.id;
  const answer = await browsers[0].delete(`${url}/${newest}`);
  assert.equal(answer.status, 204);
  assert.equal(answer.headers["set-cookie"], undefined);
  assert.deepEqual(await statuses(), [200, 200, 401]);
  assert.equal((await browsers[0].delete(`${url}/${newest}`)).status, 404);
});

test("ending the current session signs out", async () => {
  const own = (await list(browsers[0])).data.find(({ current }) => current);
  const answer = await browsers[0].delete(`${url}/${own?.id}`);
  assert.equal(answer.status, 204);
  assert.match(String(answer.headers["set-cookie"]), /^signalbox=;/);
  assert.deepEqual(await statuses(), [401, 200, 200]);
});

test("one request ends all other sessions", async () => {
  const stranger = t.http.withCookie(await makeCookie(t.db, (await makeUser(t.db)).id));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  assert.equal((await browsers[1].delete(url)).status, 204);
  assert.deepEqual(await statuses(), [401, 200, 401]);
  assert.equal((await browsers[1].delete(url)).status, 204);
  assert.equal((await stranger.get("/api/profile")).status, 200);
});

test("ending another user's session or a malformed id returns 404", async () => {
  const eve = t.http.withCookie(await makeCookie(t.db, (await makeUser(t.db)).id));
  const { data } = await list(browsers[0]);
  for (const { id } of data) assert.equal((await eve.delete(`${url}/${id}`)).status, 404);
  for (const id of ["0", "-1", "x", "1e3", "9007199254740993", "%00", data[0]?.created_at])
    assert.equal((await eve.delete(`${url}/${id}`)).status, 404, id);
  assert.deepEqual(await statuses(), [200, 200, 200]);
});

test("a token can neither list nor end sessions, and a page of another site cannot end them", async () => {
  const token = t.http.as(await makePersonalToken(t.db, user.id));
  const { id } = (await list(browsers[0])).data[0] as Session;
  assert.equal((await token.get(url)).status, 403);
  assert.equal((await token.delete(url)).status, 403);
  assert.equal((await token.delete(`${url}/${id}`)).status, 403);
  const headers = { cookie: cookies[0] as string, "sec-fetch-site": "cross-site" };
  assert.equal((await t.http.send({ method: "DELETE", url, headers })).status, 403);
  assert.deepEqual(await statuses(), [200, 200, 200]);
});
