import assert from "node:assert/strict";
import { test } from "node:test";
import { uploadQueue } from "./upload-queue.ts";

const file = (name: string) => new File(["x"], name);

/** A queue whose sends end when the test says so. */
function setUp(refusal: (file: File) => string | undefined = () => undefined) {
  const sends: {
    name: string;
    end: (error?: Error) => void;
    signal: AbortSignal;
    progress: (part: number) => void;
  }[] = [];
  const queue = uploadQueue({
    refusal,
    wordsFor: (error) => (error as Error).message,
    send: (sent, { signal, onProgress }) =>
      new Promise<void>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        sends.push({ name: sent.name, end, signal, progress: onProgress });
      }),
  });
  const states = () => queue.uploads.get().map(({ name, state }) => `${name} ${state}`);
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  return { queue, sends, states, turn };
}

test("files are sent one after the other, and leave the list when they are done", async () => {
  const { queue, sends, states, turn } = setUp();
  queue.add([file("a"), file("b")]);
  assert.deepEqual(states(), ["a sending", "b waiting"]);
  sends[0]?.progress(0.5);
  assert.equal(queue.uploads.get()[0]?.progress, 0.5);
  sends[0]?.end();
  await turn();
  assert.deepEqual(states(), ["b sending"]);
});

test("one that fails says why, lets the next go, and can be tried again", async () => {
  const { queue, sends, states, turn } = setUp();
  queue.add([file("a"), file("b")]);
  sends[0]?.end(new Error("Too large."));
  await turn();
  assert.deepEqual(states(), ["a failed", "b sending"]);
  assert.equal(queue.uploads.get()[0]?.error, "Too large.");
  sends[1]?.end();
  await turn();
  queue.retry(queue.uploads.get()[0]?.id ?? "");
  assert.deepEqual(states(), ["a sending"]);
});

test("cancelling breaks off what is under way and goes on with the next", async () => {
  const { queue, sends, states, turn } = setUp();
  queue.add([file("a"), file("b"), file("c")]);
  queue.cancel(queue.uploads.get()[1]?.id ?? "");
  queue.cancel(queue.uploads.get()[0]?.id ?? "");
  await turn();
  assert.equal(sends[0]?.signal.aborted, true);
  assert.deepEqual(states(), ["c sending"]);
});

test("what may not be sent never is", () => {
  const { queue, sends, states } = setUp(({ name }) => (name === "bad" ? "No." : undefined));
  queue.add([file("bad")]);
  queue.retry(queue.uploads.get()[0]?.id ?? "");
  assert.deepEqual(states(), ["bad failed"]);
  assert.equal(sends.length, 0);
});
