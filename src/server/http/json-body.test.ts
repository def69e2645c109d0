import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { makePersonalToken, makeUser, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { MAX_JSON_BYTES } from "./json-body.ts";

const t = await useTestApp();
const token = await makePersonalToken(t.db, (await makeWorkspace(t.db)).admin.id);
const client = t.http.as(token);

/** A PATCH requires no fields, so the result depends on the body alone. */
const patch = (payload?: string | Buffer, type: string | undefined = "application/json") =>
  client.send({
    method: "PATCH",
    url: "/api/profile",
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
    ...(payload === undefined ? {} : { payload }),
  });
const json = (text: string) => patch(text);

test("no body, an empty JSON body and {} are equivalent", async () => {
  const profile = await client.get("/api/profile");
  const answers = [
    await client.send({ method: "PATCH", url: "/api/profile" }),
    await patch(""),
    await patch(undefined),
    await json("{}"),
    await json(" {} \n"),
    await patch("{}", "application/json; charset=utf-8"),
    await patch("{}", "Application/JSON"),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, profile.body);
  }
  // If fields are required, the errors name the missing ones.
  for (const body of [undefined, {}]) {
    const answer = await client.post("/api/workspaces", body);
    assert.deepEqual(answer.body.errors, { name: ["is required"] });
  }
});

test("a body that is not JSON in UTF-8 returns 400", async () => {
  for (const text of [
    "{",
    "{'a':1}",
    '{"a":1}}',
    '{"a":01}',
    "undefined",
    '{"first_name":"a\nb"}',
    "\0",
    "  ",
  ])
    assert.equal((await json(text)).status, 400, JSON.stringify(text));
  const invalidUtf8 = Buffer.concat([
    Buffer.from('{"first_name":"'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"}'),
  ]);
  const answer = await patch(invalidUtf8);
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body, { message: "The body is not valid JSON." });
  const surrogateBytes = Buffer.concat([
    Buffer.from('{"first_name":"'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ]);
  assert.equal((await patch(surrogateBytes)).status, 400);
});

test("JSON that is not an object returns 422", async () => {
  for (const text of ["[]", "5", '"text"', "true", "[{}]"]) {
    const answer = await json(text);
    assert.equal(answer.status, 422, text);
    assert.deepEqual(answer.body.errors, { body: ["must be a JSON object"] }, text);
  }
});

test("a body of exactly 2 MiB is accepted, one byte more returns 413", async () => {
  const frame = '{"unknown":""}'.length;
  const bodyOf = (size: number) => `{"unknown":"${"x".repeat(size - frame)}"}`;
  assert.equal(MAX_JSON_BYTES, 2_097_152);
  assert.equal(Buffer.byteLength(bodyOf(MAX_JSON_BYTES)), MAX_JSON_BYTES);
  assert.equal((await json(bodyOf(MAX_JSON_BYTES))).status, 200);
  assert.equal((await json(bodyOf(MAX_JSON_BYTES + 1))).status, 413);
});

test("a body without a declared length is limited by its actual size", async () => {
  const chunked = (size: number) =>
    t.app.inject({
      method: "PATCH",
      url: "/api/profile",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: Readable.from([Buffer.from('{"unknown":"'), Buffer.alloc(size - 14, "x"), Buffer.from('"}')]),
    });
  assert.equal((await chunked(MAX_JSON_BYTES)).statusCode, 200);
  assert.equal((await chunked(MAX_JSON_BYTES + 1)).statusCode, 413);
});

test("another content type, a missing one, and a compressed body return 415", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonx",
    "json",
  ])
    assert.equal((await patch("{}", type)).status, 415, type);
  const bare = { method: "PATCH", url: "/api/profile", payload: Buffer.from("{}") };
  assert.equal((await client.send(bare)).status, 415);
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  assert.equal((await client.send({ ...bare, headers })).status, 415);
});

test("__proto__ and constructor keys are ignored like other unknown keys", async () => {
  const answer = await json(
    '{"__proto__":{"first_name":"Eve","isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"last_name":"Proto"}',
  );
  assert.equal(answer.status, 200);
  assert.equal(answer.body.first_name, "Ada");
  assert.equal(answer.body.last_name, "Proto");
  assert.equal(({} as Record<string, unknown>)["isAdmin"], undefined);
  assert.equal((await json('{"__proto__":null}')).status, 200);
});

test("a body nested too deeply returns 400 before it is parsed, a large shallow one is accepted", async () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const objects = `${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`;
  for (const body of [
    deep(1_000_000),
    `{"unknown":${deep(900_000)}}`,
    `{"first_name":${deep(900_000)}}`,
    objects,
  ]) {
    const answer = await json(body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.message, "The body is nested too deeply.");
  }
  assert.equal((await json(`{"first_name":${deep(20_000)}}`)).status, 422);
  assert.equal(
    (await json(`{"unknown":[${Array.from({ length: 50_000 }, () => "[[]]").join(",")}]}`)).status,
    200,
  );
  const brackets = JSON.stringify({ unknown: '[{"\\'.repeat(50_000) });
  assert.ok(brackets.length > 100_000);
  assert.equal((await json(brackets)).status, 200);
  const keys = Array.from({ length: 150_000 }, (_, n) => `"key${n}":1`).join(",");
  assert.equal((await json(`{${keys}}`)).status, 200);
});

test("a NUL returns 422 on its field, and a lone surrogate becomes U+FFFD", async () => {
  const refused = await json('{"first_name":"a\\u0000b"}');
  assert.equal(refused.status, 422);
  assert.deepEqual(Object.keys(refused.body.errors), ["first_name"]);
  const repaired = await json('{"first_name":"a\\ud800b","last_name":"\\udc00"}');
  assert.equal(repaired.status, 200);
  assert.deepEqual([repaired.body.first_name, repaired.body.last_name], ["a\ufffdb", "\ufffd"]);
  const pair = await json('{"first_name":"\\ud83d\\ude82"}');
  assert.equal(pair.body.first_name, "🚂");
});

test("limits count code points, neither UTF-16 code units nor bytes", async () => {
  const name = "🚂".repeat(100);
  assert.equal((await client.patch("/api/profile", { first_name: name })).body.first_name, name);
  const answer = await client.patch("/api/profile", { first_name: `${name}x` });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { first_name: ["must be at most 100 characters"] });
  // A lone surrogate is replaced before it is counted, as one character.
  const repaired = await json(`{"first_name":"${"\\ud800".repeat(100)}"}`);
  assert.equal(repaired.status, 200);
  assert.equal((await json(`{"first_name":"${"\\ud800".repeat(101)}"}`)).status, 422);
});

test("the error of a field says what type it must be, or that it is required", async () => {
  const answer = await client.post("/api/profile/tokens", { name: 5 });
  assert.equal(answer.status, 403);
  const wrong = await t.http.post("/api/session", { email: 5 });
  assert.deepEqual(wrong.body, {
    message: "email must be a string",
    errors: { email: ["must be a string"], password: ["is required"] },
  });
});

test("a rejected change changes nothing", async () => {
  const user = await makeUser(t.db);
  const other = t.http.as(await makePersonalToken(t.db, user.id));
  const before = await other.get("/api/profile");
  assert.equal((await other.patch("/api/profile", { first_name: "New", last_name: "" })).status, 422);
  assert.deepEqual((await other.get("/api/profile")).body, before.body);
});
