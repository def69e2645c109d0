import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { queryKeepingConnection } from "../../db/query-keeping-connection.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";
import { KnownAliases } from "./known-aliases.ts";
import { KnownGroups } from "./known-groups.ts";
import { readEvent } from "../read/read-event.ts";
import { MAX_STORED } from "../../errors/groups/max-stored.ts";
import { storeEvents, type StoredGroup } from "./store-events.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const query = queryKeepingConnection(t.database.ingest);

/** A project whose groups the process remembers between batches, or stores each time with the statement for all groups. */
async function openProject(isRemembered: boolean) {
  const { id } = await makeProject(t.db, workspace.id);
  const known = new KnownGroups();
  const aliases = new KnownAliases();
  const store = (events: object[]) => {
    const arrivals = events.map((event) => arrivalOf(id, event));
    return storeEvents(query, 90, arrivals, isRemembered ? known : asUnusual(arrivals), aliases);
  };
  const edit = (set: RawBuilder<unknown>) =>
    sql`update error_groups set ${set} where project_id = ${id}`.execute(t.db);
  return { id, store, edit, read: () => readRows(id) };
}

const arrivalOf = (projectId: number, event: object): Arrival => ({
  projectId,
  event: readEvent(Buffer.from(JSON.stringify(anEvent({ ...event })))),
  size: 1,
});

/** A process that believes that no group is open, so it uses neither the shorter statements nor the function for one event. */
function asUnusual(arrivals: Arrival[]): KnownGroups {
  const known = new KnownGroups();
  for (const { projectId, event } of arrivals)
    known.add(groupOf(projectId, event), { is_past_first: false, is_ordinary: false });
  return known;
}

/** What is stored of the project's groups, except ids and times. */
async function readRows(projectId: number) {
  const { rows } = await sql<{ stored: unknown }>`
    select json_build_object(
      'group', to_jsonb(g) - array['id', 'project_id', 'key', 'first_seen_at', 'last_seen_at', 'updated_at', 'last_seen_span',
        'last_kept_at', 'resolved_at', 'regressed_at'],
      'regressed', g.regressed_at = g.last_seen_at,
      'releases', (select json_agg(json_build_array(release, occurrence_count) order by appearance)
        from error_group_releases where group_id = g.id),
      'hosts', (select json_agg(json_build_array(name, count) order by name) from error_group_hosts where group_id = g.id),
      'users', (select count(*) from error_group_users where group_id = g.id),
      'counts', (select json_build_array(users, releases, hosts) from error_group_counts where group_id = g.id),
      'details', (select to_jsonb(d) - array['group_id', 'event', 'received_at'] from error_group_details d
        where group_id = g.id),
      'kept', (select json_agg(to_jsonb(e) - array['id', 'group_id', 'received_at'] order by id)
        from (select k.*, coalesce(e.reason, -1) as reason from kept_events k left join error_events e using (group_id, id)
          where k.group_id = g.id) e),
      'event_ids', (select count(*) from error_event_ids where group_id = g.id),
      'release_events', (select json_agg(json_build_array(r.version, c.events, c.new_groups, c.regressed_groups) order by r.version)
        from releases r join (
          select release_id, sum(events) as events, sum(new_groups) as new_groups, sum(regressed_groups) as regressed_groups
          from release_counts group by release_id) c on c.release_id = r.id
        where r.project_id = g.project_id),
      'times', ${TIMES},
      'activity', (select json_agg(json_build_array(kind, "from", "to") order by id) from error_group_activity
        where group_id = g.id)) as stored
    from error_groups g where g.project_id = ${projectId} order by g.exception_class`.execute(t.db);
  return rows;
}

/** Which times are that of the latest event. */
const TIMES = sql`json_build_object(
  'updated_at', g.updated_at = g.last_seen_at,
  'last_kept_at', g.last_kept_at = g.last_seen_at,
  'last_seen_span', g.last_seen_span = date_bin('10 minutes', g.last_seen_at, 'epoch'),
  'received_at', (select received_at = g.last_seen_at from error_group_details where group_id = g.id),
  'releases', (select json_agg(json_build_array(first_seen_at = g.last_seen_at, last_seen_at = g.last_seen_at) order by appearance)
    from error_group_releases where group_id = g.id),
  'hosts', (select json_agg(last_seen_at = g.last_seen_at order by name) from error_group_hosts where group_id = g.id),
  'users', (select json_agg(json_build_array(encode(user_hash, 'hex'), last_seen_at = g.last_seen_at) order by user_hash)
    from error_group_users where group_id = g.id),
  'users_seen_since', (select users_seen_since in (select last_seen_at from error_group_users where group_id = g.id)
    from error_group_counts where group_id = g.id),
  'event_ids', (select json_agg(received_at = g.last_seen_at order by received_at) from error_event_ids where group_id = g.id))`;

/**
 * Fails unless a process that remembers the groups stores the same as one that does not. Events are counted per ten minutes and day, so
 * a comparison during which these end is repeated.
 */
async function assertSame(read: (isRemembered: boolean) => Promise<unknown>): Promise<void> {
  const before = await currentSpan();
  const [remembered, other] = [await read(true), await read(false)];
  if ((await currentSpan()) === before) assert.deepEqual(remembered, other);
  else await assertSame(read);
}

async function currentSpan(): Promise<string | undefined> {
  const { rows } = await sql<{ span: string }>`
    select date_bin('10 minutes', clock_timestamp(), 'epoch')::text as span`.execute(t.db);
  return rows[0]?.span;
}

const MANY = Array.from({ length: 12 }, (_, n) => ({ message: `Event ${n}`, host: "web-1", release: "1.0" }));
const USER = { user_hash: "a".repeat(64) };

/** What a person or the passage of time may change between two batches. */
const CHANGES: Record<string, RawBuilder<unknown>> = {
  nothing: sql`updated_at = updated_at`,
  "that the group was resolved": sql`status = 1, resolved_at = now(), resolved_release = '1.0'`,
  "that it was resolved in another release": sql`status = 1, resolved_at = now(), resolved_release = '0.9'`,
  "that it was ignored": sql`status = 2`,
  "that it was snoozed until an event": sql`status = 2, snoozed_until = '{"count": 1}', snooze_ends_count = 1`,
  "that a day has passed": sql`last_seen_at = last_seen_at - interval '1 day'`,
  "that weeks have passed": sql`last_seen_at = last_seen_at - interval '20 days'`,
  "that months have passed": sql`last_seen_at = last_seen_at - interval '200 days'`,
  "that its last span is over": sql`last_seen_span = last_seen_span - interval '10 minutes'`,
};

const AFTER: Record<string, unknown>[] = [
  { message: "After the change", release: "1.0", host: "web-3", ...USER },
  { message: "And again", release: "1.0", level: "warning", runtime: { name: "php" } },
];

/** Several events in a batch, or one after the other, which is stored by a statement of its own. */
const BATCHES = { "in one batch": [AFTER], "one by one": AFTER.map((event) => [event]) };

for (const [change, set] of Object.entries(CHANGES))
  for (const [how, batches] of Object.entries(BATCHES))
    test(`a process that remembers the groups stores the same as one that does not: ${change}, ${how}`, async () => {
      const read = async (isRemembered: boolean) => {
        const project = await openProject(isRemembered);
        await project.store(MANY);
        await project.store([...MANY, { exception_class: "Other" }]);
        await project.store([
          { host: "web-2", ...USER },
          { host: "web-1", release: "1.1" },
        ]);
        for (const { host, release } of AFTER) await project.store([{ host, release }]);
        await project.edit(set);
        const stored: StoredGroup[] = [];
        for (const batch of batches) stored.push(...(await project.store(batch)));
        await project.store([{ context: { kind: "command", name: "import" } }]);
        const results = stored.map(({ stored: count, kept, is_new, is_regressed }) => [
          count,
          kept,
          is_new,
          is_regressed,
        ]);
        return { rows: await project.read(), results };
      };
      await assertSame(read);
    });

const SINGLE: Record<string, object[]> = {
  "of a known host, release and user": [{ host: "web-1", release: "1.0", ...USER }],
  "with all fields": [
    {
      host: "web-1",
      release: "1.0",
      level: "info",
      exception_code: "7",
      runtime: { name: "php", version: "8.4" },
      framework: { name: "laravel", version: "12" },
      memory_peak_bytes: 1,
      memory_limit_bytes: 2,
      context: { kind: "route", method: "GET", pattern: "/a/{id}", response_status: 500 },
      tags: { a: "b" },
      extra: { c: [1] },
      previous_exceptions: [{ exception_class: "A", message: "b", stack_trace: "c" }],
    },
  ],
  "of a new user": [{ host: "web-1", release: "1.0", user_hash: "b".repeat(64) }],
  "of a new host": [{ host: "web-9", release: "1.0" }],
  "of a new release": [{ host: "web-1", release: "9.0" }, { release: "9.0" }],
  "with neither host nor release": [{}, {}],
  "with an id": [{ host: "web-1", release: "1.0", event_id: "f".repeat(32) }],
};

for (const [what, events] of Object.entries(SINGLE))
  test(`a single event of a known group is stored like one in a batch: ${what}`, async () => {
    const read = async (isRemembered: boolean) => {
      const project = await openProject(isRemembered);
      await project.store([...MANY, { host: "web-1", release: "1.0", ...USER }]);
      for (const event of events) await project.store([event]);
      return project.read();
    };
    await assertSame(read);
  });

/** From a group's second event until after its first ten, with what is kept of them. */
const YOUNG = [
  ...Object.values(SINGLE).flat(),
  ...Array.from({ length: 8 }, (_, n) => ({
    message: `Event ${n}`,
    release: `${n % 3}.0`,
    host: "web-2",
    tags: { n: String(n) },
  })),
];

for (const size of [1, 2, 5])
  test(`the events of a new group are stored as by the statement for all groups, ${size} at once`, () =>
    assertSame(async (isRemembered) => {
      const project = await openProject(isRemembered);
      await project.store([{ release: "1.0", ...USER }, { exception_class: "Other" }]);
      for (let n = 0; n < YOUNG.length; n += size)
        await project.store([
          ...YOUNG.slice(n, n + size),
          ...(size > 1 ? [{ exception_class: "Other" }] : []),
        ]);
      return project.read();
    }));

for (const table of ["error_group_hosts", "error_group_releases", "error_group_counts", "release_counts"])
  test(`a single event of a known group is stored if what it counts in was deleted: ${table}`, async () => {
    const read = async (isRemembered: boolean) => {
      const project = await openProject(isRemembered);
      await project.store(MANY);
      const ofGroup = sql`group_id in (select id from error_groups where project_id = ${project.id})`;
      const ofRelease = sql`release_id in (select id from releases where project_id = ${project.id})`;
      await sql`delete from ${sql.table(table)} where ${table === "release_counts" ? ofRelease : ofGroup}`.execute(
        t.db,
      );
      await project.store([{ host: "web-1", release: "1.0", ...USER }]);
      return project.read();
    };
    await assertSame(read);
  });

/** The names of the statements that were sent. */
const namesOf = ({ calls }: { calls: readonly { arguments: unknown[] }[] }) =>
  calls.map(({ arguments: [config] }) => (config as { name?: string }).name);

test("a single event of an open group takes one small statement, known or not", async ({ mock }) => {
  const { id, store } = await openProject(true);
  await store([{ release: "1.0" }]);
  const { mock: calls } = mock.method(pg.Client.prototype, "query");
  const known = new KnownGroups();
  for (const event of [{}, { host: "web-1", release: "1.0", ...USER }, { event_id: "d".repeat(32) }])
    await storeEvents(query, 90, [arrivalOf(id, event)], known);
  assert.deepEqual(namesOf(calls), ["store-event", "store-event", "store-event"]);
});

test("an event of a group that is known not to be open takes one statement", async ({ mock }) => {
  const project = await openProject(true);
  await project.store([{}]);
  await project.edit(sql`status = 2`);
  await project.store([{}]);
  const { mock: calls } = mock.method(pg.Client.prototype, "query");
  await project.store([{}]);
  assert.deepEqual(namesOf(calls), ["store-events-changes"]);
});

test("batches of every kind share four statements, and single events have one", async ({ mock }) => {
  const { mock: calls } = mock.method(pg.Client.prototype, "query");
  for (const isRemembered of [false, true]) {
    const project = await openProject(isRemembered);
    await project.store(MANY);
    for (const events of [[{}], [{}, {}], [{}, { release: "2.0" }], [{ event_id: "1".repeat(32) }, {}]])
      await project.store(events);
  }
  assert.deepEqual([...new Set(namesOf(calls))].filter((name) => name?.startsWith("store-")).toSorted(), [
    "store-event",
    "store-events",
    "store-events-changes",
    "store-events-changes-further",
    "store-events-further",
  ]);
});

test("a known group with as many users as are stored gets no further ones", async () => {
  const project = await openProject(true);
  await project.store([...MANY, { ...USER }]);
  await sql`update error_group_counts set users = ${MAX_STORED.users}
    where group_id in (select id from error_groups where project_id = ${project.id})`.execute(t.db);
  for (const user_hash of [USER.user_hash, "c".repeat(64)])
    await project.store([{ host: "web-1", release: "1.0", user_hash }]);
  const { rows } = await sql<{ occurrence_count: number; users: number }>`
    select g.occurrence_count, (select count(*) from error_group_users where group_id = g.id) as users
    from error_groups g where g.project_id = ${project.id}`.execute(t.db);
  assert.deepEqual(rows, [{ occurrence_count: MANY.length + 3, users: 1 }]);
});

test("an event of a known group whose id is known is not counted again", async () => {
  const project = await openProject(true);
  await project.store(MANY);
  const event = { event_id: "e".repeat(32), release: "1.0", host: "web-1" };
  await project.store([event]);
  await assert.rejects(project.store([event]), { constraint: "error_event_ids_pkey" });
  const row = await t.db
    .selectFrom("error_groups")
    .select("occurrence_count")
    .where("project_id", "=", project.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { occurrence_count: MANY.length + 1 });
});

test("an event of a group that was deleted in the meantime creates it again", async () => {
  const project = await openProject(true);
  await project.store(MANY);
  await sql`delete from error_groups where project_id = ${project.id}`.execute(t.db);
  const [group] = await project.store([{}]);
  assert.equal(group?.is_new, true);
  const row = await t.db
    .selectFrom("error_groups")
    .select(["id", "exception_class", "occurrence_count"])
    .where("project_id", "=", project.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { id: group.id, exception_class: "RuntimeException", occurrence_count: 1 });
});

test("a known group with as many hosts as are stored counts further ones as other", async () => {
  const project = await openProject(true);
  await project.store(MANY);
  await sql`update error_group_counts set hosts = 10000
    where group_id in (select id from error_groups where project_id = ${project.id})`.execute(t.db);
  await project.store([{ host: "web-9" }, { host: "web-1" }]);
  const { rows } = await sql<{ name: string; count: number }>`
    select h.name, h.count from error_group_hosts h join error_groups g on g.id = h.group_id
    where g.project_id = ${project.id} order by h.name`.execute(t.db);
  assert.deepEqual(
    rows.map(({ name, count }) => [name, count]),
    [
      ["other", 1],
      ["web-1", 13],
    ],
  );
});
