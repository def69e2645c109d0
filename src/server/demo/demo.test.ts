import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { useTestApp } from "../../../test/support/test-app.ts";
import { countRows, DEMO_SIZE, fillSmallDemo, readDemo } from "../../../test/support/demo.ts";
import { sweepFiles } from "../files/storage/sweep-files.ts";

const t = await useTestApp();
const filled = await fillSmallDemo(t);
const queuedMails = await countRows(t.db, "mails");
assert.equal(filled.isNew, true);
const { administratorId } = filled;
const { browser, read } = await readDemo(t, administratorId);

test("an empty installation gets a workspace with twelve people, three projects and the requested amounts", async () => {
  assert.deepEqual(
    (await read("/api/workspaces")).data.map((workspace: { name: string }) => workspace.name),
    ["Northwind Bikes"],
  );
  const projects = (await read("/api/projects")).data as { id: number; key: string; is_owner: boolean }[];
  assert.deepEqual(
    projects.map(({ key, is_owner }) => [key, is_owner]),
    [
      ["SHOP", true],
      ["RIDE", true],
      ["DEPOT", true],
    ],
  );
  assert.equal(await countRows(t.db, "users"), 12);
  assert.equal(await countRows(t.db, "error_groups"), DEMO_SIZE.groups);
  assert.equal(await countRows(t.db, "issues"), DEMO_SIZE.issues);
  assert.equal(await countRows(t.db, "reports"), DEMO_SIZE.reports);
});

test("everything can be read through the API and matches its documented schemas", async () => {
  const projects = (await read("/api/projects")).data as { id: number }[];
  for (const { id } of projects) {
    const url = `/api/projects/${id}`;
    for (const list of ["members", "lanes", "labels", "sprints", "epics", "tokens", "issue-templates"])
      assert.ok((await read(`${url}/${list}`)).data.length > 0, list);
    const groups = (await read(`${url}/error-groups`)).data as {
      id: number;
      linked_issue_id: number | null;
    }[];
    assert.equal(groups.length, DEMO_SIZE.groups / 3);
    assert.ok(groups.some((group) => group.linked_issue_id !== null));
    for (const group of groups) await read(`${url}/error-groups/${group.id}`);
    const issues = (await read(`${url}/issues?limit=200`)).data as { id: number; comments_count: number }[];
    assert.equal(issues.length, DEMO_SIZE.issues / 3);
    for (const issue of issues) {
      assert.ok((await read(`${url}/issues/${issue.id}/activity`)).data.length > 0);
      const comments = await read(`${url}/issues/${issue.id}/comments`);
      assert.equal(comments.meta.count, issue.comments_count);
    }
    for (const view of ["active", "promoted", "dismissed"])
      assert.ok((await read(`${url}/reports?view=${view}`)).length > 0, view);
  }
  const inbox = (await read("/api/notifications")) as { read_at: string | null }[];
  assert.ok(inbox.some((entry) => entry.read_at === null));
  assert.ok(inbox.some((entry) => entry.read_at !== null));
});

test("kept events show what clients send, without what the project's privacy rules remove", async () => {
  const events = await Promise.all(
    ["SHOP", "DEPOT"].map(async (key) => {
      const groups = (await read(`/api/projects/${key}/error-groups?limit=500`)).data as {
        id: number;
      }[];
      return Promise.all(
        groups.map(({ id }) => read(`/api/projects/${key}/error-groups/${id}/events/latest`)),
      );
    }),
  );
  const stories = events
    .flat()
    .filter(({ frames }) => frames.some(({ context_line = "" }) => context_line !== ""));
  assert.deepEqual([...new Set(stories.map(({ runtime }) => runtime.name))].sort(), [
    "chrome",
    "go",
    "java",
    "node",
    "python",
  ]);
  for (const { frames, tags, contexts, breadcrumbs } of stories) {
    assert.ok(frames.some(({ in_app }: { in_app: boolean }) => in_app));
    for (const part of [tags, contexts, breadcrumbs]) assert.ok(Object.keys(part).length > 0);
  }
  const node = stories.find(({ runtime }) => runtime.name === "node");
  assert.equal(node.previous_exceptions.length, 1);
  assert.equal(node.request.path, "/orders");
  assert.deepEqual(Object.keys(node.removed).sort(), ["Loyalty number", "email"]);
});

test("projects have privacy and inbound rules, and usage that agrees with their counts", async () => {
  const rules = (await read("/api/projects/SHOP/privacy-rules")).data as { built_in: boolean }[];
  assert.equal(rules.filter(({ built_in }) => !built_in).length, 3);
  const inbound = (await read("/api/projects/SHOP/inbound-rules")).data as { dropped_30_days: number }[];
  const dropped = inbound.reduce((sum, { dropped_30_days }) => sum + dropped_30_days, 0);
  const usage = (await read("/api/projects/SHOP/usage?days=30")).data as Record<string, number>[];
  const sum = (outcome: string) => usage.reduce((total, day) => total + (day[outcome] ?? 0), 0);
  assert.ok(dropped > 0);
  assert.equal(sum("filtered"), dropped);
  assert.ok(sum("limited") > 0);
  assert.ok(sum("kept") < sum("accepted"));
});

test("a new event of the same error counts in the demo's group", async () => {
  const group = await t.db
    .selectFrom("error_groups as g")
    .innerJoin("error_group_details as d", "d.group_id", "g.id")
    .select([
      "g.id",
      "g.project_id",
      "g.occurrence_count",
      "g.exception_class",
      "g.environment",
      "d.stack_trace",
    ])
    .orderBy("g.id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const { body } = await browser.post("/api/profile/tokens", { name: "program", write: true });
  const { exception_class, environment, stack_trace } = group;
  const sent = await t.http.as(body.token).post(`/api/projects/${group.project_id}/error-events`, {
    exception_class,
    environment,
    stack_trace,
    message: "",
  });
  assert.equal(sent.status, 202, sent.text);
  const after = await read(`/api/projects/${group.project_id}/error-groups/${group.id}`);
  assert.equal(after.occurrence_count, group.occurrence_count + 1);
});

test("pictures of reports and people exist, and there are no orphaned files", async () => {
  const { rows } = await sql<{ url: string }>`
    select '/api/projects/' || project_id || '/reports/' || report_id || '/attachments/' || id || '/download' as url
    from attachments union all
    select profile_picture ->> format from users, unnest(array['avif', 'webp']) format
    where profile_picture is not null`.execute(t.db);
  assert.ok(rows.length > 16);
  for (const { url } of rows) {
    const { status, headers, text } = await browser.get(url);
    assert.equal(status, 200, `${url} ${text}`);
    assert.match(String(headers["content-type"]), /^image\//);
  }
  const { files, removed } = await sweepFiles(t.db, t.storage, Date.now() + 7_200_000);
  assert.deepEqual({ files, removed }, { files: rows.length, removed: 0 });
});

test("no email is sent", async () => {
  assert.equal(queuedMails, 0);
  assert.equal(await countRows(t.db, "new_error_groups"), 0);
});

test("with existing users it fails without changes; with --anyway it creates another workspace with the same content", async () => {
  const before = await titles();
  await assert.rejects(fillSmallDemo(t), /--anyway/);
  assert.equal(await countRows(t.db, "workspaces"), 1);
  assert.deepEqual(await titles(), before);
  const filled = await fillSmallDemo(t, true);
  assert.equal(filled.isNew, false);
  assert.equal(filled.administratorId, administratorId);
  assert.equal(await countRows(t.db, "workspaces"), 2);
  const projects = (await read("/api/projects")).data as { key: string }[];
  assert.deepEqual(
    projects.slice(3).map(({ key }) => key),
    ["SHOP2", "RIDE2", "DEPOT2"],
  );
  assert.deepEqual(
    await titles(),
    before
      .toSorted()
      .flatMap((title) => [title, title])
      .toSorted(),
  );
});

async function titles(): Promise<string[]> {
  const rows = await t.db.selectFrom("reports").select("title").orderBy("title").execute();
  return rows.map((row) => row.title);
}
