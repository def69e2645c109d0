import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { indexLocations } from "./location-index.ts";
import { indexMessages } from "./message-index.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openProject(t, workspace);
  const classes = async (url: string) => {
    const { body } = await project.admin.get(url);
    return (body as ErrorGroupList).data.map(({ exception_class }) => exception_class).toSorted();
  };
  /** The classes of the groups with the text, from the project's list, which must be those from the list of all projects. */
  const withText = async (text: string) => {
    const query = `query=${encodeURIComponent(text)}`;
    const found = await classes(`${project.groups}?${query}`);
    assert.deepEqual(await classes(`/api/error-groups?${query}&project_id=${project.id}`), found);
    return found;
  };
  return { project, withText };
}

/** As if the groups were last seen two hours ago, so that the list has to rely on the index. */
async function index({ id }: TestProject): Promise<void> {
  await indexMessages(t.db);
  await indexLocations(t.db);
  await sql`
    update error_groups set last_seen_at = last_seen_at - interval '2 hours',
      last_seen_span = last_seen_span - interval '2 hours' where project_id = ${id}`.execute(t.db);
}

test("a list by text has the groups whose class or last message contains it, before and after messages are indexed", async () => {
  const { project, withText } = await open();
  await sendAs(project, "Checkout", { message: "Card 4711 declined" });
  await sendAs(project, "Search", { message: "No 100% match" });
  assert.deepEqual(await withText("card 4711"), ["Checkout"]);
  await index(project);
  assert.deepEqual(await withText("card 4711"), ["Checkout"]);
  assert.deepEqual(await withText("earch"), ["Search"]);
  assert.deepEqual(await withText("0%"), ["Search"]);
  assert.deepEqual(await withText("e"), ["Checkout", "Search"]);
  await sendAs(project, "Checkout", { message: "Bank away" });
  for (const step of ["before", "after"]) {
    assert.deepEqual(await withText("card 4711"), [], step);
    assert.deepEqual(await withText("bank AWAY"), ["Checkout"], step);
    await index(project);
  }
});

test("a list by text has the groups whose route, top function or file contains it, before and after they are indexed", async () => {
  const { project, withText } = await open();
  await indexLocations(t.db);
  const context = { kind: "route", method: "POST", pattern: "/vouchers" };
  await sendAs(project, "Voucher", { context, message: "Declined" });
  const stack_trace =
    "#0 /srv/vendor/db/Driver.php(9): query()\n#1 /srv/app/src/Tariff.php(12): Tariff->load()\n#2 /srv/app/main.php(1): boot()";
  await sendAs(project, "Timeout", { stack_trace, message: "Too slow" });
  for (const step of ["before", "after"]) {
    assert.deepEqual(await withText("post /VOUCHERS"), ["Voucher"], step);
    assert.deepEqual(await withText("tariff->load"), ["Timeout"], step);
    assert.deepEqual(await withText("src/Tariff.php"), ["Timeout"], step);
    assert.deepEqual(await withText("Driver.php"), ["Timeout"], step);
    assert.deepEqual(await withText("main.php"), [], step);
    await index(project);
  }
  await sendAs(project, "Voucher", { context: { ...context, pattern: "/coupons" }, message: "Declined" });
  for (const step of ["before", "after"]) {
    assert.deepEqual([await withText("/vouchers"), await withText("/coupons")], [[], ["Voucher"]], step);
    await index(project);
  }
});

test("a group from before the first run of the job is found by route, and once the job has run by file", async () => {
  const { project, withText } = await open();
  const context = { kind: "route", method: "GET", pattern: "/harbors" };
  await sendAs(project, "Harbor", { context });
  await sql`delete from error_group_locations`.execute(t.db);
  await sql`delete from error_group_locations_progress`.execute(t.db);
  assert.deepEqual(await withText("/harbors"), ["Harbor"]);
  await index(project);
  assert.deepEqual([await withText("/harbors"), await withText("Harbor.php")], [["Harbor"], ["Harbor"]]);
});

test("a group is found by the route of a later one that was merged into it", async () => {
  const { project, withText } = await open();
  const context = { kind: "route", method: "GET" };
  const a = await sendAs(project, "A", { context: { ...context, pattern: "/early" } });
  const b = await sendAs(project, "B", { context: { ...context, pattern: "/late" } });
  await index(project);
  await mergeInto(project, a.id, [b.id]);
  assert.deepEqual([await withText("/early"), await withText("/late")], [[], ["A"]]);
  assert.deepEqual([await withText("A.php"), await withText("B.php")], [[], ["A"]]);
});

test("a text at the end of a long message is found, and no longer after a short one", async () => {
  const { project, withText } = await open();
  await sendAs(project, "Long", { message: `${"x".repeat(60_000)} needle` });
  await index(project);
  assert.deepEqual(await withText("needle"), ["Long"]);
  await sendAs(project, "Long", { message: "short" });
  await index(project);
  assert.deepEqual([await withText("needle"), await withText("short")], [[], ["Long"]]);
});

test("a group is found by the message of a later one that was merged into it", async () => {
  const { project, withText } = await open();
  const a = await sendAs(project, "A", { message: "first" });
  const b = await sendAs(project, "B", { message: "second" });
  await index(project);
  await mergeInto(project, a.id, [b.id]);
  assert.deepEqual([await withText("first"), await withText("second")], [[], ["A"]]);
});

test("a merge waits until the job has written the group's previous message, and replaces it", async () => {
  const { project, withText } = await open();
  const a = await sendAs(project, "A", { message: "first" });
  const b = await sendAs(project, "B", { message: "second" });
  await index(project);
  const asTheJob = `select from error_group_messages where group_id = ${a.id} for update`;
  await collide(t.database, asTheJob, async (waiting) => {
    const merging = mergeInto(project, a.id, [b.id]);
    await waiting(1);
    return [merging];
  });
  assert.deepEqual([await withText("first"), await withText("second")], [[], ["A"]]);
});

test("a group that is being merged or deleted is indexed by a later run, without waiting for it", async () => {
  const { project, withText } = await open();
  const { id } = await sendAs(project, "A", { message: "first" });
  await collide(t.database, `select from error_groups where id = ${id} for update`, async () => {
    await indexMessages(t.db);
    return [];
  });
  await index(project);
  assert.deepEqual(await withText("first"), ["A"]);
});

test("a rare text is found without reading all groups", async () => {
  const { project, withText } = await open();
  await sql`insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
      daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${project.id}, 'production', sha256(('worded ' || ${project.id} || n)::bytea), n, 'Order ' || n || ' failed', 1,
      array_fill(0, array[90]), at, at, date_bin('10 minutes', at, 'epoch'), at
    from generate_series(1, 6000) n, lateral (select now() - interval '2 hours' - n * interval '10 seconds' as at) seen`.execute(
    t.db,
  );
  // The job looks at recent groups only, except when it runs for the first time.
  await sql`delete from error_group_messages_progress`.execute(t.db);
  await sql`delete from error_group_locations_progress`.execute(t.db);
  await sql`insert into error_group_details (group_id, stack_trace, previous_exceptions, received_at)
    select id, '#0 /srv/app/File' || exception_class || '.php(12): run()', '[]', last_seen_at
    from error_groups where project_id = ${project.id}`.execute(t.db);
  await indexMessages(t.db);
  await indexLocations(t.db);
  await makeErrorGroup(t.db, project, { latest_message: "Order 5000 failed again" });
  await sql`vacuum analyze error_groups, error_group_messages, error_group_classes, error_group_locations`.execute(
    t.db,
  );
  const before = await rowsRead(t.database, "error_groups");
  assert.deepEqual((await withText("order 5000 failed")).length, 2);
  assert.deepEqual(await withText("File4000.php"), ["4000"]);
  const read = (await rowsRead(t.database, "error_groups")) - before;
  assert.ok(read < 100, `read ${read} rows`);
});
