import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ WEBHOOK_ALLOW: "hooks.internal" });
const workspace = await makeWorkspace(t.db);

let project: { id: number };
let manager: Client;
let admin: Client;
let url: string;
const ofWorkspace = `/api/workspaces/${workspace.id}/webhooks`;
beforeEach(async () => {
  project = await makeProject(t.db, workspace.id);
  manager = await as(await makeMember(t.db, project.id, { role: "Manager" }));
  admin = await as(workspace.admin);
  url = `/api/projects/${project.id}/webhooks`;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const hook = { url: "https://hooks.example.com/in", events: ["issue.*"] };
const slack = {
  url: "https://hooks.slack.com/services/T0/B0/SecretPart9876",
  events: ["*"],
  format: "slack",
};

test("only the response that creates a webhook shows its secret", async () => {
  const made = await manager.post(url, hook);
  assert.equal(made.status, 201);
  const { secret, ...shown } = made.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual((await manager.get(`${url}/${shown.id}`)).body, shown);
  assert.deepEqual((await manager.get(url)).body.data, [shown]);
  const { id: _id, created_by: _by, created_at: _at, updated_at: _updated, ...rest } = shown;
  assert.deepEqual(rest, {
    ...hook,
    format: "signalbox",
    active: true,
    disabled_reason: null,
    failing_since: null,
  });
});

test("the address of a chat is masked in reads, and a PATCH with the masked address keeps it", async () => {
  const { id, url: given } = (await manager.post(url, slack)).body;
  assert.equal(given, slack.url);
  const { url: masked } = (await manager.get(`${url}/${id}`)).body;
  assert.equal(masked, "https://hooks.slack.com/…9876");
  const changed = await manager.patch(`${url}/${id}`, { url: masked, events: ["report.created"] });
  assert.deepEqual([changed.status, changed.body.url], [200, masked]);
  const { url: stored } = await t.db
    .selectFrom("webhooks")
    .select("url")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  assert.equal(stored, slack.url);
});

test("addresses that no webhook may have are rejected on POST and PATCH", async () => {
  const { id } = (await manager.post(url, hook)).body;
  for (const address of [
    "http://hooks.example.com/in",
    "https://user:password@hooks.example.com/",
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://[::ffff:10.0.0.1]/",
    "ftp://hooks.example.com/",
    `https://hooks.example.com/${"a".repeat(2_048)}`,
    "hooks",
    7,
  ]) {
    const answers = [
      await manager.post(url, { ...hook, url: address }),
      await manager.patch(`${url}/${id}`, { url: address }),
    ];
    for (const { status, body } of answers)
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ["url"]], String(address));
  }
  assert.equal((await manager.post(url, { ...hook, url: "http://hooks.internal:8080/in" })).status, 201);
});

test("events must be names, kinds or a star", async () => {
  const errors = async (events: unknown) =>
    Object.keys((await manager.post(url, { ...hook, events })).body.errors ?? {});
  assert.deepEqual(await errors(["issue.created", "issue.exploded", "alert.fired", 5]), [
    "events.1",
    "events.2",
    "events.3",
  ]);
  assert.deepEqual(await errors([]), ["events"]);
  assert.deepEqual(await errors(Array.from({ length: 51 }, () => "*")), ["events"]);
  assert.deepEqual((await manager.post(url, { ...hook, events: ["*", "*"] })).body.events, ["*"]);
});

test("a project and a workspace each have at most 20 webhooks", async () => {
  for (const [client, path] of [
    [manager, url],
    [admin, ofWorkspace],
  ] as const) {
    for (let n = 0; n < 20; n++) assert.equal((await client.post(path, hook)).status, 201);
    const refused = await client.post(path, hook);
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /at most 20/);
  }
});

test("a workspace's webhooks are for administrators, and are not found below a project", async () => {
  await t.db.deleteFrom("webhooks").where("workspace_id", "=", workspace.id).execute();
  const { id } = (await admin.post(ofWorkspace, hook)).body;
  assert.equal((await manager.get(ofWorkspace)).status, 403);
  assert.equal((await manager.get(`${url}/${id}`)).status, 404);
  assert.deepEqual((await manager.get(url)).body.data, []);
  assert.equal((await admin.get(`${ofWorkspace}/${id}`)).status, 200);
});

test("members without the permission and project tokens may not read or change webhooks", async () => {
  const { id } = (await manager.post(url, hook)).body;
  const token = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
  for (const one of [await as(await makeMember(t.db, project.id, { role: "Member" })), token]) {
    assert.equal((await one.get(url)).status, 403);
    assert.equal((await one.post(url, hook)).status, 403);
    assert.equal((await one.post(`${url}/${id}/test`)).status, 403);
  }
});

test("a new secret signs beside the former one for a day, and drops the one before", async () => {
  const { id, secret: first } = (await manager.post(url, hook)).body;
  const second = await manager.post(`${url}/${id}/rotate-secret`);
  assert.equal(second.status, 200);
  const third = await manager.post(`${url}/${id}/rotate-secret`);
  const row = await t.db
    .selectFrom("webhooks")
    .select(["secret", "previous_secret"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const text = (secret: Buffer | null) => `whsec_${secret?.toString("base64")}`;
  assert.deepEqual([text(row.secret), text(row.previous_secret)], [third.body.secret, second.body.secret]);
  assert.equal(new Set([first, second.body.secret, third.body.secret]).size, 3);
});

test("a test adds a delivery that is due at once, also for a webhook that is turned off", async () => {
  const { id } = (await manager.post(url, { ...hook, active: false })).body;
  const sent = await manager.post(`${url}/${id}/test`);
  assert.equal(sent.status, 202);
  assert.deepEqual([sent.body.event, sent.body.status, sent.body.attempts], ["webhook.test", "pending", []]);
  const body = JSON.parse(sent.body.request.body);
  assert.deepEqual([body.id, body.type, body.project.id], [sent.body.event_id, "webhook.test", project.id]);
  const { data } = (await manager.get(`${url}/${id}/deliveries`)).body;
  assert.deepEqual(data, [sent.body]);
});

test("deliveries are filtered by status and event", async () => {
  const { id } = (await manager.post(url, hook)).body;
  await manager.post(`${url}/${id}/test`);
  const count = async (query: string) =>
    (await manager.get(`${url}/${id}/deliveries?${query}`)).body.data.length;
  assert.deepEqual(
    [
      await count("status=pending"),
      await count("status=failed"),
      await count("event=webhook.test"),
      await count("event=issue.created"),
    ],
    [1, 0, 1, 0],
  );
  assert.equal((await manager.get(`${url}/${id}/deliveries?status=lost`)).status, 422);
});

test("the messages of a chat are previewed for the kinds of objects that the webhook is told of", async () => {
  const { id } = (await manager.post(url, { ...slack, events: ["issue.*", "error_group.created"] })).body;
  const { data } = (await manager.get(`${url}/${id}/preview`)).body;
  assert.deepEqual(
    data.map(({ event }: { event: string }) => event),
    ["error_group.created", "issue.closed"],
  );
  for (const { title, link } of data) {
    assert.notEqual(title, "");
    assert.match(link, /\/projects\//);
  }
});

test("redelivering and recovering plan a further attempt of failed deliveries only", async () => {
  const { id } = (await manager.post(url, hook)).body;
  const [failed, succeeded] = [
    (await manager.post(`${url}/${id}/test`)).body.id,
    (await manager.post(`${url}/${id}/test`)).body.id,
  ];
  const settle = (delivery: number, status: string) =>
    t.db
      .updateTable("webhook_deliveries")
      .set({ status, next_attempt_at: null })
      .where("id", "=", delivery)
      .execute();
  await settle(failed, "failed");
  await settle(succeeded, "succeeded");
  const recovered = await manager.post(`${url}/${id}/recover`, { since: "2026-01-01T00:00:00Z" });
  assert.deepEqual([recovered.status, recovered.body], [202, { count: 1 }]);
  const again = await manager.post(`${url}/${id}/deliveries/${succeeded}/redeliver`);
  assert.deepEqual([again.status, again.body.status], [202, "succeeded"]);
  assert.ok(again.body.next_attempt_at);
  const past = { since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" };
  assert.deepEqual((await manager.post(`${url}/${id}/recover`, past)).body, { count: 0 });
});

test("what waits for a webhook that is turned off counts as failed", async () => {
  const { id } = (await manager.post(url, { ...hook, events: ["*"] })).body;
  const project_url = `/api/projects/${project.id}`;
  await admin.post(`${project_url}/issues`, { title: "Slow" });
  await manager.patch(`${url}/${id}`, { active: false });
  const { data } = (await manager.get(`${url}/${id}/deliveries`)).body;
  assert.deepEqual(
    data.map(({ event, status }: { event: string; status: string }) => [event, status]),
    [["issue.created", "failed"]],
  );
});

test("the audit log has every change of a webhook, without its address's path and its secret", async () => {
  const { id } = (await manager.post(url, slack)).body;
  await manager.patch(`${url}/${id}`, { url: `${slack.url}x` });
  await manager.post(`${url}/${id}/rotate-secret`);
  await manager.delete(`${url}/${id}`);
  const rows = await t.db
    .selectFrom("audit_events")
    .select(["kind", "subject_name", "details"])
    .where("subject_type", "=", "webhook")
    .where("subject_id", "=", id)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["webhook.created", "webhook.changed", "webhook.secret_rotated", "webhook.deleted"],
  );
  assert.doesNotMatch(JSON.stringify(rows), /SecretPart|whsec/);
});
