import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startRecorder } from "../test-frameworks/recorder.ts";

async function started(t: TestContext) {
  const recorder = await startRecorder();
  t.after(() => recorder.close());
  const report = (message: string) =>
    fetch(recorder.url, { method: "POST", body: JSON.stringify({ message }) });
  return { ...recorder, report };
}

test("the recorder waits for every message, in any order", async (t) => {
  const { received, report } = await started(t);
  const waiting = received(["first", "second"], 10_000);
  await report("second");
  await report("first");
  await waiting;
});

test("an event that arrives twice does not stand for another one", async (t) => {
  const { received, report } = await started(t);
  await report("first");
  await report("first");
  await assert.rejects(received(["first", "second"], 100), /not reported within 0\.1 s: second$/);
});

test("the recorder names every message that is missing", async (t) => {
  const { received, report } = await started(t);
  await report("second");
  await assert.rejects(received(["first", "second", "third"], 100), /: first; third$/);
});
