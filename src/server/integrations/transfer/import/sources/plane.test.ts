import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import {
  importFixture,
  serveAnswers,
  type Answers,
} from "../../../../../../test/support/answering-server.ts";
import { openBoard } from "../../../../../../test/support/board.ts";
import { importHere } from "../../../../../../test/support/import.ts";
import { makeWorkspace } from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

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
  const board = await openBoard(t, workspace);
  const names = async (list: string, field: string) => {
    const { data } = (await board.admin.get(`${board.url}/${list}`)).body as { data: Issue[] };
    return (id: unknown) => data.find((row) => row["id"] === id)?.[field];
  };
  return {
    known,
    server,
    names,
    run: (isDryRun = false, path = PROJECT) => {
      const from = { url: new URL(path, server.origin), token: "plane-token" };
      return importHere(t, { project: board, authorId: board.adminId, kind: "plane", from, isDryRun });
    },
    issues: async () => {
      const { data } = (await board.admin.get(`${board.issues}?sort=created_at`)).body as { data: Issue[] };
      return new Map(data.map((issue) => [issue["title"], issue]));
    },
    comments: async (id: unknown): Promise<string> =>
      JSON.stringify((await board.admin.get(`${board.issues}/${Number(id)}/comments`)).body),
  };
}

type Issue = Record<string, unknown>;

test("work items become issues with state, priority, labels, cycle, module and Markdown", async () => {
  const { run, issues, names, comments, server } = await fresh();
  const { counts, leftOut } = await run();
  assert.deepEqual([counts.issues, counts.comments, leftOut], [4, 2, ["SHOP-5: It is a draft."]]);
  const all = await issues();
  const cart = all.get("Cart shows a wrong total");
  assert.equal(
    cart?.["description"],
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
  assert.deepEqual([cart?.["priority"], cart?.["due_on"]], [0, "2026-07-01"]);
  const label = await names("labels", "name");
  assert.deepEqual(((cart?.["label_ids"] ?? []) as number[]).map(label).toSorted(), ["Bug", "UI"]);
  assert.equal((await names("sprints", "name"))(cart?.["sprint_id"]), "Sprint 7");
  assert.equal((await names("epics", "title"))(cart?.["epic_id"]), "Checkout");
  assert.match(await comments(cart?.["id"]), /Happens with `EUR` only.*- \[x\] Reproduced\\n- \[ \] Fixed/s);
  assert.deepEqual(
    ["Dark mode", "Old checkout", "Fax gateway"].map(
      (title) => (all.get(title)?.["closed_at"] as string | null)?.slice(0, 10) ?? null,
    ),
    [null, "2026-06-20", "2026-06-21"],
  );
  assert.equal((await names("lanes", "name"))(cart?.["lane_id"]), "In progress");
  assert.match(JSON.stringify(all.get("Dark mode")?.["imported_from"]), /"author_name":"ben"/);
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
    { ...first, id: {} },
    {
      ...first,
      id: "a",
      name: "Deep",
      description_html: "<ul><li>".repeat(20_000),
      labels: "x",
      assignees: [{}],
    },
    { ...first, id: "b", name: [7], priority: [], state: {} },
    {
      ...first,
      id: "c",
      name: "Script",
      description_html: '<script>alert(1)</script><a href="javascript:x">x</a>',
    },
    null as never,
    "text" as never,
  );
  for (const id of ["a", "b", "c"]) answers[`work-items/${id}/comments/`] = { results: [null, 1, {}] };
  const { run, issues } = await fresh(answers);
  const { leftOut } = await run();
  assert.deepEqual(leftOut, [
    "a work item: It has no id.",
    "SHOP-1: It has no title.",
    "SHOP-5: It is a draft.",
  ]);
  assert.equal((await issues()).get("Script")?.["description"], "x");
});

test("another address than that of a project is refused", async () => {
  const { run } = await fresh();
  await assert.rejects(run(false, "/acme/projects/"), /Give the address of the project in Plane's API/);
});
