import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../../test/support/board.ts";
import { importHere } from "../../../../../test/support/import.ts";
import { daysAgo, GROUP, ISSUE, REPORT } from "../../../../../test/support/imported-items.ts";
import { makeMember, makeWorkspace } from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { ImportedErrorGroup, ImportedIssue, ImportedReport } from "./item.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  const run = (from: (ImportedIssue | ImportedReport | ImportedErrorGroup)[], more = {}) =>
    importHere(t, { project: board, authorId: board.adminId, kind: "github", from, ...more });
  const listed = async () => (await board.admin.get(`${board.issues}?sort=created_at`)).body.data;
  return { ...board, run, listed };
};

const NOTHING = { issues: 0, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 0 };

test("an issue keeps its times, and its labels, sprint, epic and lane are found or created by name", async () => {
  const board = await open();
  const label = await board.label("Bug hunt");
  const { counts } = await board.run([
    {
      ...ISSUE,
      type: 1,
      priority: 0,
      labels: ["bug HUNT", "payments", "Payments"],
      sprint: "Week 9",
      epic: "Coupons",
      lane: { name: "In review", kind: "doing" },
      estimated_minutes: 90,
      due_on: "2025-04-01",
    },
    {
      ...ISSUE,
      ref: { id: "2", url: null },
      lane: { name: "Closed", kind: "done" },
      closed_at: "2025-03-01T12:00:00.123456Z",
    },
  ]);
  assert.deepEqual(counts, { ...NOTHING, issues: 2 });
  const issues = await board.listed();
  const [first, second] = issues;
  assert.equal(first.lane_id, board.lanes.doing);
  assert.equal(first.created_at, "2025-03-01T10:00:00.000000Z");
  assert.equal(first.updated_at, "2025-03-02T10:00:00.000000Z");
  assert.equal(first.label_ids.length, 2);
  assert.ok(first.label_ids.includes(label));
  assert.deepEqual(
    [first.type, first.priority, first.estimated_minutes, first.due_on],
    [1, 0, 90, "2025-04-01"],
  );
  const sprints = (await board.admin.get(`${board.url}/sprints`)).body.data;
  assert.deepEqual(
    sprints.map((sprint: { id: number; name: string }) => [sprint.id, sprint.name]),
    [[first.sprint_id, "Week 9"]],
  );
  assert.equal(second.lane_id, board.lanes.done);
  assert.equal(second.closed_at, "2025-03-01T12:00:00.123456Z");
  assert.equal(second.key, `${board.key}-2`);
});

test("an imported issue, report and error group says where it came from; others do not", async () => {
  const board = await open();
  const author = { name: "Ada", login: "ada", email: null };
  await board.run([{ ...ISSUE, author, assignee: author }, REPORT, GROUP]);
  const imported = (
    id: string,
    url: string,
    author_name: string | null,
    assignee_name: string | null = null,
  ) => ({
    kind: "github",
    id,
    url,
    author_name,
    assignee_name,
  });
  const [issue] = await board.listed();
  assert.deepEqual(issue.imported_from, imported("1", "https://git.example/shop/issues/1", "Ada", "Ada"));
  const [report] = (await board.admin.get(`${board.url}/reports`)).body;
  assert.deepEqual(report.imported_from, imported("report 7", "https://ideas.example/posts/7", "Kim"));
  const [group] = (await board.admin.get(`${board.url}/error-groups`)).body.data;
  const detail = (await board.admin.get(`${board.url}/error-groups/${group.id}`)).body;
  assert.deepEqual(detail.imported_from, imported("group 99", "https://errors.example/issues/99", null));
  assert.equal((await board.make()).imported_from, null);
});

test("a link with another scheme than http and https is dropped", async () => {
  const board = await open();
  await board.run([{ ...ISSUE, ref: { id: "1", url: "javascript:alert(1)" } }]);
  assert.equal((await board.listed())[0].imported_from.url, null);
});

test("a report keeps its votes as voices, and its dismissal", async () => {
  const board = await open();
  const dismissal = { reason: "not-planned" as const, note: "Too large", at: "2025-05-01T00:00:00Z" };
  const { counts } = await board.run([REPORT, { ...REPORT, ref: { id: "8", url: null }, dismissal }]);
  assert.deepEqual(counts, { ...NOTHING, reports: 2 });
  const [first, second] = (await board.admin.get(`${board.url}/reports`)).body;
  assert.deepEqual([first.voices, first.author_name, first.dismissed_at], [12, "Kim", null]);
  assert.deepEqual(
    [second.dismiss_reason, second.dismiss_reason_note, second.dismissed_at],
    ["not-planned", "Too large", "2025-05-01T00:00:00.000000Z"],
  );
});

test("an error group keeps status, level, total and times, and has no counts of days", async () => {
  const board = await open();
  const { counts } = await board.run([GROUP]);
  assert.deepEqual(counts, { ...NOTHING, error_groups: 1 });
  const [{ id }] = (await board.admin.get(`${board.url}/error-groups`)).body.data;
  const group = (await board.admin.get(`${board.url}/error-groups/${id}`)).body;
  assert.deepEqual(
    [group.status, group.level, group.occurrence_count, group.release, group.environment],
    [2, "warning", 4_200, "1.4.2", "production"],
  );
  assert.equal(new Date(group.first_seen_at).toISOString(), GROUP.first_seen_at);
  assert.deepEqual(new Set(group.daily_counts), new Set([0]));
});

test("an error group that was last seen before the retention window is left out", async () => {
  const board = await open();
  const { counts, leftOut } = await board.run([
    { ...GROUP, last_seen_at: daysAgo(91), first_seen_at: daysAgo(92) },
  ]);
  assert.deepEqual(counts, { ...NOTHING, left_out: 1 });
  assert.match(leftOut[0] as string, /^99: It was last seen more than 90 days ago/);
});

test("people match by address, ignoring case, and by the addresses that --people gives", async () => {
  const board = await open();
  const { user } = await memberOf(board.id);
  const { counts, unmatched } = await board.run(
    [
      {
        ...ISSUE,
        assignee: { name: "Any", login: null, email: user.email.toUpperCase() },
        author: { name: "Nobody", login: null, email: "nobody@example.com" },
      },
      { ...ISSUE, ref: { id: "2", url: null }, assignee: { name: null, login: "Octo", email: null } },
    ],
    { addresses: { octo: user.email } },
  );
  assert.equal(counts.issues, 2);
  const [first, second] = await board.listed();
  assert.deepEqual([first.assignee_id, first.created_by, second.assignee_id], [user.id, null, user.id]);
  assert.deepEqual(
    [first.imported_from.author_name, first.imported_from.assignee_name, second.imported_from.assignee_name],
    ["Nobody", null, null],
  );
  assert.deepEqual(unmatched, ["Nobody"]);
});

test("people are listed as unmatched only if something of theirs is imported", async () => {
  const board = await open();
  const named = (name: string) => ({ name, login: null, email: null });
  const comment = (id: string) => ({
    ref: { id },
    author: named(`Comments ${id}`),
    content: "Hi",
    created_at: null,
  });
  const items = [
    { ...ISSUE, author: named("Author"), assignee: named("Assignee"), comments: [comment("a")] },
    { ...ISSUE, ref: { id: "2", url: null }, title: "", author: named("Of a row without a title") },
    { ...GROUP, last_seen_at: daysAgo(91), first_seen_at: daysAgo(92), assignee: named("Of an old group") },
  ];
  const { unmatched } = await board.run(items);
  assert.deepEqual(unmatched, ["Author", "Assignee", "Comments a"]);
  const [issue] = items;
  const again = await board.run([{ ...issue, comments: [comment("a"), comment("b")] } as ImportedIssue]);
  assert.deepEqual(again.unmatched, ["Comments b"]);
});

test("a person without access to the project is not matched", async () => {
  const board = await open();
  const { user } = await memberOf((await openBoard(t, workspace)).id);
  await board.run([{ ...ISSUE, assignee: { name: "Outsider", login: null, email: user.email } }]);
  const [issue] = await board.listed();
  assert.deepEqual([issue.assignee_id, issue.imported_from.assignee_name], [null, "Outsider"]);
});

test("a comment by an unknown person belongs to the given user and names its author", async () => {
  const board = await open();
  const { user } = await memberOf(board.id);
  const at = "2025-03-03T08:00:00Z";
  await board.run([
    {
      ...ISSUE,
      comments: [
        {
          ref: { id: "a" },
          author: { name: "Eve *[x](y)*", login: null, email: null },
          content: "Hello",
          created_at: at,
        },
        {
          ref: { id: "b" },
          author: { name: "Any", login: null, email: user.email },
          content: "Hi",
          created_at: at,
        },
      ],
    },
  ]);
  const [{ id }] = await board.listed();
  const { data } = (await board.admin.get(`${board.issues}/${id}/comments`)).body;
  assert.deepEqual(
    data.map((comment: Record<string, unknown>) => [
      comment["user_id"],
      comment["content"],
      comment["created_at"],
    ]),
    [
      [board.adminId, "**Eve \\*\\[x\\]\\(y\\)\\*** wrote:\n\nHello", "2025-03-03T08:00:00.000000Z"],
      [user.id, "Hi", "2025-03-03T08:00:00.000000Z"],
    ],
  );
});

test("texts over the limits are cut and listed", async () => {
  const board = await open();
  const { counts, notes } = await board.run([
    {
      ...ISSUE,
      title: "😀".repeat(256),
      description: `NUL \0 and ${"d".repeat(70_000)}`,
      labels: ["l".repeat(101)],
      comments: [
        {
          ref: { id: "a" },
          author: { name: "n".repeat(500), login: null, email: null },
          content: "c".repeat(11_000),
          created_at: "yesterday",
        },
      ],
    },
  ]);
  assert.deepEqual(counts, { ...NOTHING, issues: 1, comments: 1 });
  assert.deepEqual(notes, [
    "1: The title was cut to 255 characters.",
    "1: The description was cut to 65,535 characters.",
    "1: The comment was cut to 10,000 characters.",
    "1: The label was cut to 100 characters.",
  ]);
  const [{ title, description, id }] = await board.listed();
  assert.deepEqual([title, description.length], ["😀".repeat(255), 65_535]);
  const [comment] = (await board.admin.get(`${board.issues}/${id}/comments`)).body.data;
  assert.equal(comment.content.length, 10_000);
});

test("a time that does not exist, or is in the future, does not stop the import", async () => {
  const board = await open();
  const { counts, notes } = await board.run([
    { ...ISSUE, created_at: "2025-02-30T10:00:00Z", updated_at: "2999-01-01T00:00:00Z" },
    { ...ISSUE, ref: { id: "2", url: null }, where: "2", created_at: "last week", due_on: "2025-02-30" },
  ]);
  assert.equal(counts.issues, 2);
  assert.deepEqual(notes, ["2: The time of creation cannot be read."]);
  const issues = await board.listed();
  assert.equal(issues[0].created_at, "2025-03-02T10:00:00.000000Z");
  assert.ok(Date.parse(issues[0].updated_at) <= Date.now());
  assert.equal(issues[1].due_on, null);
});

test("an import notifies nobody and queues no mail, webhook delivery or alert", async () => {
  const board = await open();
  const { user } = await memberOf(board.id);
  const url = "https://hooks.example/all";
  assert.equal((await board.admin.post(`${board.url}/webhooks`, { url, events: ["*"] })).status, 201);
  assert.equal((await board.admin.post(`${board.url}/reports/watch`)).status, 200);
  const tables = [
    "notifications",
    "mails",
    "webhook_deliveries",
    "new_reports",
    "new_error_groups",
    "issue_watchers",
    "error_group_watchers",
    "report_subscriptions",
    "push_messages",
  ];
  const rows = () =>
    Promise.all(
      tables.map(async (table) => (await sql`select * from ${sql.table(table)}`.execute(t.db)).rows.length),
    );
  const before = await rows();
  const person = { name: "Any", login: null, email: user.email };
  const content = `Hello @${user.username}`;
  await board.run([
    {
      ...ISSUE,
      assignee: person,
      author: person,
      comments: [{ ref: { id: "a" }, author: person, content, created_at: null }],
    },
    REPORT,
    { ...GROUP, assignee: person },
  ]);
  assert.deepEqual(await rows(), before);
});

async function memberOf(projectId: number) {
  const user = await makeMember(t.db, projectId);
  return { user };
}
