import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { listenTo, type EventStream } from "../../../test/support/event-stream.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../test/support/make.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../test/support/test-app.ts";
import { sha256 } from "../access/tokens.ts";
import type { Tx } from "../db/connect.ts";
import { deleteOldChanges } from "./change-log.ts";
import { announce, type LiveChange } from "../record/live-changes.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

const LIVE = { checkMs: 50, heartbeatMs: 50 };
/** A revocation must take effect in every process within this time. */
const EFFECTIVE_MS = 5_000;

let t: TestApp;
let other: TestApp;
let base: string;
let otherBase: string;
before(async () => {
  t = await openTestApp({}, { live: LIVE });
  other = await openAppOn(t.database.url, {}, { live: LIVE });
  base = await listen(t);
  otherBase = await listen(other);
});
after(async () => {
  await other.close();
  await t.close();
});

async function listen({ app }: TestApp) {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

let workspace: { id: number; admin: TestUser };
let project: { id: number; key: string };
let user: TestUser;
let token: string;
const open: EventStream[] = [];
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  project = await makeProject(t.db, workspace.id);
  user = await makeMember(t.db, project.id);
  token = await makePersonalToken(t.db, user.id);
  await forget();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** Deletes the changes that the test's setup announced, so that a new stream does not receive them. */
const forget = () => t.db.deleteFrom("changes").execute();

/** A new token whose announcement to its owner no stream receives. */
async function tokenOf(userId: number) {
  const made = await makePersonalToken(t.db, userId);
  await forget();
  return made;
}

async function listenAs(
  bearer: string,
  { at = base, lastId = undefined as string | undefined, query = "" } = {},
) {
  const stream = await listenTo(at, { authorization: `Bearer ${bearer}` }, lastId, query);
  open.push(stream);
  if (stream.status === 200) await stream.waitForText(() => stream.lastId() !== undefined);
  return stream;
}

let count = 1_000;
const anIssue = (overrides: Partial<LiveChange> = {}): LiveChange => ({
  kind: "issue",
  project_id: project.id,
  id: ++count,
  ...overrides,
});
const record = (...changes: LiveChange[]) => t.db.transaction().execute((tx) => announce(tx, changes));
const ids = (stream: EventStream) => stream.events.map((event) => event.data.id);

/** Announces one more change and waits for it, so that everything before it in the stream has arrived. */
async function settle(stream: EventStream, canary = anIssue()) {
  await record(canary);
  await stream.waitFor(({ data }) => data.id === canary.id);
  return canary.id;
}

test("a committed change arrives as kind, project and id, from any process", async () => {
  const [here, there] = [await listenAs(token), await listenAs(token, { at: otherBase })];
  assert.equal(here.status, 200);
  assert.equal(here.headers["content-type"], "text/event-stream; charset=utf-8");
  assert.equal(here.headers["cache-control"], "no-store");
  assert.equal(here.headers["x-content-type-options"], "nosniff");
  const change = anIssue();
  await other.db.transaction().execute((tx) => announce(tx, [change]));
  for (const stream of [here, there]) {
    const event = await stream.waitFor(({ data }) => data.id === change.id);
    assert.deepEqual(event, {
      event: "message",
      data: { kind: "issue", project_id: project.id, id: change.id },
    });
  }
});

test("a comment's change names what it is on", async () => {
  const stream = await listenAs(token);
  await record({ kind: "comment", project_id: project.id, id: 7, commentable: { type: "issues", id: 12 } });
  const event = await stream.waitFor(({ data }) => data.kind === "comment");
  assert.deepEqual(event.data, {
    kind: "comment",
    project_id: project.id,
    id: 7,
    commentable_type: "issues",
    commentable_id: 12,
  });
});

test("a change that is rolled back is never sent", async () => {
  const stream = await listenAs(token);
  const rolledBack = anIssue();
  const failing = t.db.transaction().execute(async (tx) => {
    await announce(tx, [rolledBack]);
    throw new Error("rolled back");
  });
  await assert.rejects(failing);
  await settle(stream);
  assert.ok(!ids(stream).includes(rolledBack.id));
});

test("changes of another project are not sent", async () => {
  const stranger = await listenAs(await tokenOf((await makeUser(t.db)).id));
  const stream = await listenAs(token);
  const hidden = await makeProject(t.db, workspace.id);
  const elsewhere = await makeProject(t.db, (await makeWorkspace(t.db)).id);
  const kinds = ["issue", "comment", "report", "error_group", "epic", "project"] as const;
  const canaries = [hidden, elsewhere].flatMap(({ id }) =>
    kinds.map((kind) => anIssue({ kind, project_id: id })),
  );
  await record(...canaries, anIssue({ project_id: null }));
  const last = await settle(stream);
  assert.deepEqual(ids(stream), [last]);
  assert.deepEqual(stranger.events, []);
});

test("each kind needs its permission", async () => {
  const needs = {
    issue: ["issues:read"],
    epic: ["epics:read"],
    report: ["reports:read"],
    error_group: ["error-groups:read"],
    project: [],
  } as const;
  const kinds = Object.keys(needs) as (keyof typeof needs)[];
  for (const held of ["issues:read", "epics:read", "reports:read", "error-groups:read"]) {
    const member = await makeMember(t.db, project.id, { role: { permissions: [held] } });
    await forget();
    const stream = await listenAs(await tokenOf(member.id));
    const onIssue = { type: "issues", id: 1 } as const;
    await record(
      ...kinds.map((kind) => anIssue({ kind })),
      anIssue({ kind: "comment", commentable: onIssue }),
      anIssue({ kind: "comment", commentable: { ...onIssue, type: "epics" } }),
      anIssue({ kind: "comment" }),
    );
    await settle(stream, anIssue({ kind: "project" }));
    const heard = stream.events.map(({ data }) => [data.kind, data["commentable_type"]].join(" ").trim());
    const expected = kinds.filter((kind) => needs[kind].every((permission) => permission === held));
    const comments = { "issues:read": ["comment issues"], "epics:read": ["comment epics"] }[held] ?? [];
    assert.deepEqual(heard.sort(), [...expected, ...comments, "project"].sort(), held);
  }
});

test("administrators and owners receive all changes of their projects", async () => {
  const owner = await makeMember(t.db, project.id, { role: { permissions: [] }, is_owner: true });
  await forget();
  for (const person of [workspace.admin, owner]) {
    const stream = await listenAs(await tokenOf(person.id));
    await record(anIssue({ kind: "epic" }), anIssue({ kind: "error_group" }));
    await settle(stream);
    assert.equal(stream.events.length, 3);
  }
});

test("changes of a feature that is turned off are not sent", async () => {
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: false, error_tracking_enabled: false })
    .where("id", "=", workspace.id)
    .execute();
  const stream = await listenAs(token);
  await record(anIssue({ kind: "report" }), anIssue({ kind: "error_group" }));
  const last = await settle(stream);
  assert.deepEqual(ids(stream), [last]);
});

test("a notification is sent to its owner only, whatever others may read", async () => {
  const [owner, admin] = [await listenAs(token), await listenAs(await tokenOf(workspace.admin.id))];
  await record({ kind: "notification", project_id: project.id, id: 1, user_id: user.id });
  await record({ kind: "notification", project_id: null, id: 2, user_id: user.id });
  await owner.waitFor(({ data }) => data.id === 2);
  await settle(admin);
  assert.ok(!admin.events.some(({ data }) => data.kind === "notification"));
  assert.deepEqual(
    owner.events.filter(({ data }) => data.kind === "notification").map(({ data }) => data.id),
    [1, 2],
  );
});

test("a browser session can subscribe, a project token cannot", async () => {
  const cookie = await makeCookie(t.db, user.id);
  const stream = await listenTo(base, { cookie, "sec-fetch-site": "same-origin" });
  open.push(stream);
  await settle(stream);
  assert.equal((await listenAs(await makeProjectToken(t.db, project.id, workspace.admin.id))).status, 403);
  assert.equal((await t.http.send({ method: "HEAD", url: "/api/events" })).status, 404);
});

test("a client that reconnects receives what it missed exactly once, from any process", async () => {
  const stream = await listenAs(token);
  await settle(stream);
  const lastId = stream.lastId() as string;
  stream.close();
  const missed = [anIssue(), anIssue()];
  await record(...missed);
  await record(anIssue({ project_id: (await makeProject(t.db, workspace.id)).id }));
  for (const at of [base, otherBase]) {
    const back = await listenAs(token, { at, lastId });
    const last = await settle(back);
    assert.deepEqual(
      ids(back).slice(0, 2),
      missed.map((change) => change.id),
    );
    assert.equal(ids(back).filter((id) => id === last).length, 1);
    assert.equal(new Set(ids(back)).size, ids(back).length);
  }
});

test("a new connection continues after the event named in its URL, unless it names a later one in its header", async () => {
  const stream = await listenAs(token);
  await settle(stream);
  const query = `?after=${encodeURIComponent(stream.lastId() as string)}`;
  const missed = await settle(stream);
  const lastId = stream.lastId() as string;
  const later = await settle(stream);
  const [back, again] = [await listenAs(token, { query }), await listenAs(token, { query, lastId })];
  for (const one of [back, again]) await one.waitFor(({ data }) => data.id === later);
  assert.deepEqual([ids(back), ids(again)], [[missed, later], [later]]);
});

test("a new connection starts with the changes of the last seconds, if it asks for them", async () => {
  const [old, recent] = [anIssue(), anIssue()];
  await record(old, recent, anIssue({ project_id: (await makeProject(t.db, workspace.id)).id }));
  await sql`update changes set created_at = now() - interval '1 minute' where target_id = ${old.id}`.execute(
    t.db,
  );
  const stream = await listenAs(token, { query: "?recent=30" });
  const last = await settle(stream);
  assert.deepEqual(ids(stream), [recent.id, last]);
  const without = await listenAs(token);
  assert.deepEqual(ids(without), []);
  assert.equal((await listenAs(token, { query: "?recent=61" })).status, 422);
  await record(...Array.from({ length: 1_001 }, () => anIssue()));
  const behind = await listenAs(token, { query: "?recent=60" });
  await behind.waitFor(({ event }) => event === "reset");
});

test("a stream for another user than the credential's is refused", async () => {
  const { id } = await makeMember(t.db, project.id);
  assert.equal((await listenAs(token, { query: `?user_id=${user.id}` })).status, 200);
  assert.equal((await listenAs(token, { query: `?user_id=${id}` })).status, 403);
});

test("heartbeats move the position of an idle connection", async () => {
  const stream = await listenAs(token);
  const first = stream.lastId();
  assert.match(first ?? "", /^\d+\.\d+:\d+:/);
  await record(anIssue({ project_id: (await makeProject(t.db, workspace.id)).id }));
  await stream.waitForText(() => stream.lastId() !== first);
  assert.deepEqual(stream.events, []);
  assert.match(stream.text(), /^retry: 2000\n/);
});

test("a position that is too old, from another database or invalid is answered with a reset", async () => {
  const stream = await listenAs(token);
  const [second, snapshot] = (stream.lastId() as string).split(/\.(.*)/s) as [string, string];
  for (const lastId of [
    `${Number(second) - 301}.${snapshot}`,
    `${second}.999999999:999999999:`,
    `${second}.20:10:`,
    `${second}.10:20:15,12`,
    "12",
    "x; drop table changes",
  ]) {
    const back = await listenAs(token, { lastId });
    await back.waitFor(({ event }) => event === "reset");
    await settle(back);
    assert.equal(back.events.length, 2, lastId);
  }
  const recent = await listenAs(token, { lastId: `${Number(second) - 200}.${snapshot}` });
  await settle(recent);
  assert.ok(!recent.events.some(({ event }) => event === "reset"));
});

test("more than a thousand changes at once are sent as a reset, and repeated changes of one thing are sent once", async () => {
  const stream = await listenAs(token);
  const twice = anIssue();
  await record(twice, twice, twice);
  const last = await settle(stream);
  assert.deepEqual(ids(stream), [twice.id, last]);
  await record(...Array.from({ length: 1_001 }, () => anIssue()));
  await stream.waitFor(({ event }) => event === "reset");
  assert.equal(stream.events.length, 3);
});

/** Transactions that commit on demand, so that a lower id can become visible after a higher one. */
async function openTransaction(change: LiveChange) {
  const recorded = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const done = t.db.transaction().execute(async (tx: Tx) => {
    await announce(tx, [change]);
    recorded.resolve();
    await commit.promise;
  });
  await recorded.promise;
  return () => {
    commit.resolve();
    return done;
  };
}

test("all changes are sent even if their transactions commit in a different order than their ids", async () => {
  const stream = await listenAs(token);
  const [slow, quick] = [anIssue(), anIssue()];
  const commitSlow = await openTransaction(slow);
  const commitQuick = await openTransaction(quick);
  await commitQuick();
  await stream.waitFor(({ data }) => data.id === quick.id);
  assert.ok(!ids(stream).includes(slow.id), "not before it is committed, and nobody waits for it");
  const between = await settle(stream);
  const lastId = stream.lastId() as string;
  await commitSlow();
  await stream.waitFor(({ data }) => data.id === slow.id);
  assert.deepEqual(ids(stream), [quick.id, between, slow.id]);
  const back = await listenAs(token, { lastId });
  await back.waitFor(({ data }) => data.id === slow.id);
  assert.deepEqual(ids(back), [slow.id]);
});

test("a revoked token ends its stream on every process", async () => {
  const streams = [await listenAs(token), await listenAs(token, { at: otherBase })];
  const healthy = await listenAs(await tokenOf(user.id));
  await t.db
    .updateTable("personal_tokens")
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where("token_hash", "=", sha256(token))
    .execute();
  await within(EFFECTIVE_MS, Promise.all(streams.map((stream) => stream.ended)));
  await settle(healthy);
});

test("a session that was signed out ends its stream", async () => {
  const cookie = await makeCookie(t.db, user.id);
  const stream = await listenTo(otherBase, { cookie });
  open.push(stream);
  assert.equal((await t.http.withCookie(cookie).delete("/api/session")).status, 204);
  await within(EFFECTIVE_MS, stream.ended);
});

test("a user who is removed from the project receives no more of its changes", async () => {
  const stream = await listenAs(token, { at: otherBase });
  await settle(stream);
  await t.db.deleteFrom("project_members").where("user_id", "=", user.id).execute();
  const deadline = performance.now() + EFFECTIVE_MS;
  const mine = { kind: "notification", project_id: null, user_id: user.id } as const;
  for (;;) {
    const canary = anIssue();
    const end = { ...mine, id: ++count };
    await record(canary, end);
    await stream.waitFor(({ data }) => data.id === end.id);
    if (!ids(stream).includes(canary.id)) break;
    assert.ok(performance.now() < deadline, "it still hears of the project");
  }
});

test("a user who is added to a project receives its changes immediately, and so do its members", async () => {
  const newcomer = await makeUser(t.db);
  const streams = [await listenAs(await tokenOf(newcomer.id)), await listenAs(token)];
  await makeMember(t.db, project.id, { user: newcomer });
  for (const stream of streams)
    await stream.waitFor(({ data }) => data.kind === "project" && data.id === project.id);
});

test("a credential has at most ten streams, and closing one allows another", async () => {
  const streams = [];
  for (let i = 0; i < 10; i++) streams.push(await listenAs(token));
  const refused = await listenAs(token);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "5");
  assert.equal((await listenAs(await tokenOf(user.id))).status, 200);
  streams[0]?.close();
  await waitUntil(async () => (await listenAs(token)).status === 200);
});

test("stopping the server ends all streams immediately and refuses new ones", async () => {
  const third = await openAppOn(t.database.url, {}, { live: LIVE });
  const stream = await listenAs(token, { at: await listen(third) });
  await settle(stream);
  await within(2_000, Promise.all([third.close(), stream.ended]));
});

test("after a database outage the streams continue and miss nothing", async () => {
  const stream = await listenAs(token);
  await settle(stream);
  const control = new pg.Client({ connectionString: t.database.url });
  await control.connect();
  const kill = () =>
    control.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'signalbox live' and datname = current_database()`,
    );
  assert.ok(((await kill()).rowCount ?? 0) >= 1, "there is a connection that listens");
  const missed = anIssue();
  await control.query("insert into changes (kind, project_id, target_id) values ('issue', $1, $2)", [
    project.id,
    missed.id,
  ]);
  await stream.waitFor(({ data }) => data.id === missed.id);
  await waitUntil(async () => {
    const { rows } = await control.query(
      `select count(*)::int as listeners from pg_stat_activity
       where application_name = 'signalbox live' and datname = current_database()`,
    );
    return rows[0].listeners >= 2;
  });
  await control.end();
  await settle(stream);
});

test("changes are deleted when no client can ask for them anymore", async () => {
  const [old, recent] = [anIssue(), anIssue()];
  await record(old, recent);
  await sql`update changes set created_at = now() - interval '11 minutes' where target_id = ${old.id}`.execute(
    t.db,
  );
  await deleteOldChanges(t.db);
  const left = await t.db.selectFrom("changes").select("target_id").execute();
  assert.ok(left.some((row) => row.target_id === recent.id));
  assert.ok(!left.some((row) => row.target_id === old.id));
});

async function within(ms: number, work: Promise<unknown>) {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(late));
}
