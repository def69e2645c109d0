import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { Report } from "../../../shared/reports.ts";
import { readReports, withReport } from "./read-reports.ts";

const AT = "2026-11-20T10:00:00.000000Z";
const LATER = "2026-11-20T11:00:00.000000Z";

const report = (id: number, fields: Partial<Report> = {}) =>
  ({
    id,
    project_id: 1,
    title: `Report ${id}`,
    rank: `a${id}`,
    promoted_at: null,
    dismissed_at: null,
    updated_at: AT,
    ...fields,
  }) as Report;

const LIST = ["report", 1, "list"];
const WAITING = ["report", 1, "waiting"];

let client: QueryClient;
let requests: string[] = [];
let stops: (() => void)[] = [];
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  requests = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  client.clear();
  mock.restoreAll();
});

function serve(...reports: Report[]) {
  mock.method(globalThis, "fetch", async (path: string) => {
    requests.push(path);
    return Response.json(reports);
  });
}

/** Puts a query on screen. */
function show(key: unknown[], rows: unknown) {
  client.setQueryData(key, rows);
  const observer = new QueryObserver(client, { queryKey: key, queryFn: () => Promise.resolve(rows) });
  stops.push(observer.subscribe(() => {}));
}

const ids = (key: unknown[]) => client.getQueryData<Report[]>(key)?.map(({ id }) => id);

/** Reads the reports and waits until the lists are marked stale, which happens last. */
async function read(...changed: number[]) {
  const finished = new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(({ query, type }) => {
      if (type !== "updated" || query.queryHash !== JSON.stringify(LIST) || !query.state.isInvalidated)
        return;
      stop();
      resolve();
    });
  });
  readReports(client, 1, changed);
  await finished;
}

test("changed, new and deleted reports are read with one request and put in their place", async () => {
  show(LIST, [report(1), report(2), report(3)]);
  serve(report(1, { rank: "a4", updated_at: LATER }), report(5, { rank: "a2x" }));
  await read(1, 3, 5);
  assert.deepEqual(requests, ["/api/projects/1/reports?ids=1,3,5&limit=200"]);
  assert.deepEqual(ids(LIST), [2, 5, 1]);
});

test("a report that was promoted or dismissed leaves the waiting reports and stays in the list", async () => {
  show(LIST, [report(1), report(2), report(3)]);
  show(WAITING, [report(1), report(2), report(3)]);
  serve(
    report(1, { promoted_at: LATER, updated_at: LATER }),
    report(2, { dismissed_at: LATER, updated_at: LATER }),
  );
  await read(1, 2);
  assert.deepEqual([ids(LIST), ids(WAITING)], [[1, 2, 3], [3]]);
});

test("a version older than the cached one is ignored, and any version while a report is being moved", async () => {
  show(LIST, [report(1, { updated_at: LATER }), report(2)]);
  serve(report(1, { title: "Older" }), report(2, { title: "New", rank: "a0" }));
  const moved = Promise.withResolvers<void>();
  const moving = client
    .getMutationCache()
    .build(client, { mutationKey: ["reorder", 1], mutationFn: () => moved.promise })
    .execute(undefined);
  await read(1, 2);
  assert.deepEqual(ids(LIST), [1, 2]);
  moved.resolve();
  await moving;
  client.setQueryData(LIST, client.getQueryData(LIST));
  await read(1, 2);
  const titles = client.getQueryData<Report[]>(LIST)?.map(({ title }) => title);
  assert.deepEqual(titles, ["New", "Report 1"]);
});

test("an older version than that of the report's page is ignored", async () => {
  const page = ["report", 1, "one", "1"];
  client.setQueryData(page, report(1, { title: "Newer", updated_at: LATER }));
  show(LIST, [report(2)]);
  serve(report(1, { title: "Older" }));
  await read(1);
  assert.equal(client.getQueryData<Report>(page)?.title, "Newer");
});

test("the attachments of a changed report are read again, those of others are not", async () => {
  show(LIST, [report(1)]);
  serve(report(1, { attachments_count: 1, updated_at: LATER }));
  const keys = [1, 2].map((id) => ["report", 1, "attachments", id]);
  for (const key of keys) client.setQueryData(key, []);
  await read(1);
  assert.deepEqual(
    keys.map((key) => client.getQueryState(key)?.isInvalidated),
    [true, false],
  );
});

test("a report whose rank is unchanged keeps its place, even among newer ranks", () => {
  const list = [report(1, { rank: "z" }), report(2, { rank: "b" })];
  assert.deepEqual(
    withReport(list, report(1, { rank: "z", title: "New" }), false).map(({ title }) => title),
    ["New", "Report 2"],
  );
});
