import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../../test/support/error-events.ts";
import { eventually, waitUntil } from "../../../../test/support/eventually.ts";
import { startIngestion } from "../../../../test/support/ingestion.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { png } from "../../../../test/support/images.ts";
import { envelope, eventEnvelope } from "../../../../test/support/sentry.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { RateLimiter } from "../../limits/rate-limit.ts";
import { UsageCounter } from "../../record/usage-counter.ts";
import { NewGroups } from "./new-groups.ts";

const MIB = 1_048_576;
const t = await useTestApp({ PROJECT_EVENT_STORAGE_MB: "1" });
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));

let id: number;
beforeEach(async () => {
  ({ id } = await makeProject(t.db, workspace.id));
});

const random = (bytes: number) => randomBytes((bytes * 3) / 4).toString("base64");

/** What the project's error groups and kept events contain. */
async function storedBytes(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(octet_length(g.latest_message) + octet_length(d.stack_trace)
        + octet_length(d.previous_exceptions) + octet_length(d.message) + coalesce(octet_length(d.additions), 0)), 0)
      from error_groups g join error_group_details d on d.group_id = g.id where g.project_id = ${id})
    + (select coalesce(sum(octet_length(e.stack_trace) + octet_length(e.previous_exceptions) + octet_length(e.message)
        + coalesce(octet_length(e.additions), 0)), 0)
      from error_events e join error_groups g on g.id = e.group_id where g.project_id = ${id}) as bytes`.execute(
    t.db,
  );
  return Number(rows[0]?.bytes);
}

const groupsOf = async () => {
  const { rows } = await sql<{
    exception_class: string;
    count: number;
    kept: number;
    trace: string;
    chain: unknown[];
  }>`
    select g.exception_class, g.occurrence_count as count, d.stack_trace as trace, d.previous_exceptions::json as chain,
      (select count(*) from error_events e where e.group_id = g.id)
        + (d.reason > 0 or d.is_release_kept)::int as kept
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.project_id = ${id} order by g.id`.execute(t.db);
  return rows;
};

const today = async () => {
  const { body } = await admin.get(`/api/projects/${id}/usage?days=1`);
  return { ...body.data[0], storage_quota: body.storage_quota } as Record<string, number>;
};

const frames = (n: number) =>
  [
    `at pay${n} (/srv/shop/pay.js:1:1)`,
    ...Array.from({ length: 100 }, () => `at ${random(900)} (x.js)`),
  ].join("\n");

const large = (n: number) =>
  anEvent({
    exception_class: `Failed${n}`,
    message: random(60_000),
    stack_trace: frames(n),
    previous_exceptions: Array.from({ length: 5 }, () => ({
      exception_class: "Cause",
      message: random(20_000),
      stack_trace: random(100_000),
    })),
  });

test("large events that each create a group stop growing the database, and are all counted", async () => {
  const key = await makeIngestKey(t.db, id);
  const token = await makeProjectToken(t.db, id, workspace.admin.id);
  for (const secret of [key, token]) {
    const client = t.http.as(secret);
    for (let n = 0; n < 10; n++) {
      const event = large(secret === key ? n : 100 + n);
      assert.equal((await client.post(`/api/projects/${id}/error-events`, event)).status, 202);
    }
  }
  const bytes = await storedBytes();
  assert.ok(bytes > 0.5 * MIB && bytes < 3 * MIB, String(bytes));
  const groups = await groupsOf();
  assert.deepEqual(
    groups.map(({ count }) => count),
    Array(20).fill(1),
  );
  const last = groups.at(-1);
  assert.equal(last?.exception_class, "Failed109");
  assert.match(last.trace, /^at pay109 \(\/srv\/shop\/pay\.js/);
  assert.ok(last.trace.length <= 2_048 && JSON.stringify(last.chain).length < 2_000);
  assert.equal(last.kept, 0);
  await eventually(async () => (await today())["accepted"], 20);
  const { trimmed = 0, kept = 0, stored_bytes = 0, storage_quota } = await today();
  assert.equal(trimmed + kept, 20);
  assert.ok(trimmed >= 15 && stored_bytes >= MIB && stored_bytes < 3 * MIB, `${trimmed}, ${stored_bytes}`);
  assert.equal(storage_quota, MIB);
});

test("large envelopes of a Sentry SDK stop growing the database", async () => {
  const url = `/api/${id}/envelope/?sentry_key=${await makeIngestKey(t.db, id)}`;
  for (let n = 0; n < 20; n++) {
    const payload = eventEnvelope({
      exception: { values: [{ type: `Failed${n}`, value: random(60_000) }] },
      extra: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`part${at}`, random(14_000)])),
    });
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 200);
  }
  const bytes = await storedBytes();
  assert.ok(bytes > 0.5 * MIB && bytes < 2 * MIB, String(bytes));
  assert.equal((await groupsOf()).length, 20);
});

test("large events cannot replace small ones without being counted", async () => {
  const client = t.http.as(await makeIngestKey(t.db, id));
  const send = (event: object) => client.post(`/api/projects/${id}/error-events`, event);
  for (let n = 0; n < 4; n++) {
    const { message: _, previous_exceptions: __, ...small } = large(n);
    // The first ten are kept, and the eleventh is not.
    for (let event = 0; event < 11; event++) await send({ ...small, stack_trace: `at pay${n} (x.js)` });
  }
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 4; n++) await send({ ...large(n), stack_trace: `at pay${n} (x.js)` });
  assert.ok((await storedBytes()) < 2.5 * MIB);
  await waitUntil(async () => (await today())["trimmed"] !== 0);
});

test("feedback counts as stored, and while the storage is full it has a short text and no images", async () => {
  const url = `/api/${id}/envelope/?sentry_key=${await makeIngestKey(t.db, id)}`;
  const image = await png();
  const send = async (title: string) => {
    const message = `${title}\n${"words ".repeat(1_000)}`;
    const payload = envelope([
      { header: { type: "feedback" }, payload: JSON.stringify({ contexts: { feedback: { message } } }) },
      { header: { type: "attachment", filename: "a.png" }, payload: image },
    ]);
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 200);
  };
  await send("First");
  await eventually(async () => (await today())["stored_bytes"]! > image.length + 6_000, true);
  await t.db.updateTable("project_usage").where("project_id", "=", id).set({ stored_bytes: MIB }).execute();
  await send("Second");
  await eventually(async () => (await today())["stored_bytes"]! > MIB, true);
  await send("Third");
  const { rows } = await sql<{ title: string; files: number; length: number }>`
    select title, (select count(*) from attachments a where a.report_id = r.id) as files,
      octet_length(description) as length
    from reports r where project_id = ${id} order by id`.execute(t.db);
  assert.deepEqual(
    rows.map(({ title, files }) => [title, files]),
    [
      ["First", 1],
      ["Second", 1],
      ["Third", 0],
    ],
  );
  assert.ok(rows[0]!.length > 6_000 && rows[2]!.length <= 2_048);
});

test("events of known groups that are not kept do not use up the storage", async () => {
  const usage = new UsageCounter(t.db);
  const { add, heard } = startIngestion(t, { usage });
  for (let n = 0; n < 40; n++) await add(id, { release: `4.${n % 2}.0` });
  const grown = heard.filter(({ bytes }) => bytes > 0);
  assert.equal(grown.length, 10);
  await usage.close();
});

test("in a group with a hundred kept events, a kept one only counts what it exceeds those by", async () => {
  const { add, heard } = startIngestion(t);
  for (let n = 0; n < 11; n++) await add(id);
  await sql`
    insert into error_events select (jsonb_populate_record(e, jsonb_build_object('id', n, 'reason', 1))).*
    from error_events e join error_groups g on g.id = e.group_id, generate_series(1000000000, 1000000098) n
    where g.project_id = ${id} and e.id = (select min(id) from error_events x where x.group_id = g.id)`.execute(
    t.db,
  );
  await sql`
    update error_groups set occurrence_count = 200, last_kept_at = last_kept_at - interval '2 minutes'
    where project_id = ${id}`.execute(t.db);
  await add(id);
  const { kept, bytes } = heard.at(-1) ?? {};
  assert.equal(kept, 1);
  assert.ok(bytes !== undefined && bytes < 100, String(bytes));
});

test("the storage of a day is shared by all processes, and a new day begins empty", async () => {
  const options = { storageQuota: 1_000 };
  const [one, other] = [new UsageCounter(t.db, options), new UsageCounter(t.db, options)];
  one.add(id, "stored_bytes", 999);
  assert.equal(one.isStorageFull(id), false);
  await one.close();
  assert.equal(other.isStorageFull(id), false);
  other.add(id, "stored_bytes", 1);
  await other.close();
  assert.equal(other.isStorageFull(id), true);
  await sql`update project_usage set day = day - 1 where project_id = ${id}`.execute(t.db);
  other.add(id, "accepted");
  await other.close();
  assert.equal(other.isStorageFull(id), false);
});

test("a client that creates more than 300 groups a minute adds further ones without details, and others do not", async () => {
  const newGroups = new NewGroups(new RateLimiter(t.database.pool), 1_000);
  const { add } = startIngestion(t, { newGroups });
  const named = (n: number | string, more = {}) => ({ exception_class: `Failed${n}`, ...more });
  for (let n = 0; n < 12; n++) await add(id, named("Often"), "flood");
  await Promise.all(Array.from({ length: 301 }, (_, n) => add(id, named(n), "flood")));
  await waitUntil(() => newGroups.isLimited("flood"));
  const stack_trace = `at charge (pay.js:1:1)\n${"at handle (shop.js:2:2)\n".repeat(200)}`;
  await add(id, named("Flood", { stack_trace }), "flood");
  await add(id, named("Other", { stack_trace }), "other");
  await add(id, named("Often", { message: "x".repeat(3_000) }), "flood");
  const groups = new Map((await groupsOf()).map((group) => [group.exception_class, group]));
  assert.equal(groups.size, 304);
  const flood = groups.get("FailedFlood");
  assert.deepEqual([flood?.count, flood?.kept, flood?.trace.length], [1, 0, 2_048]);
  const other = groups.get("FailedOther");
  assert.deepEqual([other?.count, other?.kept, other?.trace.length], [1, 1, stack_trace.length]);
  assert.equal(groups.get("FailedOften")?.count, 13);
});
