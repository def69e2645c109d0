import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { waitUntil } from "../../../test/support/eventually.ts";
import { idsOf, LIVE, serve, useLiveStreams } from "../../../test/support/live-streams.ts";
import { makeCookie, makeMember, makeUser } from "../../../test/support/make.ts";
import { openAppOn } from "../../../test/support/test-app.ts";
import { sha256 } from "../access/tokens.ts";

const live = await useLiveStreams();
const { t, otherBase, listenWith, listenAs, tokenOf, anIssue, nextId, record, settle } = live;

test("a revoked token ends its stream on every process", async () => {
  const streams = [await listenAs(live.token), await listenAs(live.token, { at: otherBase })];
  const healthy = await listenAs(await tokenOf(live.user.id));
  await t.db
    .updateTable("personal_tokens")
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where("token_hash", "=", sha256(live.token))
    .execute();
  await Promise.all(streams.map((stream) => stream.ended));
  await settle(healthy);
});

test("a session that was signed out ends its stream", async () => {
  const cookie = await makeCookie(t.db, live.user.id);
  const stream = await listenWith({ cookie }, { at: otherBase });
  assert.equal((await t.http.withCookie(cookie).delete("/api/session")).status, 204);
  await stream.ended;
});

test("a user who is removed from the project receives no more of its changes", async () => {
  const stream = await listenAs(live.token, { at: otherBase });
  await settle(stream);
  await t.db.deleteFrom("project_members").where("user_id", "=", live.user.id).execute();
  const mine = { kind: "notification", project_id: null, user_id: live.user.id } as const;
  await waitUntil(async () => {
    const canary = anIssue();
    const end = { ...mine, id: nextId() };
    await record(canary, end);
    await stream.waitFor(({ data }) => data.id === end.id);
    return !idsOf(stream).includes(canary.id);
  }, "it still hears of the project");
});

test("a user who is added to a project receives its changes immediately, and so do its members", async () => {
  const newcomer = await makeUser(t.db);
  const streams = [await listenAs(await tokenOf(newcomer.id)), await listenAs(live.token)];
  await makeMember(t.db, live.project.id, { user: newcomer });
  for (const stream of streams)
    await stream.waitFor(({ data }) => data.kind === "project" && data.id === live.project.id);
});

test("a credential has at most ten streams, and closing one allows another", async () => {
  const streams = [];
  for (let i = 0; i < 10; i++) streams.push(await listenAs(live.token));
  const refused = await listenAs(live.token);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "5");
  assert.equal((await listenAs(await tokenOf(live.user.id))).status, 200);
  streams[0]?.close();
  await waitUntil(async () => (await listenAs(live.token)).status === 200);
});

test("a user has a limited number of streams with all credentials together", async () => {
  const third = await openAppOn(t.database.url, {}, { live: { ...LIVE, maxStreamsOfUser: 2 } });
  const at = await serve(third);
  const streams = [await listenAs(live.token, { at }), await listenAs(await tokenOf(live.user.id), { at })];
  const refused = await listenAs(await tokenOf(live.user.id), { at });
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "5"]);
  assert.equal((await listenAs(await tokenOf((await makeUser(t.db)).id), { at })).status, 200);
  streams[0]?.close();
  await waitUntil(async () => (await listenAs(live.token, { at })).status === 200);
  await third.close();
});

test("stopping the server ends all streams", async () => {
  const third = await openAppOn(t.database.url, {}, { live: LIVE });
  const stream = await listenAs(live.token, { at: await serve(third) });
  await settle(stream);
  await Promise.all([third.close(), stream.ended]);
});
