import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import {
  importFixture,
  serveAnswers,
  type Answers,
} from "../../../../../../test/support/answering-server.ts";
import { importHere } from "../../../../../../test/support/import.ts";
import { makePersonalToken, makeProject, makeWorkspace } from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const http = t.http.as(await makePersonalToken(t.db, admin.id));

const PROJECT = "/api/v1/workspaces/acme/projects/7b0c2a52-7f2f-4b63-9b1c-0d9f5d6a1e11/";
const bodies = (): Record<string, unknown> =>
  JSON.parse(readFileSync(importFixture("plane/answers.json"), "utf8")) as Record<string, unknown>;
const WORK_ITEM = "30000000-0000-4000-8000-000000000001";
const COMMENTS = `work-items/${WORK_ITEM}/comments/`;

/** A server of Plane, and an import from it into a new project. */
async function fresh(answers = bodies()) {
  const known: Answers = Object.fromEntries(
    Object.entries(answers).map(([path, body]) => [path, { body }] as const),
  );
  const server = await serveAnswers(known, { prefix: PROJECT });
  after(() => server.close());
  const project = await makeProject(t.db, workspaceId);
  return {
    known,
    server,
    run: (isDryRun = false, path = PROJECT) => {
      const from = { url: new URL(path, server.origin), token: "plane-token" };
      const addresses = { nora: admin.email };
      return importHere(t, { project, authorId: admin.id, kind: "plane", from, addresses, isDryRun });
    },
    issues: async () => {
      const { body } = await http.get(`/api/projects/${project.id}/issues`);
      const list = (Array.isArray(body) ? body : body.data) as { id: number; title: string }[];
      const details = [];
      for (const { id } of list) details.push((await http.get(`/api/issues/${id}`)).body);
      return new Map(details.map((issue) => [issue.title as string, issue]));
    },
  };
}

test("work items become issues with state, priority, labels, cycle, module and Markdown", async () => {
  const { run, issues, server } = await fresh();
  const { counts, leftOut } = await run();
  assert.deepEqual([counts.issues, counts.comments, leftOut], [4, 2, ["SHOP-5: It is a draft."]]);
  const all = await issues();
  const cart = all.get("Cart shows a wrong total");
  assert.equal(
    cart?.description,
    [
      "## Steps",
      "",
      "1. Put **two** books into the cart",
      "2. Remove one",
      "",
      "````",
      "total < 0",
      "````",
      "",
      "See [the log](https://example.com/a?b=1&c=2).",
    ].join("\n"),
  );
  assert.equal(cart?.priority, 0);
  assert.equal(cart?.due_on, "2026-07-01");
  assert.deepEqual(cart?.labels.map(({ name }: { name: string }) => name).toSorted(), ["Bug", "UI"]);
  assert.match(JSON.stringify(cart), /"Sprint 7"/);
  assert.deepEqual(
    ["Dark mode", "Old checkout", "Fax gateway"].map(
      (title) => all.get(title)?.closed_at?.slice(0, 10) ?? null,
    ),
    [null, "2026-06-20", "2026-06-21"],
  );
  assert.equal(all.get("Dark mode")?.imported_from.author_name, "ben");
  assert.ok(server.requests.every(({ headers }) => headers["x-api-key"] === "plane-token"));
});

test("a repeated import adds only new comments, and a dry run says the same numbers", async () => {
  const { run, known } = await fresh();
  const planned = await run(true);
  assert.deepEqual(planned.counts, (await run()).counts);
  const page = known[COMMENTS]?.body as { results: object[] };
  page.results.push({ ...page.results[0], id: "new", comment_html: "<p>One more</p>" });
  const { counts } = await run();
  assert.deepEqual([counts.issues, counts.comments, counts.already_there], [0, 1, 4]);
});

test("values of wrong types and hostile HTML lose no other work item", async () => {
  const answers = bodies();
  const page = answers["work-items/"] as { results: Record<string, unknown>[] };
  const [first] = page.results;
  page.results.push(
    { ...first, id: 5 },
    {
      ...first,
      id: "a",
      name: "Deep",
      description_html: "<ul><li>".repeat(20_000),
      labels: "x",
      assignees: [{}],
    },
    { ...first, id: "b", name: 7, priority: [], state: {} },
    {
      ...first,
      id: "c",
      name: "Script",
      description_html: '<script>alert(1)</script><a href="javascript:x">x</a>',
    },
    null as never,
    "text" as never,
  );
  for (const id of ["5", "a", "b", "c"]) answers[`work-items/${id}/comments/`] = { results: [null, 1, {}] };
  const { run, issues } = await fresh(answers);
  const { counts } = await run();
  assert.equal(counts.left_out, 1, "the draft");
  assert.equal((await issues()).get("Script")?.description, "x");
});

test("another address than that of a project is refused", async () => {
  const { run } = await fresh();
  await assert.rejects(run(false, "/acme/projects/"), /Give the address of the project in Plane's API/);
});
