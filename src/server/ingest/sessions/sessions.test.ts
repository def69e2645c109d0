import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { makeIngestKey, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { envelope } from "../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ReleaseHealth } from "../../../shared/release-health.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const idOf = () => randomUUID().replaceAll("-", "");

const HOUR = 3_600_000;
const timeAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** A new project, and how to send sessions to it. They are written within ten seconds. */
async function open(of = workspace) {
  const project = await openProject(t, of);
  const key = await makeIngestKey(t.db, project.id);
  const url = `/api/${project.id}/envelope/?sentry_key=${key}`;
  const send = async (...items: object[]) => {
    const payload = envelope(
      items.map((item) => ({
        header: { type: "aggregates" in item ? "sessions" : "session" },
        payload: JSON.stringify({ attrs: { release: "1.0.0" }, started: timeAgo(0), ...item }),
      })),
    );
    const answer = await t.http.send({ method: "POST", url, payload });
    assert.deepEqual([answer.status, answer.body], [200, {}]);
  };
  const releases = `/api/projects/${project.id}/releases`;
  const healthOf = async (version = "1.0.0", query = "") => {
    const answer = await project.admin.get(`${releases}/${encodeURIComponent(version)}${query}`);
    return (answer.body.health ?? {}) as Partial<ReleaseHealth>;
  };
  /** Waits for the number of sessions, and of those that errored, crashed and ended abnormally. */
  const counted = (expected: [number, number, number, number], version?: string, query?: string) =>
    eventually(async () => {
      const { sessions, errored, crashed, abnormal } = await healthOf(version, query);
      return [sessions, errored, crashed, abnormal];
    }, expected);
  const usage = async (outcome: string) =>
    (await project.admin.get(`/api/projects/${project.id}/usage?days=1`)).body.data.at(-1)?.[
      outcome
    ] as number;
  return { ...project, send, healthOf, counted, usage, releases };
}

// Together, because each waits for the next write.
describe("sessions of Sentry envelopes", { concurrency: true }, () => {
  test("a session counts with its first update, and its release becomes known", async () => {
    const { send, counted, admin, releases } = await open();
    await send({ sid: idOf(), init: true, status: "ok", errors: 0, attrs: { release: "shop@1.4.2" } });
    await counted([1, 0, 0, 0], "shop@1.4.2");
    const [release] = (await admin.get(releases)).body.data;
    assert.equal(release.version, "shop@1.4.2");
    assert.notEqual(release.first_seen_at, null);
  });

  test("several updates with errors count a session as errored once", async () => {
    const { send, counted } = await open();
    const session = { sid: idOf(), started: timeAgo(0) };
    await send(
      { ...session, init: true, status: "ok", errors: 0, seq: 0 },
      { ...session, status: "ok", errors: 1, seq: 1 },
    );
    await send({ ...session, status: "exited", errors: 3, seq: 2 });
    await counted([1, 1, 0, 0]);
  });

  test("a session that crashes after an error counts as crashed only", async () => {
    const { send, counted } = await open();
    const session = { sid: idOf(), started: timeAgo(0) };
    await send({ ...session, init: true, status: "ok", errors: 1, seq: 0 });
    await send({ ...session, status: "crashed", errors: 2, seq: 1 });
    await counted([1, 0, 1, 0]);
  });

  test("abnormal sessions count apart, and unhandled errors as errors", async () => {
    const { send, counted } = await open();
    await send(
      { sid: idOf(), init: true, status: "abnormal", errors: 0 },
      { sid: idOf(), init: true, status: "unhandled", errors: 0 },
    );
    await counted([2, 1, 0, 1]);
  });

  test("an update that is sent again counts once", async () => {
    const { send, counted } = await open();
    const session = { sid: idOf(), started: timeAgo(0), timestamp: timeAgo(0), init: true, status: "ok" };
    await send(session);
    await send(session, { ...session, sid: idOf(), seq: 4 });
    await counted([2, 0, 0, 0]);
  });

  test("two different updates of the same millisecond both count", async () => {
    const { send, counted } = await open();
    const session = { sid: idOf(), started: timeAgo(0), timestamp: timeAgo(0) };
    await send(
      { ...session, init: true, status: "ok", errors: 0 },
      { ...session, status: "crashed", errors: 1 },
    );
    await counted([1, 0, 1, 0]);
  });

  test("aggregates count what a server has counted", async () => {
    const { send, counted } = await open();
    await send({
      aggregates: [
        { started: timeAgo(0), exited: 10, errored: 3, crashed: 2, abnormal: 1, unhandled: 4 },
        { started: timeAgo(30), exited: 5 },
        { started: timeAgo(1), exited: "many", errored: -1, crashed: 1.5 },
      ],
    });
    await counted([25, 7, 2, 1]);
  });

  test("sessions without a release, without an id or from long ago are discarded", async () => {
    const { send, usage, admin, releases } = await open();
    const session = { sid: idOf(), init: true, status: "ok" };
    await send(
      { ...session, attrs: {} },
      { ...session, sid: 5 },
      { ...session, started: timeAgo(90 * 24) },
      { ...session, started: "yesterday" },
      { aggregates: [] },
      { aggregates: [{ started: timeAgo(0), exited: 1 }], attrs: { release: " " } },
    );
    await eventually(() => usage("discarded"), 6);
    assert.deepEqual((await admin.get(releases)).body.data, []);
  });

  test("a session whose start is in the future counts as started now", async () => {
    const { send, counted } = await open();
    await send({ sid: idOf(), init: true, status: "ok", started: timeAgo(-48) });
    await counted([1, 0, 0, 0]);
  });

  test("sessions are discarded while error tracking is off", async () => {
    const own = await makeWorkspace(t.db);
    const { send, usage, id } = await open(own);
    const setTo = (error_tracking_enabled: boolean) =>
      t.db.updateTable("workspaces").set({ error_tracking_enabled }).where("id", "=", own.id).execute();
    await setTo(false);
    await send({ sid: idOf(), init: true, status: "ok" });
    await setTo(true);
    await eventually(() => usage("discarded"), 1);
    const { rows } = await t.database.pool.query("select from releases where project_id = $1", [id]);
    assert.equal(rows.length, 0);
  });

  test("the environment defaults to production and can be asked for", async () => {
    const { send, counted, healthOf } = await open();
    const session = { init: true, status: "ok" };
    await send(
      { ...session, sid: idOf() },
      { ...session, sid: idOf(), attrs: { release: "1.0.0", environment: "staging" } },
      { ...session, sid: idOf(), attrs: { release: "2.0.0", environment: "staging" } },
    );
    await counted([2, 0, 0, 0]);
    await counted([1, 0, 0, 0], "1.0.0", "?environment=production");
    assert.equal((await healthOf("1.0.0", "?environment=production")).adoption, 1);
    assert.equal((await healthOf("1.0.0", "?environment=staging")).adoption, 0.5);
  });

  test("users count once, whatever they are called is not stored", async () => {
    const { send, healthOf } = await open();
    const session = { init: true, status: "ok" };
    await send(
      { ...session, sid: idOf(), did: "grace-hopper" },
      { ...session, sid: idOf(), did: "ada-lovelace" },
    );
    await send({ ...session, sid: idOf(), did: "ada-lovelace", status: "crashed" });
    await send({ aggregates: [{ started: timeAgo(0), did: "ada-lovelace", crashed: 1 }] });
    await eventually(async () => {
      const { users, crash_free_users, users_exact } = await healthOf();
      return [users, crash_free_users, users_exact];
    }, [2, 0.5, true]);
    const { rows } = await t.database.pool.query("select release_users::text as row from release_users");
    assert.ok(rows.every(({ row }) => !/ada|grace/.test(row)));
  });

  test("rates are null without sessions", async () => {
    const { healthOf, first } = await open();
    await first({ release: "1.0.0" });
    assert.deepEqual(await healthOf(), {
      sessions: 0,
      errored: 0,
      crashed: 0,
      abnormal: 0,
      crash_free_sessions: null,
      users: 0,
      crash_free_users: null,
      users_exact: true,
      adoption: null,
    });
  });

  test("an unknown key is refused", async () => {
    const { id } = await open();
    const payload = envelope([{ header: { type: "session" }, payload: "{}" }]);
    const url = `/api/${id}/envelope/?sentry_key=${"0".repeat(32)}`;
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 403);
  });
});
