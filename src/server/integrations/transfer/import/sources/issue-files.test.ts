import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openBoard } from "../../../../../../test/support/board.ts";
import { importHere, writeTemporary } from "../../../../../../test/support/import.ts";
import { makeWorkspace } from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";
import type { ImportKind } from "../../../../../shared/import-kinds.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const fixture = (...names: string[]) =>
  path.join(import.meta.dirname, "../../../../../../test/fixtures/import", ...names);

type Imported = Record<string, unknown> & { id: number };

async function open(kind: ImportKind) {
  const board = await openBoard(t, workspace);
  const run = (file: string, more = {}) =>
    importHere(t, { project: board, authorId: board.adminId, kind, from: { path: file }, ...more });
  const names = async (list: string, field: string) =>
    new Map(
      (await board.admin.get(`${board.url}/${list}`)).body.data.map((row: Record<string, unknown>) => [
        row["id"],
        row[field],
      ]),
    );
  const issues = async (): Promise<Imported[]> =>
    (await board.admin.get(`${board.issues}?sort=created_at`)).body.data;
  const comments = async ({ id }: Imported): Promise<string[]> =>
    (await board.admin.get(`${board.issues}/${id}/comments`)).body.data.map(
      ({ content }: { content: string }) => content,
    );
  return { ...board, run, names, issues, comments };
}

const MAP = {
  id: "No",
  title: "Name",
  description: "Notes",
  status: "State",
  assignee: "Who",
  labels: "Tags",
  created_at: "Opened",
};

test("a CSV file with its own columns, separator and line breaks is imported by the mapping", async () => {
  const board = await open("csv");
  const { counts, notes, leftOut, unmatched } = await board.run(fixture("csv/tasks.csv"), { map: MAP });
  assert.deepEqual([counts.issues, counts.left_out], [2, 1]);
  assert.deepEqual(notes, ["header: These columns are not imported: Budget."]);
  assert.deepEqual(leftOut, ["line 6: It has no title."]);
  assert.deepEqual(unmatched, ["ada@example.com", "Grace Hopper"]);
  const labels = await board.names("labels", "name");
  const [first, second] = (await board.issues()) as [Imported, Imported];
  assert.equal(first["description"], 'First line\nwith "quotes" and ; inside');
  assert.equal(first["lane_id"], board.lanes.doing);
  assert.deepEqual(
    (first["label_ids"] as number[]).map((id) => labels.get(id)),
    ["checkout", "payments"],
  );
  assert.deepEqual([second["title"], second["lane_id"]], ["Slow start", board.lanes.done]);
});

test("usual column names need no mapping, and rows without an id are recognized by their content", async () => {
  const board = await open("csv");
  const { file, remove } = await writeTemporary(
    "tasks.csv",
    "Summary\tPriority\tIssue Type\nOne\tHigh\tBug\nTwo\tLowest\tTask\nOne\tHigh\tBug\n",
  );
  try {
    const first = await board.run(file);
    assert.deepEqual([first.counts.issues, first.counts.already_there], [2, 1]);
    const again = await board.run(file);
    assert.deepEqual([again.counts.issues, again.counts.already_there], [0, 3]);
    const found = (await board.issues()).map(({ title, priority, type }) => [title, priority, type]);
    assert.deepEqual(found.toSorted(), [
      ["One", 1, 1],
      ["Two", 4, 0],
    ]);
  } finally {
    await remove();
  }
});

test("a CSV file without titles, an empty one, and a mapping to no column are refused", async () => {
  const board = await open("csv");
  const refusal = async (content: string, map = {}) => {
    const { file, remove } = await writeTemporary("tasks.csv", content);
    try {
      return await board.run(file, { map }).then(
        () => "imported",
        (error: Error) => error.message,
      );
    } finally {
      await remove();
    }
  };
  assert.match(
    await refusal("a,b\n1,2\n"),
    /^Name the column with the titles: --map title=COLUMN. The columns are a, b\./,
  );
  assert.equal(await refusal(""), "The file is empty.");
  assert.match(await refusal("title\nx\n", { title: "Other" }), /^The file has no column Other\./);
  assert.match(await refusal("title\nx\n", { color: "title" }), /^There is no field color\./);
});

test("a stray quotation mark is text, and one that is never closed leaves the rest out with its line", async () => {
  const board = await open("csv");
  const content = 'id,title\n1,One\n2,"Two"x\n3,A "third" one\n\n4,"Four\n5,Five\n';
  const { file, remove } = await writeTemporary("tasks.csv", content);
  try {
    const { counts, leftOut } = await board.run(file);
    assert.deepEqual([counts.issues, counts.left_out], [3, 1]);
    assert.deepEqual(leftOut, [
      "line 5: A quotation mark after this line is never closed, so the rest of the file is not read.",
    ]);
    const titles = (await board.issues()).map(({ title }) => title);
    assert.ok(titles.includes('A "third" one'));
  } finally {
    await remove();
  }
});

test("a UTF-16 file with a byte order mark is read", async () => {
  const board = await open("csv");
  const content = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from("title\tstatus\nGrüße\tDone\n", "utf16le"),
  ]);
  const { file, remove } = await writeTemporary("tasks.csv", content);
  try {
    await board.run(file);
    assert.deepEqual(
      (await board.issues()).map(({ title }) => title),
      ["Grüße"],
    );
  } finally {
    await remove();
  }
});

test("GitHub: issues of a file come with labels, milestone and state, and pull requests do not", async () => {
  const board = await open("github");
  const { counts, notes, unmatched } = await board.run(fixture("github/issues.json"));
  assert.deepEqual([counts.issues, counts.left_out], [2, 0]);
  assert.match(notes[0] as string, /^comments: The file does not contain the 2 comments\./);
  assert.deepEqual(unmatched, ["octocat", "hubot"]);
  const [first, second] = (await board.issues()) as [Imported, Imported];
  const [labels, sprints] = [await board.names("labels", "name"), await board.names("sprints", "name")];
  assert.deepEqual(
    (first["label_ids"] as number[]).map((id) => labels.get(id)),
    ["bug", "checkout"],
  );
  assert.equal(sprints.get(first["sprint_id"]), "v1.0");
  assert.deepEqual(
    [first["type"], first["lane_id"], first["closed_at"], first["description"]],
    [1, board.lanes.done, "2025-03-04T09:30:00.000000Z", "Steps:\n\n1. Add two coupons\n2. See the total"],
  );
  assert.deepEqual(first["imported_from"], {
    kind: "github",
    id: "2417730711",
    url: "https://github.com/shop/web/issues/1",
    author_name: "octocat",
    assignee_name: "hubot",
  });
  assert.deepEqual([second["title"], second["type"], second["closed_at"]], ["Dark mode", 0, null]);
});

test("Linear: short rows, apostrophes, statuses, priorities, cycles and projects of the CSV export", async () => {
  const board = await open("linear");
  const { counts } = await board.run(fixture("linear/issues.csv"));
  assert.deepEqual([counts.issues, counts.left_out], [3, 0]);
  const [first, second, third] = (await board.issues()) as [Imported, Imported, Imported];
  const [sprints, epics] = [await board.names("sprints", "name"), await board.names("epics", "title")];
  assert.equal((first["imported_from"] as { id: string }).id, "11111111-1111-4111-8111-111111111111");
  assert.deepEqual(
    [first["priority"], first["lane_id"], first["created_at"], first["due_on"]],
    [0, board.lanes.doing, "2025-03-01T10:00:00.000000Z", "2025-03-20"],
  );
  assert.deepEqual([sprints.get(first["sprint_id"]), epics.get(first["epic_id"])], ["Cycle 7", "Checkout"]);
  assert.deepEqual(
    [second["title"], second["lane_id"], second["closed_at"], second["priority"]],
    ["=SUM is shown as text", board.lanes.done, "2025-03-02T11:00:00.000000Z", 2],
  );
  // A status of the team's own, which has been started.
  assert.deepEqual([third["lane_id"], third["priority"]], [board.lanes.doing, 3]);
});

test("Linear: --from selects one team", async () => {
  const board = await open("linear");
  const { counts } = await board.run(fixture("linear/issues.csv"), { sourceProject: "ops" });
  assert.equal(counts.issues, 1);
});

test("Jira: repeated columns, status category, estimates, markup and comments of the CSV export", async () => {
  const board = await open("jira");
  const { counts } = await board.run(fixture("jira/issues.csv"));
  assert.deepEqual([counts.issues, counts.comments, counts.left_out], [2, 2, 0]);
  const [second, first] = (await board.issues()) as [Imported, Imported];
  const [labels, sprints] = [await board.names("labels", "name"), await board.names("sprints", "name")];
  assert.deepEqual(
    (first["label_ids"] as number[]).map((id) => labels.get(id)),
    ["checkout", "payments"],
  );
  assert.equal(sprints.get(first["sprint_id"]), "Sprint 2");
  assert.equal(
    first["description"],
    "## Steps\n\n- Add **two** coupons\n- See [the cart](https://shop.example/cart)\n\n\n```java\ncart.add(*all);\n```",
  );
  assert.deepEqual(
    [
      first["type"],
      first["priority"],
      first["lane_id"],
      first["estimated_minutes"],
      first["due_on"],
      first["created_at"],
    ],
    [1, 0, board.lanes.doing, 90, "2025-03-20", "2025-03-01T10:05:00.000000Z"],
  );
  assert.deepEqual(await board.comments(first), [
    "**557058:ada** wrote:\n\nIt fails; always",
    "**Grace** wrote:\n\n> It fails\n\nFixed",
  ]);
  assert.deepEqual(
    [second["priority"], second["lane_id"], second["closed_at"], second["created_at"]],
    [4, board.lanes.done, "2024-06-02T12:15:00.000000Z", "2024-06-01T00:00:00.000000Z"],
  );
});

test("a file of another program is refused", async () => {
  for (const kind of ["linear", "jira"] as const)
    await assert.rejects(
      (await open(kind)).run(fixture("csv/tasks.csv")),
      /^ImportError|This is not a CSV export of/,
    );
  await assert.rejects((await open("github")).run(fixture("csv/tasks.csv")), /not a JSON list/);
});
