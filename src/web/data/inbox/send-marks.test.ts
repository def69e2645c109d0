import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QueryClient } from "@tanstack/react-query";
import type { Notification } from "../../../shared/notifications.ts";
import { notices } from "../../kit/notices/toast.ts";
import { pendingMarks, release } from "./pending-marks.ts";
import { mark, markUndoably, remove } from "./send-marks.ts";

type Request = { path: string; ids: number[] };

let client: QueryClient;
let requests: Request[];
let responses: Response[];

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  client = new QueryClient();
  requests = [];
  responses = [];
  mock.method(globalThis, "fetch", async (path: string, { body }: RequestInit) => {
    requests.push({ path, ids: JSON.parse(String(body)).notification_ids });
    return responses.shift() ?? new Response(null, { status: 204 });
  });
});
afterEach(async () => {
  for (const { id } of notices.shown.get()) notices.close(id);
  await pass(10_000);
  release([...pendingMarks.get().keys()]);
  client.clear();
  mock.timers.reset();
  mock.restoreAll();
});

/** Advances the clock and lets everything run that follows. */
async function pass(ms: number) {
  mock.timers.tick(ms);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

const entry = (id: number): Notification => ({
  id,
  type: 5,
  message: "Something happened",
  read_at: null,
  created_at: "2026-11-20T09:00:00.000000Z",
  actor: null,
  notifiable: { type: "project", id: 1, name: "Web" },
  excerpt: null,
  comment_id: null,
  report_id: null,
  epic_id: null,
  thumbnail_id: null,
  snoozed_until: null,
});

const READ = "/api/notifications/bulk-read";
const UNREAD = "/api/notifications/bulk-unread";
const DELETE = "/api/notifications/bulk-delete";
const pendingIds = () => [...pendingMarks.get().keys()];
const titles = () => notices.shown.get().map(({ title }) => title);

test("marks made shortly after one another are sent in one request", async () => {
  mark(client, [entry(1)], "read");
  await pass(1_000);
  mark(client, [entry(2)], "read");
  await pass(1_499);
  assert.deepEqual(requests, []);
  await pass(1);
  assert.deepEqual(requests, [{ path: READ, ids: [1, 2] }]);
  assert.deepEqual(pendingIds(), []);
});

test("a mark is sent after six seconds even if others keep following", async () => {
  for (let id = 1; id <= 6; id++) {
    mark(client, [entry(id)], "read");
    await pass(1_000);
  }
  assert.deepEqual(requests, [{ path: READ, ids: [1, 2, 3, 4, 5, 6] }]);
});

test("a batch is sent again after the time that a 429 names", async () => {
  responses = [Response.json({}, { status: 429, headers: { "retry-after": "7" } })];
  mark(client, [entry(1)], "read");
  await pass(1_500);
  await pass(6_999);
  assert.equal(requests.length, 1);
  assert.deepEqual(pendingIds(), [1]);
  await pass(1);
  assert.equal(requests.length, 2);
  assert.deepEqual(pendingIds(), []);
});

test("if an entry was deleted in another tab, the others are marked", async () => {
  responses = [Response.json({ errors: { "notification_ids.0": ["not found"] } }, { status: 422 })];
  mark(client, [entry(1), entry(2)], "read");
  await pass(1_500);
  assert.deepEqual(
    requests.map(({ ids }) => ids),
    [[1, 2], [2]],
  );
  assert.deepEqual(titles(), []);
});

test("a refused mark is taken back with a message", async () => {
  responses = [Response.json({ message: "Forbidden" }, { status: 403 })];
  mark(client, [entry(1)], "read");
  await pass(1_500);
  assert.deepEqual(pendingIds(), []);
  assert.deepEqual(titles(), ["Notifications could not be marked as read."]);
});

test("undoing a mark that was sent sends the opposite mark", async () => {
  markUndoably(client, [entry(1)], "read", { onUndo: () => {} });
  await pass(1_500);
  notices.undoLast();
  await pass(1_500);
  assert.deepEqual(requests, [
    { path: READ, ids: [1] },
    { path: UNREAD, ids: [1] },
  ]);
});

test("a deletion is sent when its message disappears", async () => {
  remove(client, [entry(1)], { message: "1 notification deleted", onUndo: () => {} });
  await pass(5_999);
  assert.deepEqual(requests, []);
  await pass(1);
  await pass(1_500);
  assert.deepEqual(requests, [{ path: DELETE, ids: [1] }]);
});

test("a deletion that is undone is never sent", async () => {
  remove(client, [entry(1)], { message: "1 notification deleted", onUndo: () => {} });
  notices.undoLast();
  await pass(10_000);
  assert.deepEqual(requests, []);
  assert.deepEqual(pendingIds(), []);
});

test("earlier marks are sent before a deletion can be undone", async () => {
  mark(client, [entry(1)], "read");
  remove(client, [entry(1)], { message: "1 notification deleted", onUndo: () => {} });
  await pass(0);
  assert.deepEqual(requests, [{ path: READ, ids: [1] }]);
});
