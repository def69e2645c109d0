import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { undoList } from "./undo-list.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

function started() {
  const list = undoList();
  const log: string[] = [];
  const add = (name: string, seconds?: number) =>
    list.add({
      message: name,
      seconds,
      run: ({ leaving }) => log.push(`${name} ${leaving ? "leaving" : "done"}`),
      onUndo: () => log.push(`${name} undone`),
    });
  const idOf = (name: string) => list.waiting.get().find(({ message }) => message === name)?.id ?? 0;
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
  assert.deepEqual(list.waiting.get(), []);
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

test("the countdown pauses while the bar is held", () => {
  const { list, log, add, idOf } = started();
  add("dismiss");
  mock.timers.tick(4000);
  list.hold(idOf("dismiss"));
  mock.timers.tick(60_000);
  assert.deepEqual(log, []);
  list.go(idOf("dismiss"));
  list.go(idOf("dismiss"));
  mock.timers.tick(1999);
  assert.deepEqual(log, []);
  mock.timers.tick(1);
  assert.deepEqual(log, ["dismiss done"]);
});

test("an action added by another one waits for its own delay", () => {
  const { list, log, add } = started();
  list.add({ message: "first", run: () => add("second") });
  list.flush(false);
  assert.deepEqual(
    list.waiting.get().map(({ message }) => message),
    ["second"],
  );
  assert.deepEqual(log, []);
});
