import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent, hashOf, TRACES } from "../../../../test/support/error-events.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { makeEventProject } from "../../../../test/support/make-event-project.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = workspace.admin;
const workspaceId = workspace.id;
const fresh = () => makeEventProject(t, workspace);

test("an event with every field returns an empty 202 and is read back as the full resource", async () => {
  const { id, url, sender, only } = await fresh();
  const answer = await sender.post(url, {
    environment: "production",
    exception_class: "App\\PaymentFailed",
    message: "Card declined",
    stack_trace: TRACES.checkout,
    release: "1.8.2",
    previous_exceptions: [
      { exception_class: "Outer", message: "", stack_trace: "", extra: 1 },
      { exception_class: "Inner", message: "m", stack_trace: "t" },
    ],
    exception_code: "402",
    runtime: { name: "php", version: "8.4.1", sapi: "fpm" },
    framework: { name: "laravel", version: null },
    memory_peak_bytes: 12_345_678,
    memory_limit_bytes: 134_217_728,
    context: {
      kind: "route",
      name: "checkout",
      method: "POST",
      pattern: "/checkout/{cart}",
      action: "CheckoutController@pay",
      response_status: 500,
      queue: 5,
      secret: "no",
    },
    host: "web-1",
    user_hash: hashOf(1),
    unknown: { a: 1 },
  });
  assert.deepEqual([answer.status, answer.text], [202, ""]);
  const group = await only();
  const { first_seen_at } = group;
  assert.match(String(first_seen_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  assert.deepEqual(group, {
    id: group["id"],
    project_id: id,
    environment: "production",
    release: "1.8.2",
    last_release: "1.8.2",
    exception_class: "App\\PaymentFailed",
    latest_message: "Card declined",
    level: "error",
    latest_stack_trace: TRACES.checkout,
    previous_exceptions: [
      { exception_class: "Outer", message: "", stack_trace: "" },
      { exception_class: "Inner", message: "m", stack_trace: "t" },
    ],
    exception_code: "402",
    runtime: { name: "php", version: "8.4.1" },
    framework: { name: "laravel", version: null },
    memory_peak_bytes: 12_345_678,
    memory_limit_bytes: 134_217_728,
    context_kind: "route",
    context_label: "POST /checkout/{cart}",
    context: {
      kind: "route",
      name: "checkout",
      method: "POST",
      pattern: "/checkout/{cart}",
      action: "CheckoutController@pay",
      response_status: 500,
    },
    occurrence_count: 1,
    daily_counts: [...Array.from({ length: 29 }, () => 0), 1],
    releases: [{ release: "1.8.2", occurrence_count: 1, first_seen_at, last_seen_at: first_seen_at }],
    releases_count: 1,
    affected_users: 1,
    hosts: [{ name: "web-1", count: 1 }],
    kept_events_count: 1,
    linked_at: null,
    git_links: [],
    owners: [],
    imported_from: null,
    status: 0,
    resolved_at: null,
    resolved_by_id: null,
    resolved_in: null,
    verified_at: null,
    regressed_at: null,
    reopen_count: 0,
    linked_issue_id: null,
    assignee_id: null,
    snoozed_until: null,
    snooze_progress: null,
    first_seen_at,
    last_seen_at: first_seen_at,
    created_at: first_seen_at,
    updated_at: first_seen_at,
  });
});

test("after an event with only the five original fields, all other fields are null or empty", async () => {
  const { url, sender, only } = await fresh();
  assert.equal((await sender.post(url, anEvent({ release: "1" }))).status, 202);
  const group = await only();
  const { previous_exceptions, exception_code, runtime, framework, memory_peak_bytes, memory_limit_bytes } =
    group;
  const { context_kind, context_label, context, affected_users, hosts } = group;
  assert.deepEqual(
    { previous_exceptions, exception_code, runtime, framework, memory_peak_bytes, memory_limit_bytes },
    {
      previous_exceptions: [],
      exception_code: null,
      runtime: { name: null, version: null },
      framework: { name: null, version: null },
      memory_peak_bytes: null,
      memory_limit_bytes: null,
    },
  );
  assert.deepEqual(
    { context_kind, context_label, context, affected_users, hosts },
    { context_kind: null, context_label: null, context: null, affected_users: null, hosts: [] },
  );
});

test("a repeated event increments the count, replaces the nine latest fields, and keeps first_seen_at and release", async () => {
  const { url, sender, only } = await fresh();
  await sender.post(
    url,
    anEvent({
      release: "1",
      exception_code: "1",
      runtime: { name: "php" },
      context: { kind: "job", name: "A\\B" },
    }),
  );
  const before = await only();
  assert.deepEqual(
    [before["context_label"], before["context"]],
    ["B", { kind: "job", name: "A\\B", queue: null, attempt: null }],
  );
  await sender.post(url, anEvent({ message: "Again", release: "2" }));
  const group = await only();
  assert.equal(group["occurrence_count"], 2);
  assert.equal(group["latest_message"], "Again");
  assert.deepEqual([group["release"], group["last_release"]], ["1", "2"]);
  assert.equal(group["first_seen_at"], before["first_seen_at"]);
  assert.ok(String(group["last_seen_at"]) > String(before["last_seen_at"]));
  assert.deepEqual(
    [group["exception_code"], group["context"], group["runtime"]],
    [null, null, { name: null, version: null }],
  );
});

test("the same error in another environment, of another class or from another place creates another group", async () => {
  const { id, url, sender, reader } = await fresh();
  for (const event of [
    anEvent(),
    anEvent({ environment: "staging" }),
    anEvent({ exception_class: "Other" }),
    anEvent({ stack_trace: TRACES.search }),
    anEvent({ message: "differs", release: "9", host: "h", previous_exceptions: [] }),
  ])
    assert.equal((await sender.post(url, event)).status, 202);
  const list = await reader.get(`/api/projects/${id}/error-groups`);
  assert.equal(list.body.meta.count, 4);
});

test("an event without a release is not counted for any release", async () => {
  const { url, sender, only } = await fresh();
  for (const release of ["b", "a", undefined, "", "b"]) await sender.post(url, anEvent({ release }));
  const group = await only();
  const releases = group["releases"] as { release: string; occurrence_count: number }[];
  assert.deepEqual(
    releases.map((entry) => [entry.release, entry.occurrence_count]),
    [
      ["b", 2],
      ["a", 1],
    ],
  );
  assert.equal((group["daily_counts"] as number[]).at(-1), 5);
  assert.equal(group["last_release"], "b");
});

test("the ten hosts with the most occurrences are listed, ties in byte order; users are counted once", async () => {
  const { url, sender, only } = await fresh();
  const hosts = ["b", "a", "B", "z", "z", "c", "d", "e", "f", "g", "h", "i", "j"];
  for (const [n, host] of hosts.entries())
    await sender.post(url, anEvent({ host, user_hash: hashOf(n % 5) }));
  const group = await only();
  assert.deepEqual(
    (group["hosts"] as { name: string; count: number }[]).map((host) => `${host.name}${host.count}`),
    ["z2", "B1", "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"],
  );
  assert.equal(group["affected_users"], 5);
});

test("a Read & write token of the project and a personal token with the write scope can send events", async () => {
  const { id, url } = await fresh();
  const other = await makeProject(t.db, workspaceId);
  const viewer = await makeMember(t.db, id, { role: "Viewer" });
  const member = await makeMember(t.db, id, { role: "Member" });
  const outsider = await makeMember(t.db, other.id);
  const post = async (token: string, to = url) => (await t.http.as(token).post(to, anEvent())).status;

  assert.equal(await post(await makeProjectToken(t.db, id, admin.id)), 202);
  assert.equal(await post(await makeProjectToken(t.db, id, member.id)), 202);
  assert.equal(await post(await makePersonalToken(t.db, member.id)), 202);
  assert.equal(await post(await makeProjectToken(t.db, id, admin.id, { access: "read" })), 403);
  assert.equal(await post(await makeProjectToken(t.db, id, admin.id, { active: false })), 403);
  assert.equal(await post(await makeProjectToken(t.db, other.id, admin.id)), 403);
  assert.equal(await post(await makeProjectToken(t.db, id, viewer.id)), 403);
  assert.equal(await post(await makeProjectToken(t.db, id, outsider.id)), 403);
  assert.equal(await post(await makePersonalToken(t.db, member.id, { write: false })), 403);
  assert.equal(await post(await makePersonalToken(t.db, viewer.id)), 403);
  assert.equal(await post(await makePersonalToken(t.db, outsider.id)), 403);
  assert.equal(await post(await makeProjectToken(t.db, id, admin.id, { expired: true })), 401);
  assert.equal(await post("nonsense"), 401);
  assert.equal(await post(await makePersonalToken(t.db, admin.id), "/api/projects/999999/error-events"), 404);
  assert.equal(await post(await makePersonalToken(t.db, admin.id), "/api/projects/x/error-events"), 404);
});

test("a session cookie cannot send events", async () => {
  const { url } = await fresh();
  const cookie = `signalbox=${"x".repeat(43)}`;
  assert.equal((await t.http.withCookie(cookie).post(url, anEvent())).status, 401);
});

test("without the Error Tracking feature, sending returns 403 with feature_restricted", async () => {
  const off = await makeWorkspace(t.db, { features: { error_tracking: false } });
  const { id } = await makeProject(t.db, off.id);
  const sender = t.http.as(await makeProjectToken(t.db, id, off.admin.id));
  const answer = await sender.post(`/api/projects/${id}/error-events`, anEvent());
  assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
  const groups = await t.http
    .as(await makePersonalToken(t.db, off.admin.id))
    .get(`/api/projects/${id}/error-groups`);
  assert.deepEqual([groups.status, groups.body.feature_restricted], [403, true]);
});
