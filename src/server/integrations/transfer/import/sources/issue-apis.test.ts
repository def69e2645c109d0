import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, test } from "node:test";
import { openBoard } from "../../../../../../test/support/board.ts";
import { importHere } from "../../../../../../test/support/import.ts";
import { makeWorkspace } from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that plays the other tracker, and the requests that it got. */
async function serve(answer: Answer) {
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", authorization: request.headers.authorization });
      answer(request, response, Buffer.concat(chunks).toString());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, requests };
}

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

const readFixture = async (name: string) =>
  await readFile(path.join(import.meta.dirname, "../../../../../../test/fixtures/import", name), "utf8");

async function open(kind: "github" | "linear", url: string, token: string | null = "secret") {
  const board = await openBoard(t, workspace);
  const from = { url: new URL(url), token };
  const run = (more = {}) => importHere(t, { project: board, authorId: board.adminId, kind, from, ...more });
  const issues = async () => (await board.admin.get(`${board.issues}?sort=created_at`)).body.data;
  const comments = async (id: number) =>
    (await board.admin.get(`${board.issues}/${id}/comments`)).body.data.map(
      ({ content }: { content: string }) => content,
    );
  return { ...board, run, issues, comments };
}

const github = async (change: (issues: string, origin: string) => string = (issues) => issues) => {
  const [issues, comments] = [
    await readFixture("github/issues.json"),
    await readFixture("github/comments.json"),
  ];
  const server = await serve((request, response) => {
    const url = new URL(request.url ?? "", server.origin);
    if (url.pathname.endsWith("/comments")) return json(response, JSON.parse(comments));
    const local = change(issues.replaceAll("https://api.github.com/", `${server.origin}/`), server.origin);
    const page = Number(url.searchParams.get("page") ?? 1);
    const all: unknown[] = JSON.parse(local);
    const next =
      page < all.length
        ? { link: `<${server.origin}${url.pathname}?page=${page + 1}>; rel="next", <x>; rel="last"` }
        : undefined;
    return json(response, all.slice(page - 1, page), next);
  });
  return { ...server, url: `${server.origin}/repos/shop/web/issues` };
};

test("GitHub: the pages of an address are followed, with the comments of each issue and the token", async () => {
  const server = await github();
  const board = await open("github", server.url);
  const { counts } = await board.run();
  assert.deepEqual([counts.issues, counts.comments], [2, 2]);
  const [first] = await board.issues();
  assert.deepEqual(await board.comments(first.id), [
    "**hubot** wrote:\n\nI can reproduce this.",
    "Fixed in #2",
  ]);
  assert.equal(first.imported_from.url, "https://github.com/shop/web/issues/1");
  assert.ok(server.requests.every(({ authorization }) => authorization === "Bearer secret"));
  assert.match(server.requests[0]?.path as string, /state=all&sort=created&direction=asc&per_page=100/);
  assert.equal(server.requests.filter(({ path: asked }) => asked.includes("/comments")).length, 1);
});

test("GitHub: a page or comments on another server are never asked with the token", async () => {
  const other = await serve((_request, response) => json(response, []));
  const elsewhere = await github((issues, origin) =>
    issues.replaceAll(`${origin}/repos/shop/web/issues/1/comments`, `${other.origin}/comments`),
  );
  const board = await open("github", elsewhere.url);
  assert.deepEqual((await board.run()).counts.comments, 0);
  const paged = await serve((_request, response) =>
    json(response, [], { link: `<${other.origin}/page2>; rel="next"` }),
  );
  await assert.rejects(
    (await open("github", `${paged.origin}/repos/shop/web/issues`)).run(),
    /continues on another server/,
  );
  assert.deepEqual(other.requests, []);
});

test("GitHub: after a rate limit the request is repeated", async () => {
  let count = 0;
  const server = await serve((_request, response) => {
    if (++count === 1) response.writeHead(403, { "retry-after": "0" }).end();
    else json(response, []);
  });
  await (await open("github", `${server.origin}/repos/shop/web/issues`)).run();
  assert.equal(count, 2);
});

test("GitHub: a refused token is reported, and an address that is no repository is not asked", async () => {
  const server = await serve((_request, response) => response.writeHead(401).end());
  await assert.rejects(
    (await open("github", `${server.origin}/repos/shop/web/issues`)).run(),
    /Set IMPORT_TOKEN/,
  );
  await assert.rejects(
    (await open("github", `${server.origin}/shop`)).run(),
    /Give the address of a repository/,
  );
  assert.equal(server.requests.length, 1);
});

const linearIssue = (n: number, more = {}) => ({
  id: `uuid-${n}`,
  identifier: `SHOP-${n}`,
  title: `Issue ${n}`,
  description: "Text",
  priority: 1,
  url: `https://linear.app/shop/issue/SHOP-${n}`,
  createdAt: "2025-03-01T10:00:00.000Z",
  updatedAt: "2025-03-02T10:00:00.000Z",
  completedAt: null,
  canceledAt: null,
  dueDate: "2025-03-20",
  state: { name: "In Review", type: "started" },
  creator: { name: "Ada", email: "ada@example.com" },
  assignee: null,
  labels: { nodes: [{ name: "Bug" }] },
  cycle: { name: null, number: 7 },
  project: { name: "Checkout" },
  comments: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
  ...more,
});

const comment = (n: number) => ({
  id: `c${n}`,
  body: `Comment ${n}`,
  createdAt: `2025-03-0${n}T10:00:00.000Z`,
  user: { name: "Ada", email: "ada@example.com" },
});

test("Linear: the API's pages of issues and of comments are read with the key", async () => {
  const server = await serve((_request, response, body) => {
    const { query, variables } = JSON.parse(body);
    const last = { hasNextPage: false, endCursor: null };
    if (query.startsWith("query Comments"))
      return json(response, { data: { issue: { comments: { nodes: [comment(1)], pageInfo: last } } } });
    const issues =
      variables.after === null
        ? {
            nodes: [
              linearIssue(1, {
                comments: { nodes: [comment(2)], pageInfo: { hasNextPage: true, endCursor: "c" } },
              }),
            ],
            pageInfo: { hasNextPage: true, endCursor: "i" },
          }
        : {
            nodes: [linearIssue(2, { state: { name: "Dropped", type: "canceled" }, priority: 0 })],
            pageInfo: last,
          };
    return json(response, { data: { issues } });
  });
  const board = await open("linear", `${server.origin}/graphql`);
  const { counts } = await board.run();
  assert.deepEqual([counts.issues, counts.comments], [2, 2]);
  const [first, second] = await board.issues();
  assert.deepEqual(await board.comments(first.id), [
    "**Ada** wrote:\n\nComment 1",
    "**Ada** wrote:\n\nComment 2",
  ]);
  assert.deepEqual(
    [first.priority, first.lane_id, first.due_on, first.imported_from.id],
    [0, board.lanes.doing, "2025-03-20", "uuid-1"],
  );
  assert.deepEqual([second.priority, second.lane_id], [2, board.lanes.done]);
  assert.ok(server.requests.every(({ authorization }) => authorization === "secret"));
});

test("Linear: an error of the API and a missing key are reported", async () => {
  const server = await serve((_request, response) =>
    json(response, { errors: [{ message: "Authentication required" }] }),
  );
  await assert.rejects(
    (await open("linear", `${server.origin}/graphql`)).run(),
    /Linear answers: Authentication required\./,
  );
  await assert.rejects((await open("linear", `${server.origin}/graphql`, null)).run(), /Set IMPORT_TOKEN/);
});
