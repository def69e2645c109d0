import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { idsOf, useLiveStreams } from "../../../test/support/live-streams.ts";
import { makeProject } from "../../../test/support/make.ts";

const live = await useLiveStreams();
const { t, base, otherBase, listenAs, anIssue, record, settle } = live;

test("a client that reconnects receives what it missed exactly once, from any process", async () => {
  const stream = await listenAs(live.token);
  await settle(stream);
  const lastId = stream.lastId() as string;
  stream.close();
  const missed = [anIssue(), anIssue()];
  await record(...missed);
  await record(anIssue({ project_id: (await makeProject(t.db, live.workspace.id)).id }));
  for (const at of [base, otherBase]) {
    const back = await listenAs(live.token, { at, lastId });
    const last = await settle(back);
    assert.deepEqual(
      idsOf(back).slice(0, 2),
      missed.map((change) => change.id),
    );
    assert.equal(idsOf(back).filter((id) => id === last).length, 1);
    assert.equal(new Set(idsOf(back)).size, idsOf(back).length);
  }
});

test("a new connection continues after the event named in its URL, unless it names a later one in its header", async () => {
  const stream = await listenAs(live.token);
  await settle(stream);
  const query = `?after=${encodeURIComponent(stream.lastId() as string)}`;
  const missed = await settle(stream);
  const lastId = stream.lastId() as string;
  const later = await settle(stream);
  const [back, again] = [
    await listenAs(live.token, { query }),
    await listenAs(live.token, { query, lastId }),
  ];
  for (const one of [back, again]) await one.waitFor(({ data }) => data.id === later);
  assert.deepEqual([idsOf(back), idsOf(again)], [[missed, later], [later]]);
});

test("a new connection starts with the changes of the last seconds, if it asks for them", async () => {
  const [old, recent] = [anIssue(), anIssue()];
  await record(old, recent, anIssue({ project_id: (await makeProject(t.db, live.workspace.id)).id }));
  await sql`update changes set created_at = now() - interval '1 minute' where target_id = ${old.id}`.execute(
    t.db,
  );
  const stream = await listenAs(live.token, { query: "?recent=30" });
  const last = await settle(stream);
  assert.deepEqual(idsOf(stream), [recent.id, last]);
  const without = await listenAs(live.token);
  assert.deepEqual(idsOf(without), []);
  assert.equal((await listenAs(live.token, { query: "?recent=61" })).status, 422);
  await record(...Array.from({ length: 1_001 }, () => anIssue()));
  const behind = await listenAs(live.token, { query: "?recent=60" });
  await behind.waitFor(({ event }) => event === "reset");
});

test("heartbeats move the position of an idle connection", async () => {
  const stream = await listenAs(live.token);
  const first = stream.lastId();
  assert.match(first ?? "", /^\d+\.\d+:\d+:/);
  await record(anIssue({ project_id: (await makeProject(t.db, live.workspace.id)).id }));
  await stream.waitForText(() => stream.lastId() !== first);
  assert.deepEqual(stream.events, []);
  assert.match(stream.text(), /^retry: 2000\n/);
});

test("a position that is too old, from another database or invalid is answered with a reset", async () => {
  const stream = await listenAs(live.token);
  const [second, snapshot] = (stream.lastId() as string).split(/\.(.*)/s) as [string, string];
  for (const lastId of [
    `${Number(second) - 301}.${snapshot}`,
    `${second}.999999999:999999999:`,
    `${second}.20:10:`,
    `${second}.10:20:15,12`,
    "12",
    "x; drop table changes",
  ]) {
    const back = await listenAs(live.token, { lastId });
    await back.waitFor(({ event }) => event === "reset");
    await settle(back);
    assert.equal(back.events.length, 2, lastId);
  }
  const recent = await listenAs(live.token, { lastId: `${Number(second) - 200}.${snapshot}` });
  await settle(recent);
  assert.ok(!recent.events.some(({ event }) => event === "reset"));
});
