import assert from "node:assert/strict";
import { after, test } from "node:test";
import { TaskNotStarted, TaskThread } from "./task-thread.ts";

const LIMIT_MS = 10_000;
const DOUBLES = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { answerTasks } from "${new URL("./task-thread.ts", import.meta.url).href}"; answerTasks((n) => 2 * n);`,
  )}`,
);

function openThread() {
  const thread = new TaskThread<number, number>(DOUBLES);
  after(() => thread.close());
  const run = (n: number, more: Partial<Parameters<typeof thread.run>[0]> = {}) =>
    thread.run({ projectId: 1, limitMs: LIMIT_MS, message: () => ({ value: n }), ...more });
  return { thread, run };
}

test("a task may send more messages in the same turn", async () => {
  const { run } = openThread();
  const finished: number[] = [];
  const note = (result: number) => void finished.push(result);
  const followUp = async (result: number) => (result < 16 ? { value: result } : undefined);
  await Promise.all([run(1, { followUp }).then(note), run(100, { projectId: 2 }).then(note)]);
  assert.deepEqual(finished, [16, 200]);
});

test("a task fails if its next message cannot be made, and the thread continues", async () => {
  const { run } = openThread();
  const followUp = async () => {
    throw new Error("no message");
  };
  await assert.rejects(run(1, { followUp }), /no message/);
  assert.equal(await run(2), 4);
});

test("a task whose turn does not come in time is not started", async () => {
  const { run } = openThread();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const slow = run(1, { followUp: () => promise });
  let isStarted = false;
  const message = () => {
    isStarted = true;
    return { value: 2 };
  };
  await assert.rejects(run(2, { maxWaitMs: 1, message }), TaskNotStarted);
  resolve(undefined);
  assert.deepEqual([await slow, await run(3), isStarted], [2, 6, false]);
});

test("the time until a task must start does not limit its duration", async () => {
  const { run } = openThread();
  const followUp = async () => {
    await assert.rejects(run(2, { maxWaitMs: 1 }), TaskNotStarted);
    return undefined;
  };
  assert.equal(await run(1, { maxWaitMs: 1, followUp }), 2);
});

test("closing fails the tasks that are not finished", async () => {
  const { thread, run } = openThread();
  const unfinished = [run(1), run(2)].map((task) => assert.rejects(task, /closed/));
  await thread.close();
  await Promise.all(unfinished);
});
