import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { noticeList } from "./notice-list.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

function started() {
  const list = noticeList();
  const log: string[] = [];
  const add = (name: string, seconds?: number) =>
    list.add({
      title: name,
      seconds,
      run: ({ leaving }) => log.push(`${name} ${leaving ? "leaving" : "done"}`),
      undo: () => log.push(`${name} undone`),
    });
  const idOf = (name: string) => list.shown.get().find(({ title }) => title === name)?.id ?? 0;
  return { list, log, add, idOf };
}

test("an action runs once, after six seconds", () => {
  const { list, log, add } = started();
  add("dismiss");
  mock.timers.tick(5999);
  assert.deepEqual(log, []);
  mock.timers.tick(1);
  list.flush(false);
  assert.deepEqual(log, ["dismiss done"]);
  assert.deepEqual(list.shown.get(), []);
});

test("an undone action never runs", () => {
  const { list, log, add, idOf } = started();
  add("dismiss");
  list.undo(idOf("dismiss"));
  mock.timers.tick(60_000);
  list.flush(true);
  assert.deepEqual(log, ["dismiss undone"]);
});

test("leaving the page runs all pending actions in order, marked as leaving", () => {
  const { list, log, add } = started();
  add("one");
  add("two", 60);
  list.flush(true);
  mock.timers.tick(60_000);
  assert.deepEqual(log, ["one leaving", "two leaving"]);
});

test("the countdown pauses while the notice is held", () => {
  const { list, log, add, idOf } = started();
  add("dismiss");
  mock.timers.tick(4000);
  list.hold(idOf("dismiss"));
  mock.timers.tick(60_000);
  assert.deepEqual(log, []);
  list.resume(idOf("dismiss"));
  list.resume(idOf("dismiss"));
  mock.timers.tick(1999);
  assert.deepEqual(log, []);
  mock.timers.tick(1);
  assert.deepEqual(log, ["dismiss done"]);
});

test("an action added by another one waits for its own delay", () => {
  const { list, log, add } = started();
  list.add({ title: "first", run: () => add("second") });
  list.flush(false);
  assert.deepEqual(
    list.shown.get().map(({ title }) => title),
    ["second"],
  );
  assert.deepEqual(log, []);
});

const titles = (list: ReturnType<typeof noticeList>) => list.shown.get().map(({ title }) => title);

test("a notice replaces an earlier one about the same subject or with the same words, and runs its action", () => {
  const { list, log } = started();
  list.add({ title: "Link copied" });
  list.add({ title: "WEB-1 created", subjects: ["issue:1"] });
  list.add({ title: "2 deleted", subjects: ["issue:2", "issue:3"], run: () => log.push("run") });
  list.add({ title: "Link copied" });
  list.add({ title: "WEB-3 restored", subjects: ["issue:3"] });
  assert.deepEqual(titles(list), ["WEB-1 created", "Link copied", "WEB-3 restored"]);
  assert.deepEqual(log, ["run"]);
});

test("messages disappear after six seconds, errors and progress stay", () => {
  const { list } = started();
  list.add({ title: "Saved" });
  list.add({ title: "Not saved", tone: "danger" });
  list.add({ title: "Dismissing", progress: { value: 0, max: 2 } });
  mock.timers.tick(6000);
  assert.deepEqual(titles(list), ["Not saved", "Dismissing"]);
});

test("progress is updated in place, and replaced by its outcome", () => {
  const { list } = started();
  const subjects = ["dismissals"];
  list.add({ title: "Dismissing", subjects, progress: { value: 0, max: 2 } });
  const [before] = list.shown.get();
  list.add({ title: "Dismissing", subjects, progress: { value: 1, max: 2 } });
  assert.deepEqual(
    list.shown.get().map(({ id, progress }) => [id, progress?.value]),
    [[before?.id, 1]],
  );
  list.add({ title: "2 dismissed", subjects });
  assert.deepEqual(titles(list), ["2 dismissed"]);
});

test("the last change is undone first, also after its notice has disappeared", async () => {
  const { list, log } = started();
  list.add({ title: "Resolved", undo: () => log.push("resolved") });
  list.begin().done(() => log.push("priority"));
  mock.timers.tick(6000);
  for (let presses = 0; presses < 3; presses++) list.undoLast();
  await settled();
  assert.deepEqual(log, ["priority", "resolved"]);
  assert.deepEqual(titles(list), ["Nothing to undo"]);
});

test("changes can be undone for ten minutes, then undo says that the last one was too long ago", async () => {
  const { list, log } = started();
  list.begin().done(() => log.push("first"));
  list.begin().done(() => log.push("second"));
  mock.timers.tick(10 * 60_000);
  list.undoLast();
  await settled();
  assert.deepEqual(log, ["second"]);
  mock.timers.tick(1);
  list.undoLast();
  await settled();
  assert.deepEqual([titles(list), log], [["Nothing to undo"], ["second"]]);
});

test("a delayed action without an undo of its own cannot be undone once it has run, and undo says so", async () => {
  const { list, log, add } = started();
  list.begin().done(() => log.push("earlier"));
  add("delete");
  mock.timers.tick(6000);
  list.undoLast();
  await settled();
  assert.deepEqual([titles(list), log], [["Nothing undone"], ["delete done"]]);
  list.undoLast();
  await settled();
  assert.deepEqual(log, ["delete done", "earlier"]);
});

test("a delayed action that has run is undone by its second undo", async () => {
  const { list, log } = started();
  const undo = () => log.push("released");
  list.add({ title: "dismiss", undo, run: () => log.push("sent"), undoRun: () => log.push("restored") });
  mock.timers.tick(6000);
  list.undoLast();
  await settled();
  assert.deepEqual(log, ["sent", "restored"]);
});

test("undoing the last change removes its notice", () => {
  const { list, log, add } = started();
  add("dismiss");
  list.undoLast();
  mock.timers.tick(6000);
  assert.deepEqual(titles(list), []);
  assert.deepEqual(log, ["dismiss undone"]);
});

/** Undoing continues in microtasks. */
const settled = async () => {
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
};

test("a change in flight is undone before earlier ones, once all of its parts are saved", async () => {
  const { list, log } = started();
  list.begin().done(() => log.push("priority"));
  const move = list.begin(2);
  list.undoLast();
  list.undoLast();
  move.done(() => log.push("lane"));
  await settled();
  assert.deepEqual([titles(list), log], [["Undoing…"], []]);
  move.done(() => log.push("assignee"));
  await settled();
  assert.deepEqual([titles(list), log], [[], ["assignee", "lane", "priority"]]);
});

test("a change that began first is undone last, even if it is saved last", async () => {
  const { list, log } = started();
  const slow = list.begin();
  list.begin().done(() => log.push("fast"));
  slow.done(() => log.push("slow"));
  list.undoLast();
  list.undoLast();
  await settled();
  assert.deepEqual(log, ["fast", "slow"]);
});

test("each undo waits for the one before", async () => {
  const { list, log } = started();
  const { promise, resolve } = Promise.withResolvers<void>();
  list.begin().done(() => log.push("first"));
  list.begin().done(() => promise.then(() => log.push("second")));
  list.undoLast();
  list.undoLast();
  await settled();
  assert.deepEqual(log, []);
  resolve();
  await settled();
  assert.deepEqual(log, ["second", "first"]);
});

test("if a change in flight fails, nothing is undone", async () => {
  const { list, log } = started();
  list.begin().done(() => log.push("priority"));
  const failing = list.begin();
  list.undoLast();
  failing.failed();
  await settled();
  assert.deepEqual([titles(list), log], [["Nothing undone"], []]);
});

test("a change that fails leaves nothing to undo", () => {
  const { list } = started();
  list.begin().failed();
  list.undoLast();
  assert.deepEqual(titles(list), ["Nothing to undo"]);
});
