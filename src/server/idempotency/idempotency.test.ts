import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { openBoard, type Board } from "../../../test/support/board.ts";
import { cookieOf, type Client } from "../../../test/support/client.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import {
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
  type TestUser,
} from "../../../test/support/make.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { png } from "../../../test/support/images.ts";
import { MULTIPART, multipart } from "../../../test/support/multipart.ts";
import { makePerson, PASSWORD } from "../../../test/support/person.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { isAwaited } from "../reports/awaited-events.ts";
import { deleteOldAnswers } from "./delete-old-answers.ts";
import { sha256 } from "../access/tokens.ts";

const t = await useTestApp({}, { lockTimeout: "2s" });
const workspace: { id: number; admin: TestUser } = await makeWorkspace(t.db);
let board: Board;
let key: string;
let count = 0;
beforeEach(async () => {
  board = await openBoard(t, workspace);
  key = `key ${++count}`;
});

const post = (url: string, body: unknown, by: Client = board.admin, idempotencyKey = key) =>
  by.send({
    method: "POST",
    url,
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    payload: JSON.stringify(body),
  });

const issues = () => `${board.url}/issues`;
const titles = async (): Promise<string[]> =>
  (await board.admin.get(issues())).body.data.map((issue: { title: string }) => issue.title);

test("the same request with the same key gets the same response and takes effect once", async () => {
  const first = await post(issues(), { title: "Once", type: 1 });
  assert.deepEqual([first.status, first.headers["idempotent-replayed"]], [201, undefined]);
  const again = await post(issues(), { type: 1, title: "Once" });
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers["idempotent-replayed"], "true");
  assert.match(again.headers["content-type"] ?? "", /^application\/json/);
  assert.deepEqual(await titles(), ["Once"]);
  assert.equal((await post(issues(), { title: "Once", type: 1 }, board.admin, `${key}b`)).status, 201);
  assert.equal((await titles()).length, 2);
});

test("another body or URL with the same key returns 422, and another credential has its own keys", async () => {
  assert.equal((await post(issues(), { title: "One" })).status, 201);
  for (const [url, body] of [
    [issues(), { title: "Two" }],
    [`${issues()}?x=1`, { title: "One" }],
    [`${board.url}/labels`, { name: "One", color: "#000000" }],
  ] as const) {
    const refused = await post(url, body);
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["idempotency-key"]]);
  }
  const other = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  assert.equal((await post(issues(), { title: "Two" }, other)).status, 201);
  assert.deepEqual((await titles()).sort(), ["One", "Two"]);
});

test("a key must have 1 to 255 printable characters, and counts for POST only", async () => {
  for (const wrong of ["", "x".repeat(256), "a\u00e9"]) {
    const refused = await post(issues(), { title: "One" }, board.admin, wrong);
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["idempotency-key"]], wrong);
  }
  assert.equal((await post(issues(), { title: "One" }, board.admin, "~".repeat(255))).status, 201);
  const headers = { "idempotency-key": "~".repeat(255) };
  assert.equal((await board.admin.send({ method: "GET", url: issues(), headers })).status, 200);
});

test("a 4xx response of the action is repeated, and access is checked again", async () => {
  const report = await board.admin.post(`${board.url}/reports`, { title: "It", description: "It broke." });
  const dismiss = `${board.url}/reports/${report.body.id}/dismiss`;
  const body = { category: "invalid" };
  await board.admin.post(dismiss, body);
  const refused = await post(dismiss, body);
  assert.equal(refused.status, 422);
  await sql`update reports set dismissed_at = null, dismiss_reason = null where id = ${report.body.id}`.execute(
    t.db,
  );
  const again = await post(dismiss, body);
  assert.deepEqual(
    [again.status, again.text, again.headers["idempotent-replayed"]],
    [422, refused.text, "true"],
  );
  await sql`delete from personal_tokens`.execute(t.db);
  // The token may have been looked up a moment ago.
  await eventually(async () => (await post(dismiss, body)).status, 401);
});

test("concurrent requests with the same key take effect once and get the same response", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(issues(), { title: "Once" })));
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(answers[0]?.status, 201);
  assert.deepEqual(await titles(), ["Once"]);
});

test("a request whose key is in use for longer than a lock may take returns 409", async () => {
  const { rows } = await sql<{ id: number }>`select max(id) as id from personal_tokens`.execute(t.db);
  const client = new pg.Client({ connectionString: t.database.url });
  await client.connect();
  try {
    await client.query("begin");
    const hash = sha256(`pat:${rows[0]?.id}\n${key}`);
    await client.query("insert into idempotency_keys (key_hash, request_hash) values ($1, $1)", [hash]);
    const refused = await post(issues(), { title: "Later" });
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [409, "1"]);
    await client.query("rollback");
  } finally {
    await client.end();
  }
  assert.equal((await post(issues(), { title: "Later" })).status, 201);
});

test("an action and its stored response take effect together or not at all", async () => {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
    t.db,
  );
  await sql`create trigger refuse before update on idempotency_keys for each row execute function refuse()`.execute(
    t.db,
  );
  const failed = await post(issues(), { title: "Twice?" });
  assert.equal(failed.status, 500);
  assert.deepEqual(await titles(), []);
  await sql`drop trigger refuse on idempotency_keys`.execute(t.db);
  assert.equal((await post(issues(), { title: "Twice?" })).status, 201);
  assert.deepEqual(await titles(), ["Twice?"]);
});

test("a failed request can be repeated with its key", async () => {
  await sql`create trigger refuse before insert on labels for each row execute function refuse()`.execute(
    t.db,
  );
  const label = { name: "new", color: "#000000" };
  assert.equal((await post(`${board.url}/labels`, label)).status, 500);
  await sql`drop trigger refuse on labels`.execute(t.db);
  assert.equal((await post(`${board.url}/labels`, label)).status, 201);
});

test("a new token is repeated, but the database does not contain it", async () => {
  const person = await makePerson(t);
  const browser = await person.signIn();
  const made = await post("/api/profile/tokens", { name: "laptop" }, browser);
  const again = await post("/api/profile/tokens", { name: "laptop" }, browser);
  assert.deepEqual([again.status, again.body], [201, made.body]);
  const { rows } = await sql<{ text: string }>`
    select encode(answer, 'escape') as text from idempotency_keys where answer is not null`.execute(t.db);
  assert.ok(rows.length > 0);
  for (const { text } of rows) assert.doesNotMatch(text, /sbx_|laptop|message/);
});

test("a repeated sign-in gets the same session, and other bodies without a credential have keys of their own", async () => {
  const { email } = await makePerson(t);
  const signIn = (password: string) => post("/api/session", { email, password }, t.http);
  const first = await signIn(PASSWORD);
  const again = await signIn(PASSWORD);
  assert.deepEqual([again.status, cookieOf(again)], [200, cookieOf(first)]);
  assert.equal((await t.http.withCookie(cookieOf(again)).get("/api/profile")).body.email, email);
  assert.equal((await signIn("wrong")).status, 401);
  const other = await makePerson(t);
  const neighbor = await post("/api/session", { email: other.email, password: PASSWORD }, t.http);
  assert.deepEqual([neighbor.status, neighbor.headers["idempotent-replayed"]], [200, undefined]);
  assert.notEqual(cookieOf(neighbor), cookieOf(first));
  assert.equal(cookieOf(await signIn(PASSWORD)), cookieOf(first));
});

test("a multipart body is compared by its fields and files", async () => {
  const url = `${board.url}/reports`;
  const send = async (title: string, shade: number) => {
    const content = await png(20, 20, { r: shade, g: shade, b: shade });
    const payload = multipart([
      { name: "title", value: title },
      { name: "description", value: "It broke." },
      { name: "files[0]", filename: "a.png", content, type: "image/png" },
    ]);
    const headers = { "content-type": MULTIPART, "idempotency-key": key };
    return board.admin.send({ method: "POST", url, headers, payload });
  };
  const first = await send("Broken", 1);
  assert.deepEqual([first.status, first.body.attachments_count], [201, 1], first.text);
  const again = await send("Broken", 1);
  assert.deepEqual([again.text, again.headers["idempotent-replayed"]], [first.text, "true"]);
  for (const other of [await send("Other", 1), await send("Broken", 2)])
    assert.deepEqual(Object.keys(other.body.errors), ["idempotency-key"]);
  assert.equal((await board.admin.get(url)).body.length, 1);
});

test("after 24 hours a key is new, and its row is deleted", async () => {
  assert.equal((await post(issues(), { title: "Old" })).status, 201);
  await sql`update idempotency_keys set created_at = created_at - interval '25 hours'`.execute(t.db);
  assert.equal((await post(issues(), { title: "New" })).status, 201);
  assert.equal((await post(issues(), { title: "New" })).headers["idempotent-replayed"], "true");
  await sql`update idempotency_keys set created_at = created_at - interval '25 hours'`.execute(t.db);
  assert.ok((await deleteOldAnswers(t.db)) > 0);
  assert.deepEqual(await sql`select from idempotency_keys`.execute(t.db).then(({ rows }) => rows), []);
});

test("error events ignore the key, because they have an event_id", async () => {
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  const url = `${board.url}/error-events`;
  assert.equal((await post(url, anEvent(), token)).status, 202);
  assert.equal((await post(url, anEvent({ message: "other" }), token)).status, 202);
  assert.deepEqual(await sql`select from idempotency_keys`.execute(t.db).then(({ rows }) => rows), []);
});

test("the process waits for the event that a report with a key refers to", async () => {
  const body = { title: "It", description: "It broke.", error_event_id: randomUUID().replaceAll("-", "") };
  assert.equal((await post(`${board.url}/reports`, body)).status, 201);
  assert.equal(isAwaited(t.db, null, board.id, body.error_event_id), true);
});

test("reordering reports with a key returns the new order and is repeated", async () => {
  const url = `${board.url}/reports`;
  const make = async (title: string) =>
    (await board.admin.post(url, { title, description: "It broke." })).body.id;
  const [first, second] = [await make("First"), await make("Second")];
  const moved = await post(`${url}/reorder`, { report_id: second, rank_after_id: first });
  assert.deepEqual(
    moved.body.map((report: { id: number }) => report.id),
    [second, first],
  );
  const again = await post(`${url}/reorder`, { report_id: second, rank_after_id: first });
  assert.deepEqual([again.text, again.headers["idempotent-replayed"]], [moved.text, "true"]);
});
