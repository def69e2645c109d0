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
  await indexMessages(t.db);
  await makeErrorGroup(t.db, project, { latest_message: "Order 5000 failed again" });
  await sql`vacuum analyze error_groups, error_group_messages, error_group_classes`.execute(t.db);
  const before = await rowsRead(t.database, "error_groups");
  assert.deepEqual((await withText("order 5000 failed")).length, 2);
  const read = (await rowsRead(t.database, "error_groups")) - before;
  assert.ok(read < 100, `read ${read} rows`);
});
