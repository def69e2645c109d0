import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool } from "../../../../../test/support/mcp.ts";
import { openMcpProject } from "../../../../../test/support/mcp-project.ts";

const { t, project, key, path, elsewhere, agent, reader, scoped, workspace } = await openMcpProject();
const { admin } = project;
const other = (await elsewhere.admin.post(`/api/projects/${elsewhere.id}/issues`, { title: "Secret plan" }))
  .body as { id: number; key: string };

const create = async (title: string, more: object = {}) =>
  (await admin.post(`${path}/issues`, { title, ...more })).body as { id: number; key: string };

const countIssues = async () => {
  const { count } = await t.db
    .selectFrom("issues")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

test("create_issue creates an issue with the API's fields and returns its key and link", async () => {
  const input = { project: key, title: "Keep the coupon", description: "It is lost.", type: 1, priority: 1 };
  const { isError, text, structured } = await callTool(agent, "create_issue", input);
  assert.equal(isError, false, text);
  const { body } = await admin.get(`${path}/issues/${structured.key}`);
  assert.deepEqual(
    [body.title, body.description, body.type, body.priority, body.created_by],
    ["Keep the coupon", "It is lost.", 1, 1, workspace.admin.id],
  );
  assert.equal(structured.url, `http://localhost:3000/projects/${key}/issues/${structured.key}`);
  assert.ok(text.startsWith(`# ${structured.key}: Keep the coupon\n`), text);
});

test("create_issue names each invalid field, and creates nothing", async () => {
  const before = await countIssues();
  const cases: [object, RegExp][] = [
    [{ project: key }, /^title is required\.$/],
    [{ title: "A" }, /^project is required\.$/],
    [{ project: key, title: "" }, /^title /],
    [{ project: key, title: "A", priority: 9 }, /^priority must be from 0 \(highest\) to 4 \(lowest\)\.$/],
    [{ project: key, title: "A", lane_id: 999_999 }, /^lane_id /],
    [{ project: key, title: "A", titel: "B" }, /^create_issue has no argument titel\.$/],
    [{ project: key, title: "A", max_tokens: 5 }, /^max_tokens must be/],
    [{ project: [1], title: "A" }, /^project must be/],
  ];
  for (const [input, message] of cases) {
    const { isError, text } = await callTool(agent, "create_issue", { ...input });
    assert.equal(isError, true, JSON.stringify(input));
    assert.match(text, message);
  }
  assert.equal(await countIssues(), before);
});

test("a writing tool called without the write scope says so, and changes nothing", async () => {
  const before = await countIssues();
  const refused = await callTool(reader, "create_issue", { project: key, title: "No" });
  assert.deepEqual([refused.isError, refused.text], [true, "The token has no write scope."]);
  const reading = await scoped(["issues:read"]);
  const scope = await callTool(reading, "create_issue", { project: key, title: "No" });
  assert.deepEqual([scope.isError, scope.text], [true, "The token lacks the scope issues:write."]);
  const area = await callTool(await scoped(["errors:write"]), "create_issue", { project: key, title: "No" });
  assert.equal(area.isError, true);
  assert.equal(await countIssues(), before);
});

test("a project that the caller cannot access is not found, like one that does not exist", async () => {
  const messages = new Set<string>();
  for (const [name, more] of [
    ["create_issue", { title: "No" }],
    ["list_issues", {}],
    ["list_error_groups", {}],
    ["list_reports", {}],
    ["list_releases", {}],
    ["get_release", { version: "1" }],
    ["similar", { title: "No" }],
    ["search", { query: "secret" }],
    ["promote_reports", { report_ids: [1], title: "No", description: "No" }],
  ] as const)
    for (const ref of [elsewhere.id, 999_999, "NOPE"]) {
      const { isError, text } = await callTool(agent, name, { project: ref, ...more });
      assert.equal(isError, true, `${name} ${ref}`);
      messages.add(text);
    }
  assert.deepEqual(
    [...messages],
    ["project: Project not found. It may not exist, or the token may not read it."],
  );
});

test("get_issue finds an issue by key in any case or by id, and nothing of other projects", async () => {
  const issue = await create("Find me");
  for (const ref of [issue.key, issue.key.toLowerCase(), issue.id, String(issue.id)]) {
    const { text, structured } = await callTool(agent, "get_issue", { issue: ref });
    assert.deepEqual([structured.id, structured.key], [issue.id, issue.key], text);
    assert.ok(structured.lanes.length > 0);
  }
  const missing = await callTool(agent, "get_issue", { issue: 999_999 });
  for (const ref of [other.id, other.key, `${key}-9999`, "../1", "", "0"])
    assert.deepEqual(await callTool(agent, "get_issue", { issue: ref }), missing);
  assert.match(missing.text, /^issue: Issue not found/);
});

test("a token for another area does not find an issue", async () => {
  const issue = await create("Hidden");
  const { isError, text } = await callTool(await scoped(["errors:write"]), "get_issue", { issue: issue.key });
  assert.equal(isError, true);
  assert.match(text, /^issue: Issue not found/);
});

test("update_issue changes the given fields only, and null clears one", async () => {
  const issue = await create("Old title", { due_on: "2026-12-24", priority: 3 });
  const changed = await callTool(agent, "update_issue", {
    issue: issue.key,
    title: "New title",
    due_on: null,
  });
  assert.equal(changed.isError, false, changed.text);
  const { body } = await admin.get(`${path}/issues/${issue.id}`);
  assert.deepEqual([body.title, body.due_on, body.priority], ["New title", null, 3]);
});

test("update_issue changes nothing of other projects, without fields, or with an invalid one", async () => {
  const issue = await create("Stays");
  for (const input of [
    { issue: other.key, title: "Taken over" },
    { issue: issue.key },
    { issue: issue.key, title: "Changed", assignee_id: 999_999 },
    { issue: issue.key, title: null },
  ])
    assert.equal((await callTool(agent, "update_issue", input)).isError, true, JSON.stringify(input));
  assert.equal(
    (await callTool(reader, "update_issue", { issue: issue.key, title: "Changed" })).isError,
    true,
  );
  assert.equal((await admin.get(`${path}/issues/${issue.id}`)).body.title, "Stays");
  const { title } = (await elsewhere.admin.get(`/api/projects/${elsewhere.id}/issues/${other.id}`)).body;
  assert.equal(title, "Secret plan");
});

test("list_issues takes the API's filters, and names a wrong one", async () => {
  const issue = await create("Filtered", { priority: 0, type: 1 });
  const { structured } = await callTool(agent, "list_issues", {
    project: key,
    priority: 0,
    type: 1,
    query: "filter",
  });
  assert.deepEqual(
    structured.issues.map(({ key }: { key: string }) => key),
    [issue.key],
  );
  const wrong = await callTool(agent, "list_issues", { project: key, sort: "colour" });
  assert.equal(wrong.isError, true);
  assert.match(wrong.text, /^sort must be one of/);
  const cursor = await callTool(agent, "list_issues", { project: key, cursor: "nonsense" });
  assert.match(cursor.text, /^cursor /);
});

test("a list that was cut ends with how many are shown and the cursor of the next ones", async () => {
  for (let n = 0; n < 30; n++) await create(`Long list ${n} ${"word ".repeat(20)}`);
  const input = { project: key, query: "long list", limit: 30, max_tokens: 600 };
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const { text, structured } = await callTool(agent, "list_issues", {
      ...input,
      ...(cursor && { cursor }),
    });
    assert.ok(text.length <= 2_400, String(text.length));
    seen.push(...structured.issues.map(({ id }: { id: number }) => id));
    cursor = structured.next_cursor ?? undefined;
    if (cursor)
      assert.ok(
        text.endsWith(
          `\nShowing ${structured.issues.length} of 30. Next: cursor ${JSON.stringify(cursor)}\n`,
        ),
        text,
      );
  } while (cursor);
  assert.deepEqual([seen.length, new Set(seen).size], [30, 30]);
});

test("similar finds issues of the project", async () => {
  const issue = await create("Checkout rejects gift cards");
  const { structured } = await callTool(agent, "similar", {
    project: key,
    title: "Checkout rejects a gift card",
  });
  assert.equal(structured.items[0].key, issue.key);
});

test("search finds what the token may read, in all projects or in one", async () => {
  const issue = await create("Zanzibar");
  await elsewhere.admin.post(`/api/projects/${elsewhere.id}/issues`, { title: "Zanzibar elsewhere" });
  for (const more of [{}, { project: key }, { kind: "issue,comment" }]) {
    const { structured } = await callTool(agent, "search", { query: "zanzibar", ...more });
    assert.deepEqual(
      structured.results.map(({ key }: { key: string }) => key),
      [issue.key],
    );
  }
  assert.match((await callTool(agent, "search", { query: "x", kind: "planet" })).text, /^kind must be/);
  assert.match((await callTool(agent, "search", { query: " " })).text, /^query must not be blank/);
});

test("comment adds a comment to exactly one object that the caller may read", async () => {
  const issue = await create("Discuss");
  const added = await callTool(agent, "comment", { issue: issue.key, content: "Caused by cart.ts:12" });
  assert.equal(added.isError, false, added.text);
  for (const input of [
    { content: "No target" },
    { content: "Two", issue: issue.key, epic_id: 1 },
    { content: "Foreign", issue: other.key },
    { content: "Missing", epic_id: 999_999 },
    { content: "", issue: issue.key },
  ])
    assert.equal((await callTool(agent, "comment", input)).isError, true, JSON.stringify(input));
  assert.equal((await callTool(reader, "comment", { issue: issue.key, content: "No" })).isError, true);
  const { data } = (await admin.get(`${path}/issues/${issue.id}/comments`)).body;
  assert.deepEqual(
    data.map(({ content }: { content: string }) => content),
    ["Caused by cart.ts:12"],
  );
});
