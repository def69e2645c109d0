import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { png } from "../../../../../test/support/images.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { envelope, eventEnvelope, recordedEnvelope } from "../../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { RateLimiter } from "../../../limits/rate-limit.ts";
import { FeedbackLimits } from "../../../limits/feedback-limits.ts";
import { deleteOldEventIds } from "../../store/delete-old-event-ids.ts";

const t = await useTestApp({ TRUST_PROXY: "127.0.0.1", LIMIT_FEEDBACK_ADDRESS: "10" });
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const reader = t.http.as(await makePersonalToken(t.db, admin.id));

/** A new project, which every test sends to from an address of its own. */
async function fresh(workspace = workspaceId) {
  const { id } = await makeProject(t.db, workspace);
  const key = await makeIngestKey(t.db, id);
  const from =
    (address: string) =>
    (payload: Buffer | string, url = `/api/${id}/envelope/?sentry_key=${key}`) =>
      t.http.send({ method: "POST", url, payload, headers: { "x-forwarded-for": address } });
  const reports = async () =>
    (await reader.get(`/api/projects/${id}/reports`)).body as Record<string, unknown>[];
  const groups = async () =>
    (await reader.get(`/api/projects/${id}/error-groups`)).body.data as { id: number }[];
  return { id, key, from, send: from(`10.1.${id >> 8}.${id & 255}`), reports, groups };
}

const EVENT_ID = "dc75a869e5c84f488963e5796ce9176d";
const failure = (more = {}) =>
  eventEnvelope({
    event_id: EVENT_ID,
    exception: { values: [{ type: "TypeError", value: "boom" }] },
    ...more,
  });

let count = 0;
/** A `feedback` item with an id of its own. */
function feedback(sent: object, more: object = {}) {
  const event_id = (++count).toString(16).padStart(32, "0");
  return {
    header: { type: "feedback" },
    payload: JSON.stringify({ event_id, contexts: { feedback: sent }, ...more }),
  };
}

test("feedback that an unmodified SDK sent becomes a report from outside", async () => {
  const { send, reports } = await fresh();
  const answer = await send(recordedEnvelope("feedback"));
  assert.deepEqual([answer.status, answer.body], [200, {}]);
  const [report, ...others] = await reports();
  assert.deepEqual(others, []);
  const { title, description, source, author_name, author_email, created_by } = report ?? {};
  assert.deepEqual(
    { title, description, source, author_name, author_email, created_by },
    {
      title: "The checkout is broken",
      description: "The checkout is broken\n\nRelease: shop@1.4.2\nEnvironment: staging",
      source: 1,
      author_name: "Ann",
      author_email: "a@b.c",
      created_by: null,
    },
  );
});

test("feedback of an SDK has an origin without personal data, and its address in lower case", async () => {
  const { id, key, reports } = await fresh();
  const url = "https://kim:secret@shop.example.com/cart?token=secret#top";
  const one = feedback(
    { message: "Slow", contact_email: "Kim.Berg@Example.com", url },
    {
      release: "shop@1.4.2",
      environment: "staging",
      contexts: {
        feedback: { message: "Slow", contact_email: "Kim.Berg@Example.com", url },
        culture: { locale: "de-DE" },
      },
      tags: {
        plan: "pro",
        seats: 5,
        owner: "kim@example.com",
        nested: {},
        ["k".repeat(300)]: "v".repeat(300),
      },
    },
  );
  const answer = await t.http.send({
    method: "POST",
    url: `/api/${id}/envelope/?sentry_key=${key}`,
    payload: envelope([one]),
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0" },
  });
  assert.equal(answer.status, 200);
  const [report] = await reports();
  assert.deepEqual([report?.["author_email"], report?.["kind"]], ["kim.berg@example.com", null]);
  assert.deepEqual(report?.["origin"], {
    page: "https://shop.example.com/cart",
    browser: "Firefox 146.0",
    viewport: null,
    language: "de-DE",
    release: "shop@1.4.2",
    environment: "staging",
    tags: {
      plan: "pro",
      seats: "5",
      owner: "[removed: email]",
      ["k".repeat(200)]: "v".repeat(200),
    },
  });
});

test("texts are repaired and cut, and feedback without text is skipped", async () => {
  const { send, reports } = await fresh();
  const message = `\n  First\u0000 line\u0007 ${"x".repeat(300)}\nsecond \ud800 ${"y".repeat(70_000)}`;
  const url = "https://shop.example.com/cart?token=secret#top";
  await send(envelope([feedback({ message, contact_email: " ada@example.com ", url })]));
  for (const sent of [{}, { message: "  \n" }, { message: null }, null, { message: [] }])
    assert.equal((await send(envelope([feedback(sent as object)]))).status, 200);
  const [report, ...others] = await reports();
  assert.equal(others.length, 0);
  assert.match(String(report?.["title"]), /^First\ufffd line x{243}$/);
  const description = String(report?.["description"]);
  assert.equal(Array.from(description).length, 65_535);
  assert.ok(description.endsWith("\n\nPage: https://shop.example.com/cart"), description.slice(-80));
  assert.deepEqual(
    [report?.["author_name"], report?.["author_email"]],
    ["ada@example.com", "ada@example.com"],
  );
});

test("the same feedback sent twice is one report, even at the same time", async () => {
  const { send, reports } = await fresh();
  const one = envelope([feedback({ message: "Twice" })]);
  await Promise.all([send(one), send(one)]);
  await send(one);
  await send(envelope([feedback({ message: "Twice" })]));
  assert.equal((await reports()).length, 2);
});

test("screenshots become attachments, except damaged images and files that are not images", async () => {
  const { id, send, reports } = await fresh();
  const image = await png();
  const attachment = (filename: string, payload: Buffer) => ({
    header: { type: "attachment", filename, content_type: "application/png" },
    payload,
  });
  await send(envelope([feedback({ message: "With" }), attachment("screenshot.png", image)]));
  await send(envelope([attachment("a.png", Buffer.from("no image\n\n")), feedback({ message: "Damaged" })]));
  await send(envelope([feedback({ message: "No image" }), attachment("a.html", image)]));
  const event = { header: { type: "event" }, payload: JSON.stringify({ message: "With feedback" }) };
  await send(envelope([event, feedback({ message: "With an event" }), attachment("e.png", image)]));
  const damaged = [attachment("a.png", image.subarray(0, 30)), attachment("b.png", Buffer.from("x"))];
  await send(
    envelope([
      feedback({ message: "Two of four" }),
      attachment("c.png", image),
      ...damaged,
      attachment("d.png", image),
    ]),
  );
  const all = await reports();
  assert.deepEqual(
    all.map((report) => [report["title"], report["attachments_count"]]),
    [
      ["With", 1],
      ["Damaged", 0],
      ["No image", 0],
      ["With an event", 1],
      ["Two of four", 2],
    ],
  );
  const list = await reader.get(`/api/projects/${id}/reports/${String(all[0]?.["id"])}/attachments`);
  assert.deepEqual(
    [list.body[0].filename, list.body[0].mime_type, list.body[0].user_id],
    ["screenshot.webp", "image/webp", null],
  );
});

test("a report and the error it came with show each other, whichever arrives first", async () => {
  for (const isErrorFirst of [true, false]) {
    const { id, send, reports, groups } = await fresh();
    const about = envelope([feedback({ message: "About it", associated_event_id: EVENT_ID })]);
    for (const bytes of isErrorFirst ? [failure(), about] : [about, failure()]) await send(bytes);
    const [group] = await groups();
    const [report] = await reports();
    assert.deepEqual([report?.["error_event_id"], report?.["error_group_ids"]], [EVENT_ID, [group?.id]]);
    const url = `/api/projects/${id}/error-groups/${group?.id}/reports`;
    assert.deepEqual((await reader.get(url)).body, [report]);
    // The ids of events are deleted after a week.
    await sql`update error_event_ids set received_at = now() - interval '8 days'`.execute(t.db);
    await deleteOldEventIds(t.db);
    assert.deepEqual((await reports())[0]?.["error_group_ids"], [group?.id]);
    assert.equal((await reader.get(url)).body.length, 1);
  }
});

test("the event that feedback is about is kept, whichever arrives first", async () => {
  for (const isErrorFirst of [true, false]) {
    const { id, send } = await fresh();
    const other = () => send(failure({ event_id: randomUUID() }));
    const about = envelope([feedback({ message: "About it", associated_event_id: EVENT_ID })]);
    if (!isErrorFirst) await send(about);
    for (let n = 1; n <= 10; n++) await other();
    await send(failure());
    if (isErrorFirst) await send(about);
    await other();
    const { body } = await reader.get(`/api/projects/${id}/events/${EVENT_ID}`);
    assert.equal(typeof body.id, "number", `the error is ${isErrorFirst ? "first" : "second"}`);
  }
});

test("feedback without an event is linked to the latest error of its user within ten minutes", async () => {
  const { id, send, reports, groups } = await fresh();
  const user = { id: "u-77" };
  await send(failure({ user }));
  const [group] = await groups();
  await send(envelope([feedback({ message: "Mine" }, { user })]));
  await send(envelope([feedback({ message: "Somebody else's" }, { user: { id: "u-78" } })]));
  await sql`update error_group_users set last_seen_at = now() - interval '11 minutes' where group_id = ${group?.id}`.execute(
    t.db,
  );
  await send(envelope([feedback({ message: "Later" }, { user })]));
  const found = (await reports()).map((report) => report["error_group_ids"]);
  assert.deepEqual(found, [[group?.id], [], []]);
  assert.equal((await reader.get(`/api/projects/${id}/error-groups/${group?.id}/reports`)).body.length, 1);
});

test("a report created through the API may name its event, as a UUID", async () => {
  const { id, send, groups } = await fresh();
  await send(failure());
  const url = `/api/projects/${id}/reports`;
  const body = { title: "T", description: "D", error_event_id: "DC75A869-e5c8-4f48-8963-e5796ce9176d" };
  const created = await reader.post(url, body);
  assert.equal(created.status, 201, created.text);
  assert.deepEqual(
    [created.body.error_event_id, created.body.error_group_ids],
    [EVENT_ID, [(await groups())[0]?.id]],
  );
  for (const error_event_id of ["x", 5, "g".repeat(32)])
    assert.deepEqual(Object.keys((await reader.post(url, { ...body, error_event_id })).body.errors), [
      "error_event_id",
    ]);
});

test("old SDKs send user reports in an envelope or to an address of their own", async () => {
  const { id, key, send, from, reports, groups } = await fresh();
  await send(failure());
  const report = { event_id: EVENT_ID, name: "Ann", email: "ann@example.com", comments: "It broke" };
  await send(envelope([{ header: { type: "user_report" }, payload: JSON.stringify(report) }]));
  const url = "/api/0/projects/acme/shop/user-feedback/";
  const ask = (authorization: string) =>
    t.http.send({
      method: "POST",
      url,
      payload: JSON.stringify({ ...report, comments: "Again" }),
      headers: { authorization, "content-type": "application/json" },
    });
  const sent = await ask(`DSN https://${key}@signalbox.example.com/${id}`);
  assert.deepEqual([sent.status, sent.body], [200, {}]);
  assert.equal((await ask("DSN https://signalbox.example.com/1")).status, 403);
  assert.equal((await from("10.9.9.9")("{}", url)).status, 403);
  const [group] = await groups();
  assert.deepEqual(
    (await reports()).map((one) => [one["title"], one["author_email"], one["error_group_ids"]]),
    [
      ["It broke", "ann@example.com", [group?.id]],
      ["Again", "ann@example.com", [group?.id]],
    ],
  );
});

test("user feedback with the DSN of another project gets 403, whatever names its path has", async () => {
  const { id, key, reports } = await fresh();
  const other = await fresh();
  const ask = (project: number, authorization: string) =>
    t.http.send({
      method: "POST",
      url: `/api/0/projects/acme/${project}/user-feedback/`,
      payload: JSON.stringify({ event_id: EVENT_ID, email: "ann@example.com", comments: "It broke" }),
      headers: { authorization },
    });
  const dsn = (project: number | string) => `DSN https://${key}@signalbox.example.com/${project}`;
  for (const project of [other.id, `${id}0`, ""])
    assert.equal((await ask(id, dsn(project))).status, 403, `${project}`);
  assert.deepEqual([await reports(), await other.reports()], [[], []]);
  assert.equal((await ask(other.id, dsn(id))).status, 200);
  assert.equal((await reports()).length, 1);
});

test("an address may send 10 reports per minute, and errors go on meanwhile", async () => {
  const { send, reports } = await fresh();
  for (let n = 0; n < 10; n++)
    assert.equal((await send(envelope([feedback({ message: "Hello" })]))).status, 200);
  const { status, headers } = await send(envelope([feedback({ message: "Too much" })]));
  assert.equal(status, 429);
  // Without categories, an SDK would pause errors as well.
  assert.equal(headers["x-sentry-rate-limits"], `${headers["retry-after"]}:feedback;user_report:key`);
  assert.equal((await send(failure())).status, 200);
  assert.equal((await reports()).length, 10);
});

test("a key may send 120 reports per minute, from any addresses", async () => {
  const limiter = new RateLimiter(t.database.pool);
  const { id } = await makeProject(t.db, workspaceId);
  const limits = new FeedbackLimits(limiter, { address: 10, key: 120 });
  const take = (n: number) => limits.take(`10.2.0.${n}`, `ing:${id}`);
  for (let n = 0; n < 120; n++) assert.ok((await take(n)).allowed);
  const { allowed, retryAfter } = await take(120);
  assert.ok(!allowed && retryAfter > 0);
  await limiter.close();
});

test("with reports off, feedback is skipped; with error tracking off, it is accepted", async () => {
  const one = () => envelope([feedback({ message: "Hello" })]);
  for (const [features, expected] of [
    [{ reports: false }, 0],
    [{ error_tracking: false }, 1],
  ] as const) {
    const { id } = await makeWorkspace(t.db, { features });
    const project = await fresh(id);
    assert.equal((await project.send(one())).status, 200);
    const rows = await t.db.selectFrom("reports").select("id").where("project_id", "=", project.id).execute();
    assert.equal(rows.length, expected);
  }
});
