import assert from "node:assert/strict";
import { test } from "node:test";
import { openPeer, sendEvents } from "../../../../../test/support/compare.ts";
import { makePersonalToken, makeWorkspace } from "../../../../../test/support/make.ts";
import { anEvent } from "../../../../../test/support/error-events.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { compareWithSentry } from "./compare-with-sentry.ts";
import { hasDifferences, type ComparedGroup } from "./comparison.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));

let projects = 0;
/** With the default alert rules. */
async function makeProjectWithRules(): Promise<number> {
  const body = { workspace_id: workspace.id, key: `CMP${projects++}`, name: "Shop" };
  const answer = await admin.post("/api/projects", body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id as number;
}

const compare = (projectId: number, url: URL) =>
  compareWithSentry(t.db, {
    projectId,
    url,
    token: "secret-token",
    days: 7,
    privacyRules: null,
    signal: new AbortController().signal,
    backoffMs: 1,
  });

const titles = (groups: ComparedGroup[]) => groups.map(({ title }) => title.split(":")[0]);

test("nothing differs if both servers received the same events", async (context) => {
  const { server, url, counts } = await openPeer(context);
  const projectId = await makeProjectWithRules();
  await sendEvents(t, projectId, counts);
  const comparison = await compare(projectId, url);
  assert.equal(hasDifferences(comparison), false, JSON.stringify(comparison));
  assert.equal(comparison.matched, 4);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer secret-token"));
});

test("groups on one side and counts that differ are listed", async (context) => {
  const { url, counts } = await openPeer(context);
  const projectId = await makeProjectWithRules();
  await sendEvents(t, projectId, { ...counts, TimeoutError: 0, PaymentError: counts.PaymentError + 1 });
  const event = anEvent({ exception_class: "OnlyHere" });
  assert.equal((await admin.post(`/api/projects/${projectId}/error-events`, event)).status, 202);
  const { matched, only_there, only_here, different_counts } = await compare(projectId, url);
  assert.equal(matched, 3);
  assert.deepEqual([titles(only_there), titles(only_here)], [["TimeoutError"], ["OnlyHere"]]);
  assert.deepEqual(
    different_counts.map(({ there, count_there, count_here }) => [titles(there), count_there, count_here]),
    [[["PaymentError"], counts.PaymentError, counts.PaymentError + 1]],
  );
});

test("groups of another project are neither compared nor listed", async (context) => {
  const { url, counts } = await openPeer(context);
  const [empty, other] = [await makeProjectWithRules(), await makeProjectWithRules()];
  await sendEvents(t, other, counts);
  const { matched, only_there, only_here } = await compare(empty, url);
  assert.deepEqual([matched, only_there.length, only_here.length], [0, 4, 0]);
});

test("alert rules without an active counterpart of the same kind and action are listed", async (context) => {
  const email = [{ id: 1, recipientType: "email", url: "" }];
  const alerts = [
    { id: 1, name: "New", timespanMinutes: 1, quantity: 1, alertRecipients: email },
    { id: 2, name: "Many", timespanMinutes: 10, quantity: 50, alertRecipients: email },
    { id: 3, name: "Chat", timespanMinutes: 1, quantity: 1, alertRecipients: [{ recipientType: "discord" }] },
  ];
  const { url } = await openPeer(context, { "/api/0/projects/shop/checkout/alerts/": { body: alerts } });
  const projectId = await makeProjectWithRules();
  const missing = async () => (await compare(projectId, url)).missing_rules?.map(({ name }) => name);
  assert.deepEqual(await missing(), ["Many", "Chat"]);
  const rule = {
    name: "Many events",
    when: { kind: "group_events", count: 50, minutes: 10 },
    then: [{ to: "email", recipients: ["watchers"] }],
  };
  const created = await admin.post(`/api/projects/${projectId}/alert-rules`, rule);
  assert.equal(created.status, 201, created.text);
  assert.deepEqual(await missing(), ["Chat"]);
  await admin.patch(`/api/projects/${projectId}/alert-rules/${created.body.id}`, { active: false });
  assert.deepEqual(await missing(), ["Many", "Chat"]);
});
