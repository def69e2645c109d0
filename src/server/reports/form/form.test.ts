import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { refusalOf } from "../../../../test/support/client.ts";
import { openFeedback, solve, type FeedbackProject } from "../../../../test/support/feedback.ts";
import { png } from "../../../../test/support/images.ts";
import { MULTIPART, multipart, upload } from "../../../../test/support/multipart.ts";
import { openAppOn, openTestApp, useTestApp } from "../../../../test/support/test-app.ts";
import { makeChallenge } from "./challenge.ts";
import { findForm } from "./find-form.ts";

const t = await useTestApp();

let p: FeedbackProject;
let api: string;
let formKey: string;
beforeEach(async () => {
  p = await openFeedback(t);
  formKey = await switchOn();
  api = `/api/forms/${formKey}`;
});

const settings = (feedback: object) => p.admin.patch(`/api/projects/${p.id}`, { feedback });

async function switchOn(): Promise<string> {
  const { body } = await settings({ public_form: true });
  const [, key] = /^http:\/\/localhost:3000\/f\/([\w-]{22})$/.exec(body.feedback.form_url) ?? [];
  assert.ok(key, body.feedback.form_url);
  return key;
}

/** A challenge that was made some time ago, and its solution. */
async function solved({ age = 5_000, bits = 8, key = formKey } = {}) {
  const form = await findForm(t.db, key);
  const { token } = makeChallenge(form.key, bits, Date.now() - age);
  return { challenge: token, nonce: solve({ token, bits }) };
}

const send = (body: object, to = api) => t.http.post(to, body);

test("a form names its project and sets work of 16 bits", async () => {
  const { status, body } = await t.http.get(api);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body.project), ["name"]);
  assert.deepEqual(Object.keys(body.challenge), ["token", "bits"]);
  assert.equal(body.challenge.bits, 16);
});

test("solved work makes a report from outside, whose challenge cannot be used again", async () => {
  const work = await solved();
  const sent = await send({ ...work, description: "Hello", kind: "idea", website: "" });
  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual(Object.keys(sent.body), ["id", "status_url"]);
  const [report] = await p.list();
  assert.deepEqual([report?.id, report?.source, report?.kind], [sent.body.id, 1, "idea"]);
  assert.equal((await send({ ...work, description: "Again" })).status, 403);
  assert.equal((await p.list()).length, 1);
});

test("a report that is sent again with its Idempotency-Key gets the same response, with its challenge used", async () => {
  const sendAs = (type: string, payload: string | Buffer) =>
    t.http.send({
      method: "POST",
      url: api,
      payload,
      headers: { "content-type": type, "idempotency-key": "8d1f" },
    });
  const fields = { ...(await solved()), description: "Hello" };
  const parts = Object.entries({ ...(await solved()), description: "With an image" }).map(
    ([name, value]) => ({ name, value }),
  );
  const image = { name: "files[0]", filename: "a.png", content: await png() };
  for (const [type, payload] of [
    ["application/json", JSON.stringify(fields)],
    [MULTIPART, multipart([...parts, image])],
  ] as const) {
    const first = await sendAs(type, payload);
    assert.equal(first.status, 201, first.text);
    const again = await sendAs(type, payload);
    assert.deepEqual([again.status, again.body], [201, first.body]);
  }
  const other = await sendAs("application/json", JSON.stringify({ ...fields, description: "Other" }));
  assert.equal(other.status, 403);
  assert.equal((await p.list()).length, 2);
});

test("a challenge counts once, even if it is used twice at the same time and on two servers", async () => {
  const other = await openAppOn(t.database.url);
  const work = await solved();
  const answers = await Promise.all(
    [t, other, t, other].map((app, n) => app.http.post(api, { ...work, description: `Visitor ${n}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403]);
  assert.equal((await p.list()).length, 1);
  await other.close();
});

test("missing, wrong, expired or hasty work gets 403", async () => {
  const good = await solved();
  const other = await openFeedback(t);
  await other.admin.patch(`/api/projects/${other.id}`, { feedback: { public_form: true } });
  const { body } = await other.admin.get(`/api/projects/${other.id}`);
  const cases = {
    nothing: {},
    "no nonce": { challenge: good.challenge },
    "no challenge": { nonce: good.nonce },
    "wrong types": { challenge: 5, nonce: {} },
    "a wrong nonce": { ...good, nonce: "no" },
    "fewer bits": { ...good, challenge: good.challenge.replace(".8.", ".1.") },
    "a form of another project": await solved({ key: body.feedback.form_url.split("/").at(-1) }),
    expired: await solved({ age: 601_000 }),
    hasty: await solved({ age: 0 }),
    "from the future": await solved({ age: -60_000 }),
  };
  for (const [name, work] of Object.entries(cases))
    assert.equal((await send({ description: "Hello", ...work })).status, 403, name);
  assert.deepEqual(await p.list(), []);
  assert.equal((await send({ description: "Hello", ...good })).status, 201);
});

test("invalid fields and damaged images do not use up a challenge", async () => {
  const work = await solved();
  assert.deepEqual(refusalOf(await send({ ...work })), [422, "description"]);
  assert.deepEqual(refusalOf(await send({ ...work, description: "x", author_email: "no" })), [
    422,
    "author_email",
  ]);
  const parts = Object.entries({ ...work, description: "Hello" }).map(([name, value]) => ({ name, value }));
  const damaged = { name: "files[0]", filename: "a.png", content: "no image" };
  assert.deepEqual(refusalOf(await upload(t.http, api, [...parts, damaged])), [422, "files.0"]);
  const image = { ...damaged, content: await png() };
  const sent = await upload(t.http, api, [...parts, image, { name: "tags", value: '{"plan":"pro"}' }]);
  assert.equal(sent.status, 201, sent.text);
  const [report] = await p.list();
  assert.deepEqual([report?.attachments_count, report?.origin?.tags], [1, { plan: "pro" }]);
});

test("a filled hidden field gets a made-up answer and stores nothing, with or without work", async () => {
  const fields = { description: "Buy cheap watches", website: "https://spam.example" };
  const parts = Object.entries(fields).map(([name, value]) => ({ name, value }));
  for (const answer of [
    await send(fields),
    await send({ ...fields, ...(await solved()) }),
    await send({ website: "x" }),
    await upload(t.http, api, [...parts, { name: "files[0]", filename: "a.png", content: await png() }]),
  ]) {
    assert.equal(answer.status, 201);
    assert.deepEqual(Object.keys(answer.body), ["id", "status_url"]);
    assert.match(answer.body.status_url, /^http:\/\/localhost:3000\/r\/[\w-]{22}$/);
    assert.ok(Number.isSafeInteger(answer.body.id));
  }
  assert.deepEqual(await p.list(), []);
});

test("a form is 404 when it is off, unknown, replaced, or without Reports", async () => {
  const requireMissing = async (url: string) => {
    const read = await t.http.get(url);
    const sent = await send({ description: "Hello" }, url);
    assert.deepEqual([read.status, sent.status], [404, 404], url);
    assert.deepEqual(read.body, sent.body);
  };
  await requireMissing("/api/forms/0000000000000000000000");
  assert.equal((await settings({ public_form: false })).body.feedback.form_url, null);
  await requireMissing(api);
  const next = await switchOn();
  assert.notEqual(next, formKey);
  await requireMissing(api);
  assert.equal((await t.http.get(`/api/forms/${next}`)).status, 200);
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: false })
    .where("id", "=", p.workspaceId)
    .execute();
  await requireMissing(`/api/forms/${next}`);
});

test("an ingest key is not the key of a form", async () => {
  assert.equal((await t.http.get(`/api/forms/${p.ingestKey}`)).status, 404);
});

test("under load, a form asks for up to 18 bits", async () => {
  const bits = [];
  for (let n = 0; n < 75; n++) bits.push((await t.http.get(api)).body.challenge.bits);
  assert.deepEqual([...new Set(bits)], [16, 17, 18]);
});

test("form and ingest key share the limit of an address, and a form has a limit of its own", async () => {
  const strict = await openTestApp({
    LIMIT_FEEDBACK_ADDRESS: "3",
    LIMIT_FEEDBACK_KEY: "2",
    TRUST_PROXY: "127.0.0.1",
  });
  const project = await openFeedback(strict);
  const changed = await project.admin.patch(`/api/projects/${project.id}`, {
    feedback: { public_form: true },
  });
  const url = `/api/forms/${changed.body.feedback.form_url.split("/").at(-1)}`;
  const from = async (address: string, door: "form" | "key") => {
    const headers = { "x-forwarded-for": address };
    const body = { description: "Hello", website: "x" };
    if (door === "key") return (await project.send(body, { headers })).status;
    const payload = JSON.stringify(body);
    const type = { ...headers, "content-type": "application/json" };
    return (await strict.http.send({ method: "POST", url, headers: type, payload })).status;
  };
  assert.deepEqual([await from("10.0.0.1", "form"), await from("10.0.0.1", "key")], [201, 201]);
  assert.deepEqual([await from("10.0.0.1", "key"), await from("10.0.0.1", "form")], [201, 429]);
  assert.deepEqual([await from("10.0.0.2", "form"), await from("10.0.0.3", "form")], [201, 429]);
  assert.equal(await from("10.0.0.4", "key"), 429);
  await strict.close();
});
