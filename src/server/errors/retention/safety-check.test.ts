import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { runRetention } from "./retention.ts";

const t = await useTestApp();
const project = await openProject(t, await makeWorkspace(t.db));
// One group of six has expired, and some rows of the others.
await makeErrorGroup(t.db, project, { last_seen: 91 });
for (let n = 0; n < 5; n++) await makeErrorGroup(t.db, project, { users: [0, 91], hosts: { a: [1, 91] } });
beforeEach(() => sql`truncate retention_runs`.execute(t.db));

const run = (anyway = false) => runRetention(t.database.pool, 90, { anyway });

/** Records a past run, this many hours ago. Negative hours simulate a clock that was set back since. */
async function ran(hoursAgo: number, outcome = "done") {
  await sql`insert into retention_runs (started_at, outcome)
    values (clock_timestamp() - make_interval(secs => ${hoursAgo * 3600}::float8), ${outcome})`.execute(t.db);
}

/** All rows that a run could delete. */
async function everything(): Promise<unknown> {
  const { rows } = await sql`select
    (select jsonb_agg(to_jsonb(g) order by id) from error_groups g) as groups,
    (select jsonb_agg(to_jsonb(h) order by group_id, name) from error_group_hosts h) as hosts,
    (select jsonb_agg(to_jsonb(u) order by group_id, user_hash) from error_group_users u) as users,
    (select jsonb_agg(to_jsonb(c) order by group_id) from error_group_counts c) as counts`.execute(t.db);
  return rows;
}

async function refused(expected: RegExp) {
  const before = await everything();
  const { outcome, message, ...counts } = await run();
  assert.equal(outcome, "refused");
  assert.match(message, expected);
  assert.doesNotMatch(message, /\n/);
  assert.deepEqual(counts, { groups: 0, users: 0, hosts: 0 });
  assert.deepEqual(await everything(), before);
}

test("after a pause of more than 25 hours a run refuses, gives the reason and changes nothing", async () => {
  await ran(25.1);
  await refused(/last run was 25 hours ago.*clock/);
});

test("a run refuses if the clock is earlier than the last run", async () => {
  await ran(-1);
  await refused(/clock is earlier than the last run/);
});

test("a refusal is recorded like completed runs", async () => {
  await ran(-1);
  await run();
  const rows = await t.db.selectFrom("retention_runs").select("outcome").orderBy("id").execute();
  assert.deepEqual(rows, [{ outcome: "done" }, { outcome: "refused" }]);
});

for (const [name, hours] of [
  ["forwards", 1000],
  ["backwards", -1000],
] as const)
  test(`after a jump ${name} runs refuse for half a day, and the daily one 18 hours later continues`, async () => {
    await ran(hours);
    await refused(/at least 12 hours after/);
    await refused(/a clock jump was found 0 hours ago/);
    await age(11);
    await refused(/a clock jump was found 11 hours ago.*at least 12 hours after/);
    await age(7);
    assert.equal((await harmlessRun()).outcome, "done");
  });

test("a wrong clock during one run does not stop all later runs", async () => {
  await ran(48);
  await ran(-24 * 3650, "refused");
  await refused(/clock is earlier than the last run/);
  await age(24);
  assert.equal((await harmlessRun()).outcome, "done");
});

test("after a run with --anyway following a jump, the next run continues", async () => {
  await ran(1000);
  await refused(/./);
  await ran(0);
  assert.equal((await harmlessRun()).outcome, "done");
});

/** Makes all recorded runs this many hours older. */
const age = (hours: number) =>
  sql`update retention_runs set started_at = started_at - make_interval(hours => ${hours}::int)`.execute(
    t.db,
  );

/** A run with a window so long that nothing has expired. */
const harmlessRun = () => runRetention(t.database.pool, 3650);

test("a run that would delete more than a fifth of all groups refuses and names --anyway", async () => {
  await ran(24);
  await sql`update error_groups set last_seen_at = now() - interval '91 days'
    where id = (select max(id) from error_groups)`.execute(t.db);
  await refused(/2 of 6 error groups have expired, more than a fifth.*--anyway/);
  await sql`update error_groups set last_seen_at = now() where id = (select max(id) from error_groups)`.execute(
    t.db,
  );
});

test("a pause of 25 hours, the first run, and exactly a fifth of all groups do not stop a run", async () => {
  await ran(24.9);
  assert.equal((await harmlessRun()).outcome, "done");
  await sql`truncate retention_runs`.execute(t.db);
  // Two of ten have expired.
  for (let n = 0; n < 4; n++) await makeErrorGroup(t.db, project);
  await makeErrorGroup(t.db, project, { last_seen: 92 });
  await sql`delete from error_groups where id = (
    select min(id) from error_groups where last_seen_at > now() - interval '1 day')`.execute(t.db);
  const result = await run();
  assert.deepEqual([result.outcome, result.groups], ["done", 2]);
});

test("a run on an empty database does not refuse", async () => {
  await sql`truncate error_groups cascade`.execute(t.db);
  assert.deepEqual(await run(), {
    outcome: "done",
    message: "Retention deleted 0 error groups, 0 user hashes and 0 hosts.",
    groups: 0,
    users: 0,
    hosts: 0,
  });
});

test("--anyway skips all checks", async () => {
  await makeErrorGroup(t.db, project, { last_seen: 100 });
  await ran(1000);
  assert.equal((await run()).outcome, "refused");
  const result = await run(true);
  assert.deepEqual([result.outcome, result.groups], ["done", 1]);
});
