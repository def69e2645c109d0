import { optimisticKey } from "./cache/use-optimistic.ts";
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { fakeBrowser } from "../../../test/support/fake-event-source.ts";
import type { LiveEvent } from "../../shared/live-changes.ts";
import { listenLive, type ReadChanged } from "./live.ts";

let client: QueryClient;
let stops: (() => void)[] = [];
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  client.clear();
});

type Readers = { issue?: ReadChanged; report?: ReadChanged };

function listen(options: { isHeld?: () => boolean; readers?: Readers } = {}) {
  const { connections, openTab } = fakeBrowser();
  const states: string[] = [];
  const { close } = listenLive(client, 1, {
    ...options,
    onOpen: () => states.push("open"),
    onLost: () => states.push("lost"),
    browser: openTab().browser,
    now: () => Date.now(),
  });
  stops.push(close);
  mock.timers.tick(100);
  const source = () => connections.at(-1)!;
  source().open();
  return {
    source,
    states,
    stop: close,
    send: (change: Partial<LiveEvent>) => source().send({ id: 1, ...change }),
  };
}

/** Fills the cache with fresh queries, and says which of them have become stale. */
function cached(...keys: unknown[][]) {
  for (const key of keys) client.setQueryData(key, []);
  return () => keys.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => key.join(" "));
}

test("a change makes the queries of its kind and project stale, and those over all projects", () => {
  const staleKeys = cached(
    ["report", 1, "list"],
    ["report", 2, "list"],
    ["report", null, "list"],
    ["error_group", 1, "list"],
    ["error_group", null, "list"],
  );
  listen().send({ kind: "report", project_id: 1 });
  mock.timers.tick(1_000);
  assert.deepEqual(staleKeys(), ["report 1 list", "report  list"]);
});

const STALE: [Partial<LiveEvent>, string[]][] = [
  [{ kind: "issue", project_id: 1 }, ["epic 1", "issue 1"]],
  [
    { kind: "comment", project_id: 1, commentable_type: "issues", commentable_id: 5 },
    ["comment 1", "issue 1"],
  ],
  [{ kind: "comment", project_id: 1, commentable_type: "epics", commentable_id: 5 }, ["comment 1"]],
  [{ kind: "error_group", project_id: 1 }, ["error_group 1", "kept_event 1", "release 1"]],
  [{ kind: "release", project_id: 1 }, ["kept_event 1", "release 1"]],
  [{ kind: "epic", project_id: 1 }, ["epic 1"]],
  [
    { kind: "project", project_id: 1 },
    ["ingest_key 1", "label 1", "lane 1", "member 1", "people 1", "sprint 1", "token 1"],
  ],
  [{ kind: "workspace", project_id: null }, ["member 1", "people 1"]],
];

for (const [change, expected] of STALE)
  test(`stale after a change of kind ${change.kind}, ${change.commentable_type ?? "no"} target: ${expected.join(", ")}`, () => {
    const kinds = [
      "comment",
      "epic",
      "error_group",
      "ingest_key",
      "issue",
      "kept_event",
      "label",
      "lane",
      "member",
      "people",
      "release",
      "sprint",
    ];
    const staleKeys = cached(...[...kinds, "token"].map((kind) => [kind, 1]));
    listen().send(change);
    mock.timers.tick(1_000);
    assert.deepEqual(staleKeys(), expected);
  });

test("an unknown kind changes nothing", () => {
  const staleKeys = cached(["issue", 1], ["report", 1]);
  listen().send({ kind: "milestone" as LiveEvent["kind"], project_id: 1 });
  mock.timers.tick(1_000);
  assert.deepEqual(staleKeys(), []);
});

test("a notification about an unknown project makes the list of projects stale", () => {
  const staleKeys = cached(["notification", null, "list"]);
  client.setQueryData(["project", null, "list"], [{ id: 1 }]);
  const isListStale = () => client.getQueryState(["project", null, "list"])?.isInvalidated;
  const { send } = listen();
  send({ kind: "notification", project_id: 1 });
  mock.timers.tick(1_000);
  assert.deepEqual([staleKeys().length, isListStale()], [1, false]);
  send({ kind: "notification", project_id: 2 });
  mock.timers.tick(5_000);
  assert.equal(isListStale(), true);
});

test("the counts of a project without monitors become stale when it gets one, and not with later changes", () => {
  const staleKeys = cached(["monitor", 1, "list"]);
  const areCountsStale = () => client.getQueryState(["counts", 1])?.isInvalidated;
  const { send } = listen();
  client.setQueryData(["counts", 1], { monitors: 2 });
  send({ kind: "monitor", project_id: 1 });
  mock.timers.tick(1_000);
  assert.deepEqual([staleKeys().length, areCountsStale()], [1, false]);
  client.setQueryData(["counts", 1], { monitors: 0 });
  send({ kind: "monitor", project_id: 1 });
  mock.timers.tick(5_000);
  assert.equal(areCountsStale(), true);
});

test("a change of the profile makes it, its tokens and the lists of projects and workspaces stale", () => {
  const staleKeys = cached(
    ["profile"],
    ["own_token", null],
    ["own_session", null],
    ["project", null, "list"],
    ["workspace", null, "list"],
    ["role", null, 1],
  );
  listen().send({ kind: "profile", project_id: null });
  mock.timers.tick(1_000);
  assert.deepEqual(staleKeys(), ["profile", "own_token ", "project  list", "workspace  list"]);
});

for (const [key, mutationKey, what] of [
  [["profile"], optimisticKey(["profile"]), "the profile is not read while this page saves a change of it"],
  [
    ["comment", 1, "issues", 2],
    optimisticKey(["comment", 1, "issues", 2]),
    "the comments are not read while this page pins one",
  ],
  [
    ["error_group", 1, "list"],
    optimisticKey(["error_group", null, "status"]),
    "the errors of a project are not read while this page resolves errors of any project",
  ],
  [["project", null, "list"], ["project"], "the list of projects is not read while this page deletes one"],
  [
    ["workspace", null, "list"],
    ["workspace"],
    "the list of workspaces is not read while this page deletes one",
  ],
] as const)
  test(what, async () => {
    const [kind] = key;
    const staleKeys = cached([...key]);
    const saved = Promise.withResolvers<void>();
    const saving = client
      .getMutationCache()
      .build(client, { mutationKey: [...mutationKey], mutationFn: () => saved.promise })
      .execute(undefined);
    listen().send({ kind, project_id: kind === "profile" || kind === "workspace" ? null : 1 });
    mock.timers.tick(5_000);
    assert.deepEqual(staleKeys(), []);
    saved.resolve();
    await saving;
    mock.timers.tick(1_000);
    assert.deepEqual(staleKeys(), [key.join(" ")]);
  });

test("changes are collected for 50 ms, and after an update for half a second", () => {
  const { send } = listen();
  let updates = 0;
  client.getQueryCache().subscribe(({ type }) => (updates += Number(type === "updated")));
  client.setQueryData(["report", 1], []);
  updates = 0;
  for (const wait of [50, 500, 500]) {
    send({ kind: "report", project_id: 1 });
    send({ kind: "report", project_id: 1, id: 2 });
    mock.timers.tick(wait - 1);
    assert.equal(updates, 0);
    mock.timers.tick(1);
    assert.equal(updates, 1);
    client.setQueryData(["report", 1], []);
    updates = 0;
  }
});

test("an update that took many requests pauses for half a second per request", () => {
  const calls: number[][] = [];
  const { send } = listen({ readers: { issue: (_client, _projectId, ids) => (calls.push(ids), 20) } });
  send({ kind: "issue", project_id: 1, id: 7 });
  mock.timers.tick(50);
  send({ kind: "issue", project_id: 1, id: 8 });
  mock.timers.tick(9_999);
  assert.deepEqual(calls, [[7]]);
  mock.timers.tick(1);
  assert.deepEqual(calls, [[7], [8]]);
});

test("changed issues and reports are read by id, each once, and their queries are not made stale", () => {
  const staleKeys = cached(
    ["issue", 1, "list"],
    ["report", 1, "list"],
    ["epic", 1, "list"],
    ["comment", 1, "issues", 8],
  );
  const calls: [string, number, number[]][] = [];
  const { send } = listen({
    readers: {
      issue: (_client, projectId, ids) => calls.push(["issue", projectId, ids]),
      report: (_client, projectId, ids) => calls.push(["report", projectId, ids]),
    },
  });
  send({ kind: "issue", project_id: 1, id: 7 });
  send({ kind: "issue", project_id: 1, id: 7 });
  send({ kind: "comment", project_id: 1, id: 99, commentable_type: "issues", commentable_id: 8 });
  send({ kind: "issue", project_id: 2, id: 9 });
  send({ kind: "report", project_id: 1, id: 7 });
  mock.timers.tick(1_000);
  assert.deepEqual(calls, [
    ["issue", 1, [7, 8]],
    ["issue", 2, [9]],
    ["report", 1, [7]],
  ]);
  assert.deepEqual(staleKeys(), ["epic 1 list", "comment 1 issues 8"]);
});

test("while updates are held nothing is refetched; afterwards all collected changes are", () => {
  let held = true;
  const staleKeys = cached(["report", 1], ["epic", 1]);
  const { send } = listen({ isHeld: () => held });
  send({ kind: "report", project_id: 1 });
  mock.timers.tick(3_000);
  send({ kind: "epic", project_id: 1 });
  mock.timers.tick(3_000);
  assert.deepEqual(staleKeys(), []);
  held = false;
  mock.timers.tick(1_000);
  assert.deepEqual(staleKeys(), ["report 1", "epic 1"]);
});

test("after a reset every query is stale, and no issue is read by its id", () => {
  const staleKeys = cached(["issue", 1], ["setup"]);
  const calls: number[] = [];
  const { source, send } = listen({ readers: { issue: (_client, id) => calls.push(id) } });
  send({ kind: "issue", project_id: 1 });
  source().reset();
  mock.timers.tick(1_000);
  assert.deepEqual([staleKeys().length, calls], [2, []]);
});

test("after a rejection and a new connection every query is stale", () => {
  const staleKeys = cached(["issue", 1], ["setup"]);
  const { source } = listen();
  source().reject();
  mock.timers.tick(2_000);
  source().open();
  mock.timers.tick(1_000);
  assert.equal(staleKeys().length, 2);
});

test("the state follows the connection, and a rejection asks who is signed in", () => {
  let asked = 0;
  client.setQueryData(["profile"], { id: 1 });
  const observer = new QueryObserver(client, {
    queryKey: ["profile"],
    queryFn: () => Promise.resolve({ id: ++asked }),
  });
  stops.push(observer.subscribe(() => {}));
  const { source, states } = listen();
  source().lose();
  assert.equal(asked, 0);
  source().reject();
  assert.equal(asked, 1);
  mock.timers.tick(2_000);
  source().open();
  assert.deepEqual(states, ["open", "lost", "lost", "open"]);
});

test("after stopping, collected changes are dropped and the stream is closed", () => {
  const staleKeys = cached(["report", 1]);
  const { send, stop, source } = listen();
  send({ kind: "report", project_id: 1 });
  stop();
  mock.timers.tick(60_000);
  assert.deepEqual(staleKeys(), []);
  assert.equal(source().readyState, 2);
});
