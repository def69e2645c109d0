import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../../test/support/error-events.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import { UsageCounter } from "../../record/usage-counter.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));

let project: { id: number };
let events: string;
let usage: string;
beforeEach(async () => {
  project = await makeProject(t.db, workspace.id);
  events = `/api/projects/${project.id}/error-events`;
  usage = `/api/projects/${project.id}/usage`;
});

const NONE = {
  accepted: 0,
  kept: 0,
  trimmed: 0,
  limited: 0,
  invalid: 0,
  filtered: 0,
  duplicate: 0,
  discarded: 0,
};

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const today = async () => {
  const { day: _, stored_bytes: __, ...counts } = (await admin.get(usage)).body.data.at(-1);
  return counts as Record<string, number>;
};

test("events are counted as accepted, kept, invalid, duplicate and filtered", async () => {
  const client = t.http.as(await makeIngestKey(t.db, project.id));
  const event_id = "0b6a5d8e4d7c4f1e9a3b2c1d0e9f8a7b";
  for (let n = 0; n < 12; n++) assert.equal((await client.post(events, anEvent())).status, 202);
  for (let n = 0; n < 3; n++) assert.equal((await client.post(events, anEvent({ event_id }))).status, 202);
  assert.equal((await client.post(events, { environment: 5 })).status, 422);
  const malformed = { headers: { "content-type": "application/json" }, payload: "{" };
  assert.equal((await client.send({ method: "POST", url: events, ...malformed })).status, 400);
  const limited = await makeIngestKey(t.db, project.id, { allowed_origins: ["https://shop.example.com"] });
  const foreign = await t.http.send({
    method: "POST",
    url: events,
    headers: { authorization: `Bearer ${limited}`, origin: "https://other.example" },
  });
  assert.equal(foreign.status, 403);
  // A group keeps its first ten events, and after that at most one per minute.
  await eventually(today, { ...NONE, accepted: 13, kept: 10, invalid: 2, duplicate: 2, filtered: 1 });
});

test("parts of an envelope that are not used are discarded, and a malformed one is invalid", async () => {
  const key = await makeIngestKey(t.db, project.id);
  const send = async (...lines: unknown[]) =>
    (
      await t.http.send({
        method: "POST",
        url: `/api/${project.id}/envelope/?sentry_key=${key}`,
        payload: lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
      })
    ).status;
  const event = { exception: { values: [{ type: "PaymentFailed", value: "Card declined" }] } };
  assert.equal(await send({}, { type: "session" }, {}, { type: "event" }, event, { type: "log" }, {}), 200);
  assert.equal(await send({}, { type: "event" }, { level: "debug", message: "Cache miss" }), 200);
  assert.equal(await send("no header"), 400);
  await eventually(today, { ...NONE, accepted: 1, kept: 1, invalid: 1, filtered: 1, discarded: 2 });
});

test("what is sent as an event, a security report or feedback and is none of these is discarded", async () => {
  const key = await makeIngestKey(t.db, project.id);
  const send = async (address: string, payload: string) => {
    const url = `/api/${project.id}/${address}/?sentry_key=${key}`;
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 200);
  };
  const item = (type: string, value: unknown) => `{}\n{"type":"${type}"}\n${JSON.stringify(value)}\n`;
  await send("envelope", item("event", 5));
  await send("store", JSON.stringify({ type: "transaction", transaction: "GET /" }));
  await send("envelope", item("feedback", { contexts: { feedback: { message: " " } } }));
  const ofOtherTypes = [{ type: "deprecation", body: {} }, { type: "crash" }];
  const violation = { type: "csp-violation", body: { effectiveDirective: "script-src" } };
  await send("security", JSON.stringify([...ofOtherTypes, violation]));
  await eventually(today, { ...NONE, accepted: 1, kept: 1, discarded: 5 });
});

test("events over the rate limit count for the project of their credential", async () => {
  const limited = await openAppOn(t.database.url, { LIMIT_INGEST: "1" });
  try {
    const creator = await makeMember(t.db, project.id);
    for (const credential of [
      await makeIngestKey(t.db, project.id),
      await makeProjectToken(t.db, project.id, creator.id),
    ]) {
      const client = limited.http.as(credential);
      const before = await today();
      const sent = await Promise.all(Array.from({ length: 20 }, () => client.post(events, anEvent())));
      const refused = sent.filter(({ status }) => status === 429).length;
      assert.ok(refused > 0);
      await eventually(async () => (await today())["limited"], (before["limited"] ?? 0) + refused);
    }
  } finally {
    await limited.close();
  }
});

test("usage has an entry for each day, oldest first, and counts of all processes add up", async () => {
  await t.db
    .insertInto("project_usage")
    .values({ ...NONE, project_id: project.id, day: YESTERDAY, accepted: 7 })
    .execute();
  const counters = [new UsageCounter(t.db), new UsageCounter(t.db)];
  for (const counter of counters) {
    counter.add(project.id, "discarded", 2);
    counter.add(project.id, "discarded");
  }
  await Promise.all(counters.map((counter) => counter.close()));
  const { body } = await admin.get(`${usage}?days=2`);
  const [yesterday, now, ...more] = body.data;
  assert.deepEqual(more, []);
  assert.ok(yesterday.day < now.day);
  assert.deepEqual(yesterday, { ...NONE, day: yesterday.day, accepted: 7, stored_bytes: 0 });
  assert.deepEqual(now, { ...NONE, day: now.day, discarded: 6, stored_bytes: 0 });
  assert.equal((await admin.get(usage)).body.data.length, 30);
});

test("the number of days must be from 1 to 90", async () => {
  assert.equal((await admin.get(`${usage}?days=90`)).body.data.length, 90);
  for (const days of ["0", "91", "-1", "x", ""])
    assert.deepEqual(
      Object.keys((await admin.get(`${usage}?days=${days}`)).body.errors),
      ["days"],
      `days=${days}`,
    );
});

test("usage requires Error Groups: Read and is closed to project tokens", async () => {
  const reporter = await makeMember(t.db, project.id, { role: "Reporter" });
  assert.equal((await t.http.as(await makePersonalToken(t.db, reporter.id)).get(usage)).status, 403);
  const token = await makeProjectToken(t.db, project.id, workspace.admin.id);
  assert.equal((await t.http.as(token).get(usage)).status, 403);
});

test("the first count is written at once, and those that follow within the interval together", async () => {
  const counter = new UsageCounter(t.db, { everyMs: 3_600_000 });
  counter.add(project.id, "discarded");
  await eventually(async () => (await today())["discarded"], 1);
  counter.add(project.id, "discarded", 2);
  counter.add(project.id, "discarded", 3);
  assert.equal((await today())["discarded"], 1);
  await counter.close();
  assert.equal((await today())["discarded"], 6);
});

test("counts survive a failed write", async () => {
  const errors: Error[] = [];
  const counter = new UsageCounter(t.db, { everyMs: 10, onError: (error) => errors.push(error) });
  await t.db.schema.alterTable("project_usage").renameTo("elsewhere").execute();
  counter.add(project.id, "discarded", 3);
  await eventually(() => errors.length > 0, true);
  await t.db.schema.alterTable("elsewhere").renameTo("project_usage").execute();
  await eventually(async () => (await today())["discarded"], 3);
  await counter.close();
});

test("a storm is shown for 24 hours, with the time since when it has lasted", async () => {
  const counter = new UsageCounter(t.db);
  const note = async () => {
    counter.noteStorm(project.id);
    await counter.close();
    return (await admin.get(usage)).body.storm as { started_at: string; last_at: string } | null;
  };
  const shift = (minutes: number) =>
    t.db
      .updateTable("project_storms")
      .set({
        started_at: sql`started_at - make_interval(mins => ${minutes})`,
        last_at: sql`last_at - make_interval(mins => ${minutes})`,
      })
      .where("project_id", "=", project.id)
      .execute();
  assert.equal((await admin.get(usage)).body.storm, null);
  const first = await note();
  assert.ok(first && first.started_at === first.last_at);
  await shift(9);
  const continued = await note();
  assert.ok(continued && continued.started_at < first.started_at && continued.last_at > first.last_at);
  await shift(11);
  const second = await note();
  assert.ok(second && second.started_at === second.last_at, "more than ten minutes later it is another one");
  await shift(24 * 60);
  assert.equal((await admin.get(usage)).body.storm, null);
});
