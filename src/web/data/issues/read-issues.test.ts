import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { api } from "../../api/client.ts";
import { isChangedSince, lastChange } from "../../state/changed-rows.ts";
import { readIssues } from "./read-issues.ts";

const AT = "2026-11-20T10:00:00.000000Z";
const LATER = "2026-11-20T11:00:00.000000Z";

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({
    id,
    project_id: 1,
    title: `Issue ${id}`,
    created_at: AT,
    updated_at: AT,
    epic_id: null,
    sprint_id: null,
    assignee_id: null,
    ...fields,
  }) as Issue;

const LIST = ["issue", 1, "list", { sort: "-created_at" }];

let client: QueryClient;
let requests: string[] = [];
let respond: (path: string) => Response | Promise<Response> = () => Response.json({}, { status: 500 });
let stops: (() => void)[] = [];
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  requests = [];
  mock.method(globalThis, "fetch", async (path: string) => {
    requests.push(path);
    return respond(path);
  });
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  client.clear();
  mock.restoreAll();
});

/** A list on screen: what it shows, and how often it was refetched. */
function show(key: unknown[], rows: Issue[], next: () => Promise<Issue[]> = () => Promise.resolve(rows)) {
  const list = { refetches: 0 };
  client.setQueryData(key, rows);
  const observer = new QueryObserver<Issue[]>(client, {
    queryKey: key,
    queryFn: () => {
      list.refetches++;
      return next();
    },
  });
  stops.push(observer.subscribe(() => {}));
  return list;
}

const serves = (...issues: Issue[]) => {
  respond = (path) => {
    const ids = new URL(path, "http://localhost").searchParams.get("ids")?.split(",").map(Number);
    return Response.json({ data: issues.filter(({ id }) => ids?.includes(id)), meta: { next_cursor: null } });
  };
};

const titles = (key: unknown[] = LIST) => client.getQueryData<Issue[]>(key)?.map(({ title }) => title);

/** Resolves when the reading that was started has marked the lists stale, which it does last. */
const finished = (key: unknown[] = LIST) =>
  new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(({ query, type }) => {
      if (type !== "updated" || query.queryHash !== JSON.stringify(key) || !query.state.isInvalidated) return;
      stop();
      resolve();
    });
  });

test("changed issues are read with one request and put into the lists", async () => {
  const list = show(LIST, [issue(2), issue(1)]);
  serves(issue(1, { title: "New", updated_at: LATER }), issue(2, { title: "Newer", updated_at: LATER }));
  assert.equal(readIssues(client, 1, [1, 2]), 1);
  await finished();
  assert.deepEqual(requests, ["/api/projects/1/issues?ids=1,2&limit=200"]);
  assert.deepEqual([titles(), list.refetches], [["Newer", "New"], 0]);
});

test("more issues than the server answers at once refetch the lists instead", () => {
  const list = show(LIST, [issue(2), issue(1)]);
  const hidden = ["issue", 1, "list", {}];
  client.setQueryData(hidden, []);
  const ids = Array.from({ length: 201 }, (_, index) => index + 1);
  assert.equal(readIssues(client, 1, ids), 1);
  assert.deepEqual([requests, list.refetches], [[], 1]);
  assert.equal(client.getQueryState(hidden)?.isInvalidated, true);
});

test("without issues on screen nothing is read, and the lists are stale for the next page", () => {
  client.setQueryData(LIST, []);
  assert.equal(readIssues(client, 1, [1]), 0);
  assert.deepEqual(requests, []);
  assert.equal(client.getQueryState(LIST)?.isInvalidated, true);
});

test("an issue that the server no longer answers leaves the lists", async () => {
  show(LIST, [issue(2), issue(1)]);
  serves(issue(2));
  readIssues(client, 1, [1, 2]);
  await finished();
  assert.deepEqual(titles(), ["Issue 2"]);
});

for (const status of [404, 403])
  test(`issues of a project that is answered with ${status} leave the lists`, async () => {
    show(LIST, [issue(2), issue(1)]);
    respond = () => Response.json({ message: "No." }, { status });
    readIssues(client, 1, [1]);
    await finished();
    assert.deepEqual(titles(), ["Issue 2"]);
  });

test("an issue that cannot be read stays as it is", async () => {
  show(LIST, [issue(1)]);
  respond = () => Response.json({ message: "Broken." }, { status: 500 });
  readIssues(client, 1, [1]);
  await finished();
  assert.deepEqual(titles(), ["Issue 1"]);
});

test("a read that is rate-limited is retried after the time the server names", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    show(LIST, [issue(1)]);
    const limited = Promise.withResolvers<void>();
    respond = () => {
      limited.resolve();
      return Response.json({}, { status: 429, headers: { "retry-after": "7" } });
    };
    const done = finished();
    readIssues(client, 1, [1]);
    await limited.promise;
    await new Promise(setImmediate);
    serves(issue(1, { title: "New", updated_at: LATER }));
    mock.timers.tick(6_999);
    assert.equal(requests.length, 1);
    mock.timers.tick(1);
    await done;
    assert.deepEqual([requests.length, titles()], [2, ["New"]]);
  } finally {
    mock.timers.reset();
  }
});

test("an older version than the cached one is ignored", async () => {
  show(LIST, [issue(1, { title: "Newer", updated_at: LATER })]);
  serves(issue(1, { title: "Older" }));
  readIssues(client, 1, [1]);
  await finished();
  assert.deepEqual(titles(), ["Newer"]);
});

test("an older version than that of the issue's page is ignored", async () => {
  const page = ["issue", 1, "one", "WEB-1"];
  client.setQueryData(page, issue(1, { title: "Newer", updated_at: LATER }));
  show(LIST, [issue(2)]);
  serves(issue(1, { title: "Older" }));
  readIssues(client, 1, [1]);
  await finished();
  assert.equal(client.getQueryData<Issue>(page)?.title, "Newer");
});

test("an issue that this page is changing keeps the optimistic value", async () => {
  show(LIST, [issue(1, { title: "Mine" }), issue(2)]);
  serves(issue(1, { title: "Theirs", updated_at: LATER }), issue(2, { title: "New", updated_at: LATER }));
  const saved = Promise.withResolvers<void>();
  const mutation = client.getMutationCache().build<unknown, Error, { id: number }, unknown>(client, {
    mutationKey: ["issue", 1],
    mutationFn: () => saved.promise,
  });
  const saving = mutation.execute({ id: 1 });
  readIssues(client, 1, [1, 2]);
  await finished();
  assert.deepEqual(titles(), ["Mine", "New"]);
  saved.resolve();
  await saving;
});

test("an issue is marked as changed unless the cache has this version or the page is writing", async () => {
  show(LIST, [issue(1), issue(2), issue(3)]);
  const marked = (since: number) => [1, 2, 3, 4].filter((id) => isChangedSince("issue", String(id), since));
  serves(issue(1, { updated_at: LATER }), issue(2), issue(3, { rank: "b" }), issue(4));
  const before = lastChange();
  readIssues(client, 1, [1, 2, 3, 4]);
  await finished();
  assert.deepEqual(marked(before), [1, 3, 4]);

  const written = Promise.withResolvers<Response>();
  respond = () => written.promise;
  const writing = api.post("/api/projects/1/issues/1/move");
  serves(issue(1, { updated_at: "2026-11-20T12:00:00.000000Z" }));
  const between = lastChange();
  readIssues(client, 1, [1]);
  await finished();
  assert.deepEqual(marked(between), []);
  written.resolve(Response.json({}));
  await writing;
});

test("a list in flight does not overwrite an issue read after it", async () => {
  const response = Promise.withResolvers<Issue[]>();
  show(LIST, [issue(1)], () => response.promise);
  void client.refetchQueries({ queryKey: LIST });
  serves(issue(1, { title: "New", updated_at: LATER }));
  readIssues(client, 1, [1]);
  await new Promise(setImmediate);
  assert.deepEqual(requests, []);
  const done = finished();
  response.resolve([issue(1, { title: "Read before the change" })]);
  await done;
  assert.deepEqual(titles(), ["New"]);
});

test("counts and the activity of the issue are refetched, other activity is not", async () => {
  show(LIST, [issue(1)]);
  serves(issue(1));
  const keys = [
    ["issue", 1, "lane-count", 4],
    ["issue", 1, "activity", 1],
    ["issue", 1, "activity", 2],
    ["issue", 2, "lane-count", 5],
  ];
  for (const key of keys) client.setQueryData(key, []);
  readIssues(client, 1, [1]);
  await finished();
  await new Promise(setImmediate);
  assert.deepEqual(
    keys.map((key) => client.getQueryState(key)?.isInvalidated),
    [true, true, false, false],
  );
});
