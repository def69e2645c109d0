import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../test/support/eventually.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { InboundRule } from "../../../shared/inbound-rules.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openProject(t, workspace);
  const url = `/api/projects/${project.id}/inbound-rules`;
  const create = async (rule: object) => {
    const made = await project.admin.post(url, rule);
    assert.equal(made.status, 201, made.text);
    return made.body as InboundRule;
  };
  const classes = async () => {
    const { body } = await project.admin.get(project.groups);
    return body.data.map((group: { exception_class: string }) => group.exception_class).sort();
  };
  const key = await makeIngestKey(t.db, project.id);
  const sendSentry = async (event: object, headers: Record<string, string> = {}) => {
    const sent = await t.http.send({
      method: "POST",
      url: `/api/${project.id}/store/?sentry_key=${key}`,
      headers,
      payload: JSON.stringify(event),
    });
    assert.equal(sent.status, 200, sent.text);
    assert.match(sent.body.id, /^[0-9a-f]{32}$/);
  };
  return { ...project, url, key, create, classes, sendSentry };
}

test("events that match a rule are not stored, their sender gets success, and the rule and the usage count them", async () => {
  const { id, admin, url, key, create, classes, send, events, sendSentry } = await open();
  const byClass = await create({ kind: "exception_class", pattern: "^Noise" });
  assert.deepEqual(byClass, {
    id: byClass.id,
    kind: "exception_class",
    pattern: "^Noise",
    active: true,
    dropped_30_days: 0,
  });
  const crawlers = await create({ kind: "web_crawlers" });
  const local = await create({ kind: "localhost" });
  await send({ exception_class: "NoiseError" });
  await send({ exception_class: "NoiseError", extra: { large: "x".repeat(600_000) } });
  await send({ exception_class: "Kept" });
  const page = t.http.as(key);
  const sent = await page.send({
    method: "POST",
    url: events,
    payload: JSON.stringify(anEvent()),
    headers: { origin: "http://localhost:3000", "content-type": "application/json" },
  });
  assert.equal(sent.status, 202);
  await sendSentry({ exception: { values: [{ type: "NoiseError", value: "x" }] } });
  await sendSentry(
    { message: "x", platform: "javascript" },
    { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" },
  );
  await sendSentry({ message: "Kept, too" });
  assert.deepEqual(await classes(), ["Kept", "Message"]);
  const counts = async () =>
    ((await admin.get(url)).body.data as InboundRule[]).map((rule) => [rule.id, rule.dropped_30_days]);
  await eventually(counts, [
    [byClass.id, 3],
    [crawlers.id, 1],
    [local.id, 1],
  ]);
  const { filtered, accepted } = (await admin.get(`/api/projects/${id}/usage?days=1`)).body.data[0];
  assert.deepEqual([filtered, accepted], [5, 2]);
});

test("changes of a rule apply at once, and a rule that is off drops nothing", async () => {
  const { admin, url, create, classes, send } = await open();
  const rule = await create({ kind: "message", pattern: "boom", active: false });
  await send({ exception_class: "A", message: "boom" });
  const path = `${url}/${rule.id}`;
  assert.equal((await admin.patch(path, { active: true })).body.active, true);
  await send({ exception_class: "B", message: "boom" });
  const changed = await admin.patch(path, { kind: "release", pattern: "^2" });
  assert.deepEqual([changed.body.kind, changed.body.pattern], ["release", "^2"]);
  await send({ exception_class: "C", message: "boom", release: "1.0" });
  assert.equal((await admin.delete(path)).status, 204);
  assert.equal((await admin.delete(path)).status, 404);
  await send({ exception_class: "D", release: "2.0" });
  assert.deepEqual(await classes(), ["A", "C", "D"]);
});

test("only the last 30 days count, and older days are deleted with the next drop", async () => {
  const { admin, url, create, send } = await open();
  const { id } = await create({ kind: "message", pattern: "boom" });
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  for (const days of [1, 28, 31, 40])
    await t.db
      .insertInto("inbound_rule_drops")
      .values({ rule_id: id, day: dayBefore(days), dropped: 10 })
      .execute();
  assert.equal((await admin.get(url)).body.data[0].dropped_30_days, 20);
  await send({ message: "boom" });
  await eventually(async () => (await admin.get(url)).body.data[0].dropped_30_days, 21);
  const left = await t.db.selectFrom("inbound_rule_drops").select("day").where("rule_id", "=", id).execute();
  assert.equal(left.length, 3);
});

test("invalid rules return 422 on their fields", async () => {
  const { admin, url, create } = await open();
  const fields = async (body: unknown) => {
    const { status, body: answer } = await admin.post(url, body);
    assert.equal(status, 422);
    return answer.errors;
  };
  assert.deepEqual(await fields({}), { kind: ["is required"] });
  assert.deepEqual(Object.keys(await fields({ kind: "ip" })), ["kind"]);
  assert.deepEqual(await fields({ kind: "message" }), { pattern: ["is required"] });
  assert.deepEqual(Object.keys(await fields({ kind: "localhost", pattern: "x" })), ["pattern"]);
  assert.match((await fields({ kind: "message", pattern: "a(?!b)" })).pattern[0], /without lookaround/);
  assert.match((await fields({ kind: "message", pattern: ".*" })).pattern[0], /match every text/);
  assert.deepEqual(await fields({ kind: "message", pattern: "x".repeat(201) }), {
    pattern: ["must be at most 200 characters"],
  });
  const { id } = await create({ kind: "message", pattern: "x" });
  assert.deepEqual(Object.keys((await admin.patch(`${url}/${id}`, { pattern: null })).body.errors), [
    "pattern",
  ]);
  for (let n = 2; n <= 50; n++) await create({ kind: "message", pattern: `x${n}` });
  const refused = await admin.post(url, { kind: "localhost" });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /at most 50/);
});

test("reading requires Error Groups: Read, changes project:update, and tokens and ingest keys get 403", async () => {
  const { id, url, key, create } = await open();
  const rule = await create({ kind: "localhost" });
  const as = async (role: "Reporter" | "Member" | "Manager") =>
    t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, id, { role })).id));
  assert.equal((await (await as("Reporter")).get(url)).status, 403);
  const member = await as("Member");
  assert.equal((await member.get(url)).status, 200);
  assert.equal((await (await as("Manager")).patch(`${url}/${rule.id}`, { active: false })).status, 200);
  const token = t.http.as(await makeProjectToken(t.db, id, workspace.admin.id));
  for (const one of [token, t.http.as(key)]) assert.equal((await one.get(url)).status, 403);
  for (const one of [member, token, t.http.as(key)]) {
    assert.equal((await one.post(url, { kind: "localhost" })).status, 403);
    assert.equal((await one.patch(`${url}/${rule.id}`, {})).status, 403);
    assert.equal((await one.delete(`${url}/${rule.id}`)).status, 403);
  }
  const kinds = await t.db
    .selectFrom("audit_events")
    .select("kind")
    .where("subject_type", "=", "inbound_rule")
    .where("subject_id", "=", rule.id)
    .orderBy("id")
    .execute();
  assert.deepEqual(kinds, [{ kind: "inbound_rule.created" }, { kind: "inbound_rule.changed" }]);
});
