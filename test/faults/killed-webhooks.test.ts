import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/server/db/connect.ts";
import { waitUntil } from "../support/eventually.ts";
import { install, SETUP_TOKEN } from "../support/over-http.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer } from "../support/program.ts";
import { openReceiver } from "../support/webhook-receiver.ts";
import { passTime } from "../support/webhooks.ts";

test("deliveries of a server that was killed before or while it sent them are sent by two others, each by one", async (context) => {
  const [home, clone] = [await makeHome(), await cloneDatabase()];
  const database = connect(clone.url, () => {});
  context.after(async () => {
    await home.remove();
    await database.close();
    await clone.drop();
  });
  const settings = { DATABASE_URL: clone.url, SETUP_TOKEN, WEBHOOK_ALLOW: "127.0.0.1" };
  const killed = await startServer(home, settings);
  const { projectId, post } = await install(killed.url);
  const project = `${killed.url}/api/projects/${projectId}`;
  const receiver = await openReceiver(context, () => killed.kill("SIGKILL"));
  const created = await post(`${project}/webhooks`, { url: receiver.url, events: ["epic.created"] });
  assert.equal(created.status, 201);
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => post(`${project}/epics`, { title: `Epic ${n}` })),
  );
  await killed.ended;
  const committed = answers.filter((answer) => answer.status === "fulfilled" && answer.value.status === 201);
  assert.ok(receiver.received.length >= 1 && committed.length >= 1);

  receiver.respond = (response) => response.writeHead(204).end();
  await passTime(database.db);
  await Promise.all([startServer(home, settings), startServer(home, settings)]);
  const read = () =>
    database.db.selectFrom("webhook_deliveries").select(["event_id", "status"]).orderBy("id").execute();
  await waitUntil(async () => (await read()).every(({ status }) => status === "succeeded"));
  const deliveries = await read();
  const epics = await database.db.selectFrom("epics").select("id").execute();
  assert.equal(deliveries.length, epics.length);
  assert.ok(epics.length >= committed.length);
  const received = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual([...new Set(received)].toSorted(), deliveries.map(({ event_id }) => event_id).toSorted());
  // Only those that were in flight when the server was killed may have been sent before.
  assert.ok(received.length <= deliveries.length + 4, `${received.length} of ${deliveries.length}`);
});
