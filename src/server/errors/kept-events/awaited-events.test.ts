import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeIngestKey, makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { envelope, eventEnvelope } from "../../../../test/support/sentry.ts";
import { openAppOn, useTestApp, type TestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type App = Pick<TestApp, "http">;

/** A project whose group has its first ten events already. */
async function openBusy() {
  const project = await openKeptEvents(t, workspace);
  await project.sendMany(1, 10);
  const { id, events, admin } = project;
  const token = await makeProjectToken(t.db, id, workspace.admin.id);
  /** Sends the event among others of its group, which arrive at the same time and are stored with it. */
  const sendAmongOthers = async (event_id: string, { http }: App = t) => {
    const before = Array.from({ length: 5 }, (_, n) => anEvent({ message: `before ${n}` }));
    const after = Array.from({ length: 5 }, (_, n) => anEvent({ message: `after ${n}` }));
    const sender = http.as(token);
    const answers = await Promise.all(
      [...before, anEvent({ message: "awaited", event_id }), ...after].map((event) =>
        sender.post(events, event),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  };
  /** The id of the kept event, or null if only its group is known. */
  const keptId = async (event_id: string) =>
    (await admin.get(`/api/projects/${id}/events/${event_id}`)).body.id;
  return { ...project, sendAmongOthers, keptId };
}

test("an event that arrives right after its report, among others of its group, is kept", async () => {
  const { report, sendAmongOthers, keptId, messages, only } = await openBusy();
  const event_id = randomUUID();
  assert.deepEqual(await report(event_id), []);
  await sendAmongOthers(event_id);
  assert.equal(typeof (await keptId(event_id)), "number");
  assert.ok((await messages()).includes("awaited"));
  assert.equal((await only()).occurrence_count, 21);
});

test("an event of a Sentry SDK that arrives right after its feedback, among others of its group, is kept", async () => {
  const { id, keptId } = await openBusy();
  const url = `/api/${id}/envelope/?sentry_key=${await makeIngestKey(t.db, id)}`;
  const send = async (payload: Buffer | string) =>
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 200);
  const failure = (event_id: string = randomUUID().replaceAll("-", "")) =>
    eventEnvelope({ event_id, exception: { values: [{ type: "TypeError", value: "boom" }] } });
  for (let n = 0; n < 10; n++) await send(failure());
  const associated_event_id = randomUUID().replaceAll("-", "");
  const about = JSON.stringify({ contexts: { feedback: { message: "It broke", associated_event_id } } });
  await send(envelope([{ header: { type: "feedback" }, payload: about }]));
  await Promise.all([failure(), failure(), failure(associated_event_id), failure(), failure()].map(send));
  assert.equal(typeof (await keptId(associated_event_id)), "number");
});

test("another process keeps an awaited event among others of its group", async () => {
  const { report, sendAmongOthers, keptId } = await openBusy();
  const event_id = randomUUID();
  await report(event_id);
  const other = await openAppOn(t.database.url);
  try {
    await sendAmongOthers(event_id, other);
    assert.equal(typeof (await keptId(event_id)), "number");
  } finally {
    await other.close();
  }
});

test("an awaited event that arrives twice counts once", async () => {
  const { report, sendAmongOthers, only } = await openBusy();
  const event_id = randomUUID();
  await report(event_id);
  await sendAmongOthers(event_id);
  await sendAmongOthers(event_id);
  assert.equal((await only()).occurrence_count, 31);
});
