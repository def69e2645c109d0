import assert from "node:assert/strict";
import { test } from "node:test";
import { importFixture } from "../../../../../../test/support/answering-server.ts";
import { importHere, writeTemporary } from "../../../../../../test/support/import.ts";
import { makePersonalToken, makeProject, makeWorkspace } from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const http = t.http.as(await makePersonalToken(t.db, admin.id));

type Kind = "fider" | "canny" | "quackback";

async function fresh(kind: Kind) {
  const project = await makeProject(t.db, workspaceId);
  const run = (path = importFixture(`${kind}/posts.csv`), isDryRun = false) =>
    importHere(t, { project, authorId: admin.id, kind, from: { path }, isDryRun });
  const reports = async () => {
    const lists = [];
    for (const view of ["active", "dismissed"])
      lists.push(...(await http.get(`/api/projects/${project.id}/reports?view=${view}`)).body);
    return lists as Record<string, unknown>[];
  };
  return { run, reports };
}

const summaryOf = (reports: Record<string, unknown>[]) =>
  Object.fromEntries(reports.map(({ title, voices, dismiss_reason }) => [title, [voices, dismiss_reason]]));

test("Fider's posts become reports with votes, state and response", async () => {
  const { run, reports } = await fresh("fider");
  const { counts, leftOut } = await run();
  assert.deepEqual([counts.reports, counts.comments, leftOut], [5, 1, ["post 6: It was deleted in Fider."]]);
  const all = await reports();
  assert.deepEqual(summaryOf(all), {
    "Dark mode": [42, null],
    "Export as PDF": [7, null],
    "Import from Excel": [12, "already-shipped"],
    "Fax gateway": [1, "not-planned"],
    "A night theme": [3, "duplicate"],
  });
  const duplicate = all.find(({ title }) => title === "A night theme");
  assert.equal(duplicate?.["dismiss_reason_note"], "Duplicate of post 1: Dark mode");
  assert.equal(duplicate?.["author_name"], "Ivo");
});

test("Canny's posts become reports with votes and state", async () => {
  const { run, reports } = await fresh("canny");
  assert.equal((await run()).counts.reports, 4);
  const all = await reports();
  assert.deepEqual(summaryOf(all), {
    "Dark mode": [42, null],
    "Export as PDF": [7, null],
    "Import from Excel": [12, "already-shipped"],
    "Fax gateway": [1, "not-planned"],
  });
});

test("Quackback's posts become reports, also with one title on two boards", async () => {
  const { run, reports } = await fresh("quackback");
  assert.equal((await run()).counts.reports, 5);
  const all = await reports();
  assert.equal(all.filter(({ title }) => title === "Dark mode").length, 2);
  const { "Dark mode": _, ...others } = summaryOf(all);
  assert.deepEqual(others, {
    "Export as PDF": [7, null],
    "Import from Excel": [12, "already-shipped"],
    "Fax gateway": [1, "not-planned"],
  });
});

for (const kind of ["fider", "canny", "quackback"] as const) {
  test(`a repeated import from ${kind} creates nothing, and a dry run says the same numbers`, async () => {
    const { run, reports } = await fresh(kind);
    const planned = await run(undefined, true);
    assert.equal((await reports()).length, 0);
    const first = await run();
    assert.deepEqual(planned.counts, first.counts);
    const { counts } = await run();
    assert.deepEqual([counts.reports, counts.comments], [0, 0]);
    assert.equal(counts.already_there, first.counts.reports);
  });

  test(`another file is not taken for an export of ${kind}`, async () => {
    const { run } = await fresh(kind);
    const { file, remove } = await writeTemporary("other.csv", "Name;Age\nAda;36\n");
    await assert.rejects(run(file), /is not a CSV export/);
    await remove();
  });
}

test("rows with missing, huge or strange cells lose no other row", async () => {
  const { run, reports } = await fresh("fider");
  const { file, remove } = await writeTemporary(
    "posts.csv",
    [
      "number,title,description,created_at,created_by,votes_count,status",
      "1,First,Text,2026-05-01T08:12:44Z,Nora,3,open",
      "x,No number",
      "2,,No title,,,,open",
      `3,${"t".repeat(5_000)},${"d".repeat(100_000)},yesterday,,many,open`,
      "4,N\0UL,<script>alert(1)</script>,2026-05-01T08:12:44Z,=cmd(),-9,OPEN",
    ].join("\n"),
  );
  const { counts, leftOut, notes } = await run(file);
  await remove();
  assert.equal(counts.reports, 3);
  assert.deepEqual(leftOut, ["post x: It has no number.", "post 2: It has no title."]);
  assert.ok(notes.some((note) => note.startsWith("post 3: The title was cut")));
  assert.deepEqual(
    (await reports()).map(({ voices }) => voices),
    [3, 1, 1],
  );
});
