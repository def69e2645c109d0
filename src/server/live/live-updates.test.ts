import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { waitUntil } from "../../../test/support/eventually.ts";
import { idsOf, useLiveStreams } from "../../../test/support/live-streams.ts";
import {
  makeCookie,
  makeMember,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
} from "../../../test/support/make.ts";
import type { Tx } from "../db/connect.ts";
import { announce, type LiveChange } from "../record/live-changes.ts";
import { deleteOldChanges } from "./change-log.ts";

const live = await useLiveStreams();
const { t, other, otherBase, listenWith, listenAs, tokenOf, forget, anIssue, record, settle } = live;

test("a committed change arrives as kind, project and id, from any process", async () => {
  const [here, there] = [await listenAs(live.token), await listenAs(live.token, { at: otherBase })];
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
      data: { kind: "issue", project_id: live.project.id, id: change.id },
    });
  }
});

test("a comment's change names what it is on", async () => {
  const stream = await listenAs(live.token);
  await record({
    kind: "comment",
    project_id: live.project.id,
    id: 7,
    commentable: { type: "issues", id: 12 },
  });
  const event = await stream.waitFor(({ data }) => data.kind === "comment");
  assert.deepEqual(event.data, {
    kind: "comment",
    project_id: live.project.id,
    id: 7,
    commentable_type: "issues",
    commentable_id: 12,
  });
});

test("a change that is rolled back is never sent", async () => {
  const stream = await listenAs(live.token);
  const rolledBack = anIssue();
  const failing = t.db.transaction().execute(async (tx) => {
    await announce(tx, [rolledBack]);
    throw new Error("rolled back");
  });
  await assert.rejects(failing);
  await settle(stream);
  assert.ok(!idsOf(stream).includes(rolledBack.id));
});

test("changes of another project are not sent", async () => {
  const stranger = await listenAs(await tokenOf((await makeUser(t.db)).id));
  const stream = await listenAs(live.token);
  const hidden = await makeProject(t.db, live.workspace.id);
  const elsewhere = await makeProject(t.db, (await makeWorkspace(t.db)).id);
  const kinds = ["issue", "comment", "report", "error_group", "epic", "project"] as const;
  const canaries = [hidden, elsewhere].flatMap(({ id }) =>
    kinds.map((kind) => anIssue({ kind, project_id: id })),
  );
  await record(...canaries, anIssue({ project_id: null }));
  const last = await settle(stream);
  assert.deepEqual(idsOf(stream), [last]);
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
    const member = await makeMember(t.db, live.project.id, { role: { permissions: [held] } });
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
  const owner = await makeMember(t.db, live.project.id, { role: { permissions: [] }, is_owner: true });
  await forget();
  for (const person of [live.workspace.admin, owner]) {
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
    .where("id", "=", live.workspace.id)
    .execute();
  const stream = await listenAs(live.token);
  await record(anIssue({ kind: "report" }), anIssue({ kind: "error_group" }));
  const last = await settle(stream);
  assert.deepEqual(idsOf(stream), [last]);
});

test("a notification is sent to its owner only, whatever others may read", async () => {
  const [owner, admin] = [await listenAs(live.token), await listenAs(await tokenOf(live.workspace.admin.id))];
  await record({ kind: "notification", project_id: live.project.id, id: 1, user_id: live.user.id });
  await record({ kind: "notification", project_id: null, id: 2, user_id: live.user.id });
  await owner.waitFor(({ data }) => data.id === 2);
  await settle(admin);
  assert.ok(!admin.events.some(({ data }) => data.kind === "notification"));
  assert.deepEqual(
    owner.events.filter(({ data }) => data.kind === "notification").map(({ data }) => data.id),
    [1, 2],
  );
});

test("a browser session can subscribe, a project token cannot", async () => {
  const cookie = await makeCookie(t.db, live.user.id);
  const stream = await listenWith({ cookie, "sec-fetch-site": "same-origin" });
  await settle(stream);
  assert.equal(
    (await listenAs(await makeProjectToken(t.db, live.project.id, live.workspace.admin.id))).status,
    403,
  );
  assert.equal((await t.http.send({ method: "HEAD", url: "/api/events" })).status, 404);
});

test("a stream for another user than the credential's is refused", async () => {
  const { id } = await makeMember(t.db, live.project.id);
  assert.equal((await listenAs(live.token, { query: `?user_id=${live.user.id}` })).status, 200);
  assert.equal((await listenAs(live.token, { query: `?user_id=${id}` })).status, 403);
});

test("more than a thousand changes at once are sent as a reset, and repeated changes of one thing are sent once", async () => {
  const stream = await listenAs(live.token);
  const twice = anIssue();
  await record(twice, twice, twice);
  const last = await settle(stream);
  assert.deepEqual(idsOf(stream), [twice.id, last]);
  await record(...Array.from({ length: 1_001 }, () => anIssue()));
  await stream.waitFor(({ event }) => event === "reset");
  assert.equal(stream.events.length, 3);
});

test("after a database outage the streams continue and miss nothing", async () => {
  const stream = await listenAs(live.token);
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
    live.project.id,
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
  const stream = await listenAs(live.token);
  const [slow, quick] = [anIssue(), anIssue()];
  const commitSlow = await openTransaction(slow);
  const commitQuick = await openTransaction(quick);
  await commitQuick();
  await stream.waitFor(({ data }) => data.id === quick.id);
  assert.ok(!idsOf(stream).includes(slow.id), "not before it is committed, and nobody waits for it");
  const between = await settle(stream);
  const lastId = stream.lastId() as string;
  await commitSlow();
  await stream.waitFor(({ data }) => data.id === slow.id);
  assert.deepEqual(idsOf(stream), [quick.id, between, slow.id]);
  const back = await listenAs(live.token, { lastId });
  await back.waitFor(({ data }) => data.id === slow.id);
  assert.deepEqual(idsOf(back), [slow.id]);
});
