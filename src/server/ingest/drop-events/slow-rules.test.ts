import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMs } from "../../../../test/support/cpu-ms.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openRules } from "../../../../test/support/rules.ts";
import { slowText } from "../../../../test/support/slow-text.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { InboundRule } from "../../../shared/inbound-rules.ts";
import { droppingRule, type SlowRule } from "./dropping-rule.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Too complex for new rules, and slow on every machine. */
const SLOW_PATTERN = "(?s)a.{900}c$|b.{900}c$";
const SLOW_TEXT = `${slowText(2_047)}x`;

async function open() {
  const project = await openRules<InboundRule>(t, workspace, "inbound-rules");
  const { url, admin, id } = project;
  /** A rule that was saved when larger patterns were allowed. */
  const saveSlow = async (pattern = SLOW_PATTERN) => {
    const row = await t.db
      .insertInto("inbound_rules")
      .values({ project_id: id, kind: "message", pattern })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id: row.id, path: `${url}/${row.id}` };
  };
  const rule = async () => ((await admin.get(url)).body.data as InboundRule[])[0];
  const isPaused = async () => {
    const { active, paused_at } = (await rule()) ?? {};
    return { active, isPaused: paused_at !== null };
  };
  return { ...project, saveSlow, rule, isPaused };
}

const facts = (message: string) => ({
  exception_class: "E",
  message,
  release: null,
  environment: "production",
  userAgent: null,
  file: null,
  addresses: [],
});

test("only the first 2,048 characters are searched", () => {
  const rules = JSON.stringify([{ id: 1, kind: "message", pattern: "K-\\d" }]);
  assert.equal(droppingRule(rules, facts(`${"x".repeat(2_045)}K-1`)), 1);
  assert.equal(droppingRule(rules, facts(`${"x".repeat(2_046)}K-1`)), undefined);
});

test("a rule that takes too long is reported, and its result counts", () => {
  const rules = JSON.stringify([
    { id: 1, kind: "message", pattern: SLOW_PATTERN },
    { id: 2, kind: "message", pattern: "^[abcx]+$" },
  ]);
  const slow: SlowRule[] = [];
  assert.equal(droppingRule(rules, facts(SLOW_TEXT), slow, Infinity), 2);
  assert.deepEqual(
    slow.map(({ id }) => id),
    [1],
  );
});

for (const kind of ["native", "Sentry"] as const)
  test(`a rule that takes more than 20 ms on a ${kind} event pauses itself, and the event is stored`, async () => {
    const { saveSlow, isPaused, send, sendSentry, only } = await open();
    await saveSlow();
    assert.deepEqual(await isPaused(), { active: true, isPaused: false });
    if (kind === "native") await send({ message: SLOW_TEXT });
    else await sendSentry({ message: SLOW_TEXT });
    await eventually(isPaused, { active: false, isPaused: true });
    await only();
  });

test("patterns are not searched on the main thread", async () => {
  const { saveSlow, send } = await open();
  const rules = JSON.stringify([{ id: 1, kind: "message", pattern: SLOW_PATTERN }]);
  await send({});
  const search = await cpuMs(() => droppingRule(rules, facts(SLOW_TEXT)));
  await saveSlow();
  const request = await cpuMs(() => send({ message: SLOW_TEXT }));
  assert.ok(request < search, `${request} ms on the main thread, of which a search would take ${search} ms`);
});

test("switching a paused rule on or sending a pattern ends its pause, and other changes do not", async () => {
  const { saveSlow, isPaused, rule, admin } = await open();
  const { id, path } = await saveSlow();
  const pause = () =>
    t.db
      .updateTable("inbound_rules")
      .set({ active: false, paused_at: new Date().toISOString() })
      .where("id", "=", id)
      .execute();
  const paused = { active: false, isPaused: true };
  const ended = { active: true, isPaused: false };
  await pause();
  assert.equal((await admin.patch(path, {})).status, 200);
  assert.equal((await admin.patch(path, { active: false })).status, 200);
  assert.deepEqual(await isPaused(), paused);
  const switched = await admin.patch(path, { active: true });
  assert.equal(switched.status, 200, switched.text);
  assert.deepEqual([switched.body.active, switched.body.paused_at], [true, null]);
  await pause();
  const same = await admin.patch(path, { pattern: SLOW_PATTERN });
  assert.equal(same.status, 200, same.text);
  assert.deepEqual(await isPaused(), ended);
  await pause();
  await admin.patch(path, { pattern: "boom" });
  assert.deepEqual([(await rule())?.pattern, await isPaused()], ["boom", ended]);
  await pause();
  await admin.patch(path, { pattern: "boom 2", active: false });
  assert.deepEqual(await isPaused(), { active: false, isPaused: false });
});

test("a rule whose pattern changes while an event is read with the old one is not paused", async () => {
  const { saveSlow, isPaused, send, admin, rule } = await open();
  const { path } = await saveSlow();
  const sent = send({ message: SLOW_TEXT });
  assert.equal((await admin.patch(path, { pattern: "boom" })).status, 200);
  await sent;
  await send({ message: "no match" });
  assert.deepEqual([(await rule())?.pattern, await isPaused()], ["boom", { active: true, isPaused: false }]);
});

test("patterns of new rules have at most 100 instructions; larger ones stay until they are changed", async () => {
  const { errorsOf, create, saveSlow, admin } = await open();
  const errors = await errorsOf({ kind: "message", pattern: "a{100}" });
  assert.match(errors["pattern"]?.[0] ?? "", /too complex/);
  await create({ kind: "message", pattern: "a{90}" });
  const { path } = await saveSlow();
  for (const active of [false, true]) assert.equal((await admin.patch(path, { active })).status, 200);
  const changed = await admin.patch(path, { pattern: "b{100}" });
  assert.deepEqual([changed.status, Object.keys(changed.body.errors)], [422, ["pattern"]]);
});
