import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { beforeEach, test } from "node:test";
import { fieldsOf, refusalOf } from "../../../../test/support/client.ts";
import { openFeedback, type FeedbackProject } from "../../../../test/support/feedback.ts";
import { makeIngestKey } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

let p: FeedbackProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openFeedback(t);
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const EVENT_ID = "dc75a869-e5c8-4f48-8963-e5796ce9176d";

const only = async () => {
  const [report, ...others] = await p.list();
  assert.ok(report);
  assert.deepEqual(others, []);
  return report;
};

test("feedback becomes a report from outside with everything that was sent", async () => {
  const answer = await p.send(
    {
      title: "The cart",
      description: "It forgets\nits coupon",
      author_name: "Kim",
      author_email: "Kim.Berg@Example.com",
      page: "https://kim:secret@shop.example.com/cart?token=1#top",
      error_event_id: EVENT_ID,
      release: "4.12.1",
      environment: "staging",
      viewport: "1280x720",
      language: "de-DE",
      kind: "bug",
      tags: { plan: "pro", "": "empty key" },
      unknown: true,
    },
    { headers: { "user-agent": FIREFOX } },
  );
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(Object.keys(answer.body), ["id", "status_url"]);
  assert.match(answer.body.status_url, /^http:\/\/localhost:3000\/r\/[\w-]{22,}$/);
  const report = await only();
  assert.equal(report.id, answer.body.id);
  const { title, description, source, created_by, author_name, author_email, author_email_confirmed } =
    report;
  assert.deepEqual(
    { title, description, source, created_by, author_name, author_email, author_email_confirmed },
    {
      title: "The cart",
      description: "It forgets\nits coupon",
      source: 1,
      created_by: null,
      author_name: "Kim",
      author_email: "kim.berg@example.com",
      author_email_confirmed: false,
    },
  );
  assert.deepEqual([report.kind, report.error_event_id], ["bug", EVENT_ID.replaceAll("-", "")]);
  assert.deepEqual(report.origin, {
    page: "https://shop.example.com/cart",
    browser: "Firefox 146.0",
    viewport: "1280x720",
    language: "de-DE",
    release: "4.12.1",
    environment: "staging",
    tags: { plan: "pro", "": "empty key" },
  });
});

test("only a description is required, and the title is its first line that is not blank, cut", async () => {
  const answer = await p.send({ description: `\n \t\n  Too\tslow ${"x".repeat(300)}\r\nreally` });
  assert.equal(answer.status, 201);
  const { title, kind, origin, author_email } = await only();
  assert.equal(title, `Too slow ${"x".repeat(246)}`);
  assert.deepEqual([kind, author_email], [null, null]);
  const [page, browser, viewport, language, release, environment] = Array.from({ length: 6 }, () => null);
  const nothing = { page, browser, viewport, language, release, environment, tags: {} };
  assert.deepEqual(origin, nothing, "an origin without facts tells feedback from a project token's report");
});

test("blank and null optional fields count as not sent", async () => {
  const names = ["title", "author_name", "author_email", "author_signature", "page", "error_event_id"];
  for (const blank of ["", "  ", null]) {
    const fields = Object.fromEntries([...names, "release", "kind", "language"].map((name) => [name, blank]));
    const answer = await p.send({ description: "Hello", ...fields, tags: null });
    assert.equal(answer.status, 201, answer.text);
  }
});

test("every field is validated with an error on that field, and nothing is stored", async () => {
  const long = "x".repeat(256);
  const cases: Record<string, unknown[]> = {
    description: [undefined, null, "", " \n ", 5, "x".repeat(65_536), "a\0b"],
    title: [long, "two\nlines", 5],
    author_name: [long, "two\nlines"],
    author_email: ["kim", "kim@a b", "a@b.c, d@e.f", "a@b.c;d@e.f", "Kim <a@b.c>", `${"x".repeat(251)}@b.c`],
    author_signature: ["abc", "0".repeat(64)],
    page: ["javascript:alert(1)", "/cart", "file:///etc/passwd", `https://a.example/${"x".repeat(2_048)}`],
    error_event_id: ["5", "dc75a869"],
    release: [long, 1],
    environment: [long],
    viewport: [long],
    language: ["a\u0007b"],
    kind: ["praise", 1],
    "tags.a": [{ a: 1 }, { a: "x".repeat(201) }],
    tags: ["a", [], Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, "v"]))],
  };
  for (const [field, values] of Object.entries(cases))
    for (const value of values) {
      const answer = await p.send({ description: "Hello", [field.split(".")[0] as string]: value });
      assert.deepEqual(refusalOf(answer), [422, field], `${field}: ${JSON.stringify(value)?.slice(0, 80)}`);
    }
  assert.deepEqual(await p.list(), []);
});

test("a tag's key has the limit of its value", async () => {
  const answer = await p.send({ description: "Hello", tags: { ["k".repeat(201)]: "v" } });
  assert.equal(answer.status, 422);
  assert.ok(fieldsOf(answer).every((field) => field.startsWith("tags")));
  assert.equal((await p.send({ description: "Hello", tags: { ["k".repeat(200)]: "v" } })).status, 201);
});

test("65,535 characters of right-to-left text are stored unchanged", async () => {
  const description = "\u202eשלום ".repeat(10_923).slice(0, 65_535);
  assert.equal((await p.send({ description, title: "מה קרה" })).status, 201);
  const report = await only();
  assert.deepEqual([report.description, report.title], [description, "מה קרה"]);
});

test("a missing, unknown, disabled or deleted key gets 401", async () => {
  const body = { description: "Hello" };
  const inactive = await makeIngestKey(t.db, p.id, { active: false });
  for (const key of ["", "0123456789abcdef0123456789abcdef", "sbx_pat_unknown", inactive]) {
    const { status, headers } = await p.send(body, { key });
    assert.deepEqual([status, headers["www-authenticate"]], [401, "Bearer"], key);
  }
  const none = await t.http.post(p.url, body);
  assert.equal(none.status, 401);
  assert.deepEqual(await p.list(), []);
});

test("every other credential gets 403", async () => {
  const body = { description: "Hello" };
  assert.equal((await p.admin.post(p.url, body)).status, 403);
  assert.equal((await p.token.post(p.url, body)).status, 403);
  assert.deepEqual(await p.list(), []);
});

test("a key gets the same 403 for another project and for an unknown one", async () => {
  const other = await openFeedback(t);
  const foreign = await p.send({ description: "Hello" }, { to: other.id });
  const unknown = await p.send({ description: "Hello" }, { to: 999_999 });
  assert.deepEqual([foreign.status, foreign.body], [403, unknown.body]);
  assert.deepEqual(await other.list(), []);
});

test("with Reports off, only a valid key learns that", async () => {
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: false })
    .where("id", "=", p.workspaceId)
    .execute();
  const valid = await p.send({ description: "Hello" });
  assert.deepEqual([valid.status, valid.body.feature_restricted], [403, true]);
  const unknown = await p.send({ description: "Hello" }, { key: "0123456789abcdef0123456789abcdef" });
  assert.deepEqual([unknown.status, "feature_restricted" in unknown.body], [401, false]);
});

test("pages can read every answer unless their origin is not on the key's list, and never with cookies", async () => {
  const key = await makeIngestKey(t.db, p.id, { allowed_origins: ["https://*.example.com"] });
  const body = { description: "Hello" };
  const allowed = await p.send(body, { key, origin: "https://shop.example.com" });
  assert.equal(allowed.status, 201);
  assert.equal(allowed.headers["access-control-allow-origin"], "https://shop.example.com");
  assert.equal(allowed.headers["vary"], "origin");
  const invalid = await p.send({}, { key, origin: "https://shop.example.com" });
  assert.equal(invalid.status, 422);
  assert.equal(invalid.headers["access-control-allow-origin"], "https://shop.example.com");
  const foreign = await p.send(body, { key, origin: "https://evil.example" });
  assert.equal(foreign.status, 403);
  assert.equal(foreign.headers["access-control-allow-origin"], undefined);
  const anywhere = await p.send(body, { origin: "https://evil.example" });
  assert.equal(anywhere.status, 201);
  assert.equal(anywhere.headers["access-control-allow-origin"], "*");
  const nobody = await p.send(body, { key: "x", origin: "https://evil.example" });
  assert.equal(nobody.status, 401);
  assert.equal(nobody.headers["access-control-allow-origin"], "*");
  for (const { headers } of [allowed, invalid, foreign, anywhere, nobody])
    assert.equal(headers["access-control-allow-credentials"], undefined);
});

test("the server's own pages may use a key with a list of other origins", async () => {
  const key = await makeIngestKey(t.db, p.id, { allowed_origins: ["https://shop.example.com"] });
  const answer = await p.send({ description: "Hello" }, { key, origin: "http://localhost:3000" });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers["access-control-allow-origin"], "http://localhost:3000");
});

test("a preflight allows the headers of feedback without a credential", async () => {
  const { status, headers } = await t.http.send({
    method: "OPTIONS",
    url: p.url,
    headers: { origin: "https://shop.example.com", "access-control-request-method": "POST" },
  });
  assert.equal(status, 204);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["access-control-allow-headers"], "authorization, content-type, idempotency-key");
  assert.match(String(headers["access-control-allow-methods"]), /POST/);
});

test("a signed address is confirmed, in any case", async () => {
  const { body } = await p.admin.post(`${p.url}/identity-secret`);
  const author_signature = createHmac("sha256", body.secret).update("kim@example.com").digest("hex");
  for (const [author_email, signature] of [
    ["kim@example.com", author_signature],
    ["KIM@example.com", author_signature.toUpperCase()],
  ])
    assert.equal(
      (await p.send({ description: "Hello", author_email, author_signature: signature })).status,
      201,
    );
  assert.deepEqual(
    (await p.list()).map((report) => report.author_email_confirmed),
    [true, true],
  );
});

test("a wrong signature is 422: for another address, without an address, and after the secret was replaced", async () => {
  const { body } = await p.admin.post(`${p.url}/identity-secret`);
  const author_signature = createHmac("sha256", body.secret).update("kim@example.com").digest("hex");
  const refused = async (more: object) => {
    const answer = await p.send({ description: "Hello", author_signature, ...more });
    assert.deepEqual(refusalOf(answer), [422, "author_signature"]);
  };
  await refused({ author_email: "ann@example.com" });
  await refused({});
  await refused({ author_email: "kim@example.com", author_signature: `${author_signature}zz` });
  await p.admin.post(`${p.url}/identity-secret`);
  await refused({ author_email: "kim@example.com" });
  assert.deepEqual(await p.list(), []);
});

test("feedback with the same Idempotency-Key is one report; with other words, the key gets 422", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const first = await p.send({ description: "Hello" }, { headers });
  const again = await p.send({ description: "Hello" }, { headers });
  assert.deepEqual([again.status, again.body], [201, first.body]);
  const other = await p.send({ description: "Other" }, { headers });
  assert.deepEqual(refusalOf(other), [422, "idempotency-key"]);
  assert.equal((await p.list()).length, 1);
});

test("watchers of reports are notified without an actor", async () => {
  const { client } = await p.member("Member");
  await client.put(`${p.reports}/watch`, { watching: true });
  await p.send({ description: "Hello" });
  const { body } = await client.get("/api/notifications");
  assert.deepEqual(
    body.map(({ type, actor }: { type: number; actor: unknown }) => ({ type, actor })),
    [{ type: 7, actor: null }],
  );
});
