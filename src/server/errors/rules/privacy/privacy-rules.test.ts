import assert from "node:assert/strict";
import { test } from "node:test";
import { collide } from "../../../../../test/support/collide.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { cpuMs } from "../../../../../test/support/cpu-ms.ts";
import { slowText } from "../../../../../test/support/slow-text.ts";
import { checkAccessToRules, openRules } from "../../../../../test/support/rules.ts";
import { openAppOn, useTestApp } from "../../../../../test/support/test-app.ts";
import { eventually } from "../../../../../test/support/eventually.ts";
import type { PrivacyRule } from "../../../../shared/privacy-rules.ts";
import { compilePattern } from "../../../ingest/patterns/compile-pattern.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openRules<PrivacyRule>(t, workspace, "privacy-rules");
  const latest = async () =>
    (await project.admin.get(`${project.groups}/${(await project.only()).id}/events/latest`)).body;
  return { ...project, latest };
}

const NUMBER = {
  name: "customer number",
  key_pattern: "(?i)^customer_?no$",
  value_pattern: "\\bK-\\d{4}\\b",
};

test("the list has the built-in rules in words, then the project's own", async () => {
  const { admin, url, create } = await open();
  const rule = await create(NUMBER);
  assert.deepEqual(rule, { id: rule.id, ...NUMBER, active: true, built_in: false, description: null });
  const { data, meta } = (await admin.get(url)).body;
  assert.deepEqual(meta, { next_cursor: null });
  assert.deepEqual(data.at(-1), rule);
  const builtIn = data.slice(0, -1) as PrivacyRule[];
  assert.ok(builtIn.every(({ id, built_in, active }) => id === null && built_in && active));
  assert.equal(builtIn.find(({ name }) => name === "email")?.description, "email addresses");
});

test("a rule applies to all parts of a Sentry event, and to the additions of a native one", async () => {
  const sentry = await open();
  await sentry.create(NUMBER);
  await sentry.sendSentry({
    exception: {
      values: [
        { type: "Cause", value: "K-1111" },
        {
          type: "Failed",
          value: "Customer K-2222",
          stacktrace: { frames: [{ filename: "a.js", context_line: "pay('K-3333')" }] },
        },
      ],
    },
    tags: { customer: "K-4444" },
    breadcrumbs: [{ message: "GET /K-5555", data: { customerNo: 5 } }],
    request: { url: "https://shop.example/K-6666" },
    extra: { "K-7777": ["K-8888"] },
  });
  const event = await sentry.latest();
  const gone = "[removed: customer number]";
  assert.equal(event.message, `Customer ${gone}`);
  assert.equal(event.previous_exceptions[0].message, gone);
  assert.equal(event.frames[0].context_line, `pay('${gone}')`);
  assert.deepEqual(event.tags, { customer: gone });
  assert.equal(event.breadcrumbs[0].message, `GET /${gone}`);
  assert.deepEqual(event.breadcrumbs[0].data, { customerNo: gone });
  assert.equal(event.request.path, `/${gone}`);
  assert.deepEqual(event.extra, { [gone]: [gone] });
  assert.deepEqual(event.removed, { "customer number": 9 });

  const native = await open();
  await native.create(NUMBER);
  await native.send({ message: "K-1111", extra: { note: "K-2222", large: "x".repeat(10_000) } });
  const { message, extra, removed } = await native.latest();
  assert.deepEqual([message, extra.note, removed], ["K-1111", gone, { "customer number": 1 }]);
});

test("changes of rules apply at once in their own process, and within a second in others", async () => {
  const { admin, url, create, latest, sendSentry } = await open();
  const other = await openAppOn(t.database.url);
  try {
    const removed = async (http = t.http) => {
      await sendSentry({ message: "Failed", extra: { note: "K-1111" } }, { http });
      return (await latest()).removed;
    };
    assert.deepEqual(await removed(other.http), {});
    const rule = await create(NUMBER);
    assert.deepEqual(await removed(), { [NUMBER.name]: 1 });
    await eventually(() => removed(other.http), { [NUMBER.name]: 1 });
    const path = `${url}/${rule.id}`;
    const changed = await admin.patch(path, { name: "number", key_pattern: null });
    assert.deepEqual(changed.body, { ...rule, name: "number", key_pattern: null });
    assert.deepEqual(await removed(), { number: 1 });
    assert.equal((await admin.patch(path, { active: false })).body.active, false);
    assert.deepEqual(await removed(), {});
    assert.equal((await admin.patch(path, { active: true })).status, 200);
    assert.equal((await admin.delete(path)).status, 204);
    assert.deepEqual(await removed(), {});
    assert.equal((await admin.delete(path)).status, 404);
  } finally {
    await other.close();
  }
});

test("a rule can be tried on a kept event before it is saved", async () => {
  const { id, admin, url, latest, sendSentry } = await open();
  await sendSentry({
    exception: { values: [{ type: "Failed", value: "Customer K-2222" }] },
    extra: { customer_no: 7, mail: "a@b.example" },
    tags: { shop: "main" },
  });
  const event_id = (await latest()).id;
  const tried = await admin.post(`${url}/test`, { rule: NUMBER, event_id });
  assert.equal(tried.status, 200, tried.text);
  assert.deepEqual(tried.body, {
    removed: { [NUMBER.name]: 2 },
    places: [
      { path: "message", before: "Customer K-2222", after: "Customer [removed: customer number]" },
      { path: "extra.customer_no", before: "7", after: "[removed: customer number]" },
    ],
  });
  assert.deepEqual(
    (await admin.get(url)).body.data.filter((rule: PrivacyRule) => !rule.built_in),
    [],
  );
  const none = await admin.post(`${url}/test`, { rule: { name: "x", value_pattern: "nowhere" }, event_id });
  assert.deepEqual(none.body, { removed: {}, places: [] });
  const wrong = await admin.post(`${url}/test`, { rule: { name: "x", value_pattern: "(" }, event_id });
  assert.deepEqual(Object.keys(wrong.body.errors), ["rule.value_pattern"]);
  const other = await open();
  const foreign = await other.admin.post(`${other.url}/test`, { rule: NUMBER, event_id });
  assert.deepEqual(Object.keys(foreign.body.errors), ["event_id"], `${id}`);
});

test("a rule is tried in a worker thread", async () => {
  const { admin, url, latest, sendSentry } = await open();
  const text = slowText(16_000);
  await sendSentry({ message: "Failed", extra: { text } });
  const event_id = (await latest()).id;
  const value_pattern = "(?s)a.{280}c$";
  const search = await cpuMs(() => compilePattern(value_pattern).test(text));
  const body = { rule: { name: "slow", value_pattern }, event_id };
  const request = await cpuMs(() => admin.post(`${url}/test`, body));
  assert.ok(request < search, `${request} ms on the main thread, of which a search would take ${search} ms`);
});

test("invalid rules return 422 on their fields", async () => {
  const { admin, url, create, errorsOf } = await open();
  assert.deepEqual(Object.keys(await errorsOf({})), ["name"]);
  assert.deepEqual(Object.keys(await errorsOf({ name: "x" })), ["key_pattern"]);
  assert.match(
    (await errorsOf({ name: "x", value_pattern: "(?=a)" }))["value_pattern"]?.[0] ?? "",
    /lookaround/,
  );
  const long = { name: "x".repeat(51), key_pattern: "k".repeat(201), value_pattern: "v".repeat(201) };
  assert.deepEqual(await errorsOf(long), {
    name: ["must be at most 50 characters"],
    key_pattern: ["must be at most 200 characters"],
    value_pattern: ["must be at most 200 characters"],
  });
  assert.deepEqual(await errorsOf({ name: "Email", value_pattern: "x" }), {
    name: ["is the name of a built-in rule"],
  });
  assert.deepEqual(Object.keys(await errorsOf({ name: "a[b]", value_pattern: "x" })), ["name"]);
  const rule = await create(NUMBER);
  assert.deepEqual(await errorsOf({ ...NUMBER, name: "Customer Number" }), { name: ["is taken"] });
  const cleared = await admin.patch(`${url}/${rule.id}`, { key_pattern: null, value_pattern: null });
  assert.deepEqual([cleared.status, Object.keys(cleared.body.errors)], [422, ["key_pattern"]]);
});

test("a project has at most 50 privacy rules", async () => {
  const { admin, url, create } = await open();
  for (let n = 1; n <= 50; n++) await create({ name: `rule ${n}`, value_pattern: `x${n}` });
  const refused = await admin.post(url, { name: "rule 51", value_pattern: "x" });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /at most 50/);
});

test("reading requires Error Groups: Read, changes project:update, and tokens and ingest keys get 403", async () => {
  const project = await open();
  await checkAccessToRules(t, workspace.admin, project, NUMBER);
  const member = await makeMember(t.db, project.id, { role: "Member" });
  const token = await makeProjectToken(t.db, project.id, workspace.admin.id);
  for (const credential of [await makePersonalToken(t.db, member.id), token, project.key]) {
    const tried = await t.http.as(credential).post(`${project.url}/test`, { rule: NUMBER, event_id: 1 });
    assert.equal(tried.status, 403);
  }
});

test("changing a rule while it is deleted returns 404", async () => {
  const { admin, url, create } = await open();
  const { id } = await create(NUMBER);
  const [answer] = await collide(
    t.database,
    `delete from privacy_rules where id = ${id}`,
    async (waiting) => {
      const request = admin.patch(`${url}/${id}`, { active: false });
      await waiting(1);
      return [request];
    },
  );
  assert.equal(answer?.status, 404, answer?.text);
});

test("the audit log has the creation, changes and the deletion of a rule", async () => {
  const { admin, url, create } = await open();
  const { id } = await create(NUMBER);
  for (const body of [{ active: false }, { active: false }, {}]) await admin.patch(`${url}/${id}`, body);
  await admin.delete(`${url}/${id}`);
  const events = await t.db
    .selectFrom("audit_events")
    .select(["kind", "subject_name"])
    .where("subject_type", "=", "privacy_rule")
    .where("subject_id", "=", id ?? 0)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    events.map(({ kind, subject_name }) => `${kind} ${subject_name}`),
    ["created", "changed", "deleted"].map((what) => `privacy_rule.${what} ${NUMBER.name}`),
  );
});
