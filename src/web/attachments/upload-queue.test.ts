import assert from "node:assert/strict";
import { test } from "node:test";
import { uploadQueue } from "./upload-queue.ts";

const file = (name: string) => new File(["x"], name);

/** A queue whose sends the test completes. */
function setUp(rejection: (file: File) => string | undefined = () => undefined) {
  const sends: {
    name: string;
    end: (error?: Error) => void;
    signal: AbortSignal;
    progress: (part: number) => void;
  }[] = [];
  const queue = uploadQueue({
    rejection,
    messageFor: (error) => (error as Error).message,
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

test("files are sent one at a time, and leave the list when done", async () => {
  const { queue, sends, states, turn } = setUp();
  queue.add([file("a"), file("b")]);
  assert.deepEqual(states(), ["a sending", "b waiting"]);
  sends[0]?.progress(0.5);
  assert.equal(queue.uploads.get()[0]?.progress, 0.5);
  sends[0]?.end();
  await turn();
  assert.deepEqual(states(), ["b sending"]);
});

test("a failed upload shows why, does not block the next one, and can be retried", async () => {
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

test("canceling aborts the upload in flight and continues with the next one", async () => {
  const { queue, sends, states, turn } = setUp();
  queue.add([file("a"), file("b"), file("c")]);
  queue.cancel(queue.uploads.get()[1]?.id ?? "");
  queue.cancel(queue.uploads.get()[0]?.id ?? "");
  await turn();
  assert.equal(sends[0]?.signal.aborted, true);
  assert.deepEqual(states(), ["c sending"]);
});

test("a rejected file is never sent", () => {
  const { queue, sends, states } = setUp(({ name }) => (name === "bad" ? "No." : undefined));
  queue.add([file("bad")]);
  queue.retry(queue.uploads.get()[0]?.id ?? "");
  assert.deepEqual(states(), ["bad failed"]);
  assert.equal(sends.length, 0);
});
