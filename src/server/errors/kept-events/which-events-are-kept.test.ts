import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { hashOf } from "../../../../test/support/error-events.ts";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openKeptEvents(t, workspace);
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `${from - n}`);

test("the first ten events are kept, and of later ones in the same minute the newest", async () => {
  const { messages, sendMany, only } = await open();
  await sendMany(1, 15);
  assert.deepEqual(await messages(), ["15", ...down(10, 1)]);
  const { occurrence_count, kept_events_count } = await only();
  assert.deepEqual([occurrence_count, kept_events_count], [15, 11]);
});

test("after the first ten, one event per minute is kept", async () => {
  const { messages, sendMany, wait } = await open();
  await sendMany(1, 10);
  await wait(59);
  await sendMany(11, 12);
  await wait(2);
  await sendMany(13, 15);
  await wait(60);
  await sendMany(16, 18);
  assert.deepEqual(await messages(), ["18", "16", "13", ...down(10, 1)]);
});

test("the newest event of each release is kept, and the newest one without a release", async () => {
  const { messages, sendMany, send } = await open();
  await sendMany(1, 10, { release: "1" });
  for (const [n, release] of ["1", "2", "1", "2", null, "2", null, "3"].entries())
    await send({ message: `${n + 11}`, release });
  assert.deepEqual(await messages(), ["18", "17", "16", "13", ...down(10, 1)]);
});

test("an event that a report refers to is kept when further events arrive", async () => {
  const { messages, sendMany, send, report } = await open();
  const ids = [randomUUID(), randomUUID()] as const;
  await sendMany(1, 10);
  await send({ message: "reported", event_id: ids[0], release: "1" });
  await report(ids[0]);
  await send({ message: "reported later", event_id: ids[1], release: "1" });
  await send({ message: "of another release" });
  await report(ids[1]);
  await send({ message: "newest", release: "1" });
  assert.deepEqual(await messages(), [
    "newest",
    "of another release",
    "reported later",
    "reported",
    ...down(10, 1),
  ]);
});

test("an event that arrives after the report about it is kept when further events arrive", async () => {
  const { messages, sendMany, send, report } = await open();
  const event_id = randomUUID();
  assert.deepEqual(await report(event_id), []);
  await sendMany(1, 10);
  await send({ message: "reported", event_id });
  await sendMany(12, 14);
  assert.deepEqual(await messages(), ["14", "reported", ...down(10, 1)]);
});

test("a group keeps at most 100 events; the oldest in between are dropped first", async () => {
  const { messages, sendMany, wait, send, report } = await open();
  await sendMany(1, 10);
  const event_id = randomUUID();
  await send({ message: "feedback", event_id });
  await report(event_id);
  await send({ message: "old release", release: "1" });
  for (let n = 13; n <= 110; n++) {
    await wait(60);
    await send({ message: `${n}` });
  }
  const kept = await messages();
  assert.equal(kept.length, 100);
  assert.deepEqual(kept, [...down(110, 23), "old release", "feedback", ...down(10, 1)]);
});

test("a group keeps at most 100 events even if each is of a release of its own", async () => {
  const { messages, sender, events, sendMany, only } = await open();
  await sendMany(1, 1);
  await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      sender.post(events, {
        environment: "production",
        exception_class: "RuntimeException",
        stack_trace: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
        message: `${n + 2}`,
        release: `1.${n}`,
      }),
    ),
  );
  const kept = await messages();
  const { occurrence_count, kept_events_count } = await only();
  assert.deepEqual([kept_events_count, occurrence_count], [kept.length, 151]);
  assert.ok(kept.length > 80 && kept.length <= 100, String(kept.length));
  assert.equal(kept.at(-1), "1");
});

test("events that arrive together are kept in the order of arrival, each with its own fields", async () => {
  const { sender, events, read, messages } = await open();
  const bodies = Array.from({ length: 8 }, (_, n) => ({
    environment: "production",
    exception_class: "E",
    stack_trace: "at run (app.js:1:1)",
    message: `${n}`,
    host: `web-${n}`,
    user_hash: hashOf(n).replace(/^0{8}/, `${n}`.repeat(8)),
  }));
  await Promise.all(bodies.map((body) => sender.post(events, body)));
  const kept = await messages();
  assert.equal(kept.length, 8);
  const event = await read("oldest");
  assert.deepEqual(
    [event.host, event.user, event.previous_id],
    [`web-${event.message}`, `u_${event.message.repeat(8)}`, null],
  );
});
