import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import {
  importFixture,
  readAnswers,
  serveAnswers,
  type Answers,
} from "../../../../../../test/support/answering-server.ts";
import { importHere, writeTemporary } from "../../../../../../test/support/import.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const http = t.http.as(await makePersonalToken(t.db, admin.id));

const ISSUES = {
  sentry: "/api/0/organizations/acme/issues/",
  glitchtip: "/api/0/organizations/shop/issues/?query=&limit=3",
};

type Options = { path?: string; from?: Answers; sourceProject?: string; isDryRun?: boolean };

/** A new project, into which the answers of a server are imported. */
async function fresh(kind: "sentry" | "glitchtip") {
  const project = await makeProject(t.db, workspaceId);
  const server = await serveAnswers(readAnswers(kind));
  after(() => server.close());
  const groupsUrl = `/api/projects/${project.id}/error-groups`;
  return {
    server,
    run: ({ path, sourceProject, isDryRun }: Options = {}) => {
      const url = new URL(path ?? ISSUES[kind], server.origin);
      const from = { url, token: "secret-token" };
      return importHere(t, {
        project,
        authorId: admin.id,
        kind,
        from,
        ...(sourceProject === undefined ? {} : { sourceProject }),
        ...(isDryRun === undefined ? {} : { isDryRun }),
      });
    },
    groups: async () => {
      const { body } = await http.get(groupsUrl);
      const details = [];
      for (const { id } of body.data) details.push((await http.get(`${groupsUrl}/${id}`)).body);
      return new Map(details.map((group) => [group.exception_class as string, group]));
    },
    comments: async (id: number) => (await http.get(`${groupsUrl}/${id}/comments`)).body,
    send: async (envelope: string) => {
      const key = await makeIngestKey(t.db, project.id);
      const payload = readFileSync(importFixture(envelope));
      const url = `/api/${project.id}/envelope/?sentry_key=${key}`;
      const answer = await t.http.send({ method: "POST", url, payload });
      assert.equal(answer.status, 200, answer.text);
    },
  };
}

test("Sentry's issues become error groups with trace, state and counts", async () => {
  const { run, groups } = await fresh("sentry");
  const { counts, leftOut } = await run();
  assert.deepEqual(leftOut, []);
  assert.equal(counts.error_groups, 3);
  const all = await groups();
  const cart = all.get("TypeError");
  assert.equal(cart?.occurrence_count, 18_234);
  assert.equal(cart?.status, 0);
  assert.equal(cart?.latest_message, "Cannot read properties of null (reading 'total')");
  // What the browser sent, not what Sentry made of it.
  assert.equal(
    cart?.latest_stack_trace,
    [
      "    at total (https://shop.example.com/assets/cart-BkR3aZ1x.js:1:1180)",
      "    at r (https://shop.example.com/assets/cart-BkR3aZ1x.js:1:2201)",
      "    at Us (https://shop.example.com/assets/vendor-9f8e7d6c.js:1:9000)",
    ].join("\n"),
  );
  assert.deepEqual(
    [all.get("TimeoutError")?.status, all.get("Message")?.status, all.get("Message")?.environment],
    [2, 1, "staging"],
  );
  assert.equal(cart?.imported_from.url, "https://acme.sentry.io/issues/9001/");
});

for (const [kind, exceptionClass, envelope] of [
  ["sentry", "TypeError", "sentry/cart-error.envelope"],
  ["sentry", "TimeoutError", "envelopes/timeout.envelope"],
  ["glitchtip", "PaymentError", "envelopes/payment-error.envelope"],
  ["glitchtip", "Message", "envelopes/message.envelope"],
] as const)
  test(`an event that arrives later joins the imported group: ${kind}, ${exceptionClass}`, async () => {
    const { run, groups, send } = await fresh(kind);
    await run();
    const before = await groups();
    await send(envelope);
    const now = await groups();
    assert.equal(now.size, before.size);
    const [old, group] = [before.get(exceptionClass), now.get(exceptionClass)];
    assert.equal(group?.occurrence_count, old?.occurrence_count + 1);
    assert.equal(group?.latest_stack_trace, old?.latest_stack_trace);
    assert.equal(group?.latest_message, old?.latest_message);
  });

test("GlitchTip's issues are read page by page, with comments", async () => {
  const { run, groups, comments, server } = await fresh("glitchtip");
  const { counts } = await run();
  assert.deepEqual([counts.error_groups, counts.comments, counts.left_out], [4, 1, 0]);
  const all = await groups();
  assert.deepEqual(
    ["PaymentError", "KeyError", "TimeoutError", "Message"].map((name) => all.get(name)?.status),
    [0, 1, 2, 0],
  );
  assert.equal(all.get("Message")?.level, "warning");
  assert.match(JSON.stringify(await comments(all.get("PaymentError")?.id)), /Cards of one bank only/);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer secret-token"));
});

test("a repeated import creates nothing, and a dry run says the same numbers as the run", async () => {
  const { run, groups } = await fresh("glitchtip");
  const planned = await run({ isDryRun: true });
  assert.equal((await groups()).size, 0);
  const first = await run();
  assert.deepEqual(planned.counts, first.counts);
  const again = await run();
  assert.deepEqual(again.counts, {
    ...again.counts,
    error_groups: 0,
    comments: 0,
    already_there: 4,
    left_out: 0,
  });
  assert.equal((await groups()).size, 4);
});

test("only the issues of the named project are imported", async () => {
  const { run, groups } = await fresh("sentry");
  await run({ sourceProject: "backend" });
  assert.deepEqual([...(await groups()).keys()], ["TimeoutError"]);
});

test("the list of issues from a file is grouped by class and message", async () => {
  const answers = readAnswers("glitchtip");
  const issues = Object.entries(answers).flatMap(([path, { body }]) =>
    path.includes("/issues/?") ? (body as object[]) : [],
  );
  const broken = `[${issues.map((issue) => JSON.stringify(issue)).join(",\n")}, {"id": oops}, {"id": "7", "title": 5}]`;
  const { file, remove } = await writeTemporary("issues.json", broken);
  const project = await makeProject(t.db, workspaceId);
  const run = { project, authorId: admin.id, kind: "sentry" as const, from: { path: file } };
  const { counts, leftOut } = await importHere(t, run);
  await remove();
  assert.equal(counts.error_groups, 4);
  assert.deepEqual(leftOut, [
    "object 5: It is not valid JSON.",
    "object 6: It is not an issue of Sentry's API: id, title or times are missing.",
  ]);
});

test("values of wrong types, huge texts and NUL lose no other issue", async () => {
  const answers = readAnswers("sentry");
  const list = answers["/api/0/organizations/acme/issues/?query=&limit=100"] as { body: object[] };
  const [cart] = list.body as Record<string, unknown>[];
  const hostile = [
    null,
    7,
    [],
    {},
    { ...cart, id: { a: 1 } },
    { ...cart, id: "1", metadata: { type: ["x"], value: 7 }, title: "T\0itle", count: -5, permalink: {} },
    {
      ...cart,
      id: "2",
      metadata: { type: "E".repeat(100_000), value: "v".repeat(1_000_000) },
      count: "many",
    },
    { ...cart, id: "../../users", assignedTo: "x", numComments: "2", firstSeen: "yesterday" },
  ];
  const server = await serveAnswers({ "/api/0/organizations/acme/issues/": { body: [...hostile, cart] } });
  const project = await makeProject(t.db, workspaceId);
  const { counts, leftOut } = await importHere(t, {
    project,
    authorId: admin.id,
    kind: "sentry",
    from: { url: new URL("/api/0/organizations/acme/", server.origin), token: null },
  });
  await server.close();
  assert.equal(counts.error_groups, 3, leftOut.join("\n"));
  assert.equal(leftOut.length, 6);
  assert.ok(server.requests.every(({ path }) => path.startsWith("/api/0/")));
});

test("another address than that of an organization is refused", async () => {
  const { run } = await fresh("sentry");
  await assert.rejects(
    run({ path: "/api/0/projects/acme/web/issues/" }),
    /Give the address of the organization/,
  );
});
