import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { anEvent } from "../../../test/support/error-events.ts";
import { slowText } from "../../../test/support/slow-text.ts";
import { additionsOf, type ReadEvent } from "./read/read-event.ts";
import type { How } from "./read-by-protocol.ts";
import { TaskThread } from "./patterns/task-thread.ts";
import { WorkerReader, type Answer, type Question } from "./read/worker-reader.ts";

const WORKER = new URL("./event-reader-worker.ts", import.meta.url);
const PLAIN: How = {
  protocol: "native",
  keepVars: false,
  privacyRules: null,
  inboundRules: null,
  userAgent: undefined,
  origin: undefined,
};

/** Each search of a long text takes many milliseconds. */
const SLOW_PATTERN = "(?s)a.{280}c$";
const SLOW_TEXT = slowText(16_000);
const privacyRules = JSON.stringify([{ name: "slow", key_pattern: null, value_pattern: SLOW_PATTERN }]);

const bytesOf = (more: Record<string, unknown>) => Buffer.from(JSON.stringify(anEvent(more)));
const slowEvent = () => bytesOf({ extra: { text: SLOW_TEXT } });
const dropsAll = JSON.stringify([{ id: 1, kind: "exception_class", pattern: "." }]);

function useReader(t: TestContext, maxMs?: number) {
  const thread = new TaskThread<Question<How>, Answer>(WORKER);
  t.after(() => thread.close());
  return new WorkerReader(thread, () => {}, maxMs);
}

test("projects take turns, so many slow events of one do not hold up the others", async (t) => {
  const reader = useReader(t);
  const order: string[] = [];
  const read = async (projectId: number, bytes: Buffer, options: How) => {
    await reader.read(bytes, options, { projectId, hasPatterns: options.privacyRules !== null });
    order.push(`project ${projectId}`);
  };
  const slow = { ...PLAIN, privacyRules };
  await Promise.all([
    ...Array.from({ length: 4 }, () => read(1, slowEvent(), slow)),
    ...[2, 3].map((id) => read(id, bytesOf({}), PLAIN)),
  ]);
  assert.deepEqual(order.slice(0, 4), ["project 1", "project 1", "project 2", "project 3"]);
});

test("an event whose rules take far too long is stored without any text that they should have searched", async (t) => {
  const reader = useReader(t, 0);
  const options = { ...PLAIN, privacyRules, inboundRules: dropsAll };
  const event = (await reader.read(slowEvent(), options, { projectId: 1, hasPatterns: true })) as ReadEvent;
  assert.equal(event.exception_class, anEvent()["exception_class"]);
  const unchecked = "[removed: unchecked]";
  assert.deepEqual(additionsOf(event)?.extra, { [unchecked]: unchecked });
  // The thread that was ended is replaced.
  const next = (await reader.read(bytesOf({ message: "next" }), PLAIN, {
    projectId: 2,
    hasPatterns: false,
  })) as ReadEvent;
  assert.equal(next.message, "next");
});

test("an event fails alone if it is invalid", async (t) => {
  const reader = useReader(t);
  const project = { projectId: 1, hasPatterns: false };
  const [failed, stored] = await Promise.allSettled([
    reader.read(Buffer.from("{"), PLAIN, project),
    reader.read(bytesOf({}), PLAIN, project),
  ]);
  assert.deepEqual([failed.status, stored.status], ["rejected", "fulfilled"]);
  assert.equal((failed as { reason: { status: number } }).reason.status, 400);
});
