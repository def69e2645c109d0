import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../../test/support/make.ts";
import { anEvent } from "../../../../../test/support/error-events.ts";
import { checkAccessToRules, openRules } from "../../../../../test/support/rules.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { InboundRule } from "../../../../shared/inbound-rules.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openRules<InboundRule>(t, workspace, "inbound-rules");
  const classes = async () => {
    const { body } = await project.admin.get(project.groups);
    return body.data.map((group: { exception_class: string }) => group.exception_class).sort();
  };
  return { ...project, classes };
}

test("events that match a rule are not stored, their sender gets success, and the rule and the usage count them", async () => {
  const { id, admin, url, key, create, classes, send, events, sendSentry } = await open();
  const byClass = await create({ kind: "exception_class", pattern: "^Noise" });
  assert.deepEqual(byClass, {
    id: byClass.id,
    kind: "exception_class",
    pattern: "^Noise",
    active: true,
    paused_at: null,
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
    { headers: { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" } },
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
  const { admin, url, create, errorsOf } = await open();
  assert.deepEqual(await errorsOf({}), { kind: ["is required"] });
  assert.deepEqual(Object.keys(await errorsOf({ kind: "ip" })), ["kind"]);
  assert.deepEqual(await errorsOf({ kind: "message" }), { pattern: ["is required"] });
  assert.deepEqual(Object.keys(await errorsOf({ kind: "localhost", pattern: "x" })), ["pattern"]);
  assert.match(
    (await errorsOf({ kind: "message", pattern: "a(?!b)" }))["pattern"]?.[0] ?? "",
    /without lookaround/,
  );
  assert.match(
    (await errorsOf({ kind: "message", pattern: ".*" }))["pattern"]?.[0] ?? "",
    /match every text/,
  );
  assert.deepEqual(await errorsOf({ kind: "message", pattern: "x".repeat(201) }), {
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
  const project = await open();
  await checkAccessToRules(t, workspace.admin, project, { kind: "localhost" });
});

test("the audit log has the creation, the change and the deletion of a rule", async () => {
  const { admin, url, create } = await open();
  const rule = await create({ kind: "localhost" });
  await admin.patch(`${url}/${rule.id}`, { active: false });
  await admin.delete(`${url}/${rule.id}`);
  const kinds = await t.db
    .selectFrom("audit_events")
    .select("kind")
    .where("subject_type", "=", "inbound_rule")
    .where("subject_id", "=", rule.id)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ["inbound_rule.created", "inbound_rule.changed", "inbound_rule.deleted"],
  );
});
