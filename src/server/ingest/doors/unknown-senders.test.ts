import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeEventProject } from "../../../../test/support/make-event-project.ts";
import { makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const LIMIT = 20;
const t = await useTestApp({ LIMIT_INGEST: String(LIMIT) });
await t.app.listen({ host: "127.0.0.1", port: 0 });
const { port } = t.app.server.address() as AddressInfo;
const workspace = await makeWorkspace(t.db);

/** How many requests the framework has handled. */
let routed = 0;
subscribe("tracing:fastify.request.handler:start", () => void routed++);

const VALID = JSON.stringify(anEvent());

async function makeSender() {
  const project = await makeEventProject(t, workspace);
  const token = await makeProjectToken(t.db, project.id, workspace.admin.id);
  const sendTo = (url: string, secret = token) =>
    fetch(`http://127.0.0.1:${port}${url}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: VALID,
    });
  const count = async () => {
    const { body } = await project.reader.get(`/api/projects/${project.id}/error-groups`);
    return body.data.reduce(
      (sum: number, group: { occurrence_count: number }) => sum + group.occurrence_count,
      0,
    );
  };
  return { url: project.url, count, sendTo, send: () => sendTo(project.url) };
}

test("events of a sender that is not known yet bypass the framework after a lookup", async () => {
  const sender = await makeSender();
  const before = routed;
  const answers = await Promise.all(Array.from({ length: 10 }, () => sender.send()));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(202),
  );
  assert.equal(routed, before);
  assert.equal(await sender.count(), 10);
});

test("the events of a sender that is not known yet count once against its limit", async () => {
  const sender = await makeSender();
  const answers = await Promise.all(Array.from({ length: LIMIT + 5 }, () => sender.send()));
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 5);
  assert.ok(refused.every((answer) => Number(answer.headers.get("retry-after")) > 0));
  assert.equal(await sender.count(), LIMIT);
});

test("a token that does not exist, or belongs to another project, is refused", async () => {
  const [sender, other] = [await makeSender(), await makeSender()];
  assert.equal((await sender.sendTo(sender.url, "prj_unknown")).status, 401);
  assert.equal((await sender.sendTo(other.url)).status, 403);
  assert.equal((await sender.sendTo("/api/projects/NONE/error-events")).status, 404);
  assert.equal(await other.count(), 0);
});
