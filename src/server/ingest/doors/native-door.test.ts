import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { makeEventProject } from "../../../../test/support/make-event-project.ts";
import { makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const LIMIT = 5_000;
const t = await useTestApp({ LIMIT_INGEST: String(LIMIT) }, { silentMs: 600 });
await t.app.listen({ host: "127.0.0.1", port: 0 });
const { port } = t.app.server.address() as AddressInfo;
const workspace = await makeWorkspace(t.db);

/** How many requests the framework has handled. */
let routed = 0;
subscribe("tracing:fastify.request.handler:start", () => void routed++);

type Attempt = { payload: string; headers?: Record<string, string> };

async function makeSender() {
  const project = await makeEventProject(t, workspace);
  const token = await makeProjectToken(t.db, project.id, workspace.admin.id);
  const send = ({ payload, headers = {} }: Attempt) =>
    fetch(`http://127.0.0.1:${port}${project.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: payload,
    });
  /** Sends the request until it is answered directly, which requires that the sender is known. */
  const sendDirectly = async (attempt: Attempt) => {
    for (let n = 0; n < 1_000; n++) {
      const before = routed;
      const answer = await send(attempt);
      if (routed === before) return answer;
      await answer.text();
      await (await send({ payload: VALID })).text();
    }
    throw new Error("no request was answered directly");
  };
  const socket = () => connect(port, "127.0.0.1").on("error", () => {});
  const head = (length: number) =>
    `POST ${project.url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const count = async () =>
    (await project.reader.get(`/api/projects/${project.id}/error-groups`)).body.data.reduce(
      (sum: number, group: { occurrence_count: number }) => sum + group.occurrence_count,
      0,
    );
  return { ...project, token, send, sendDirectly, socket, head, count };
}

const VALID = JSON.stringify(anEvent());

test("an event of a known sender is stored, and the response says how much of the limit remains", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  const stored = await sender.count();
  const answer = await sender.sendDirectly({ payload: VALID });
  assert.equal(answer.status, 202);
  assert.equal(await answer.text(), "");
  assert.equal(answer.headers.get("x-ratelimit-limit"), String(LIMIT));
  assert.ok(Number(answer.headers.get("x-ratelimit-remaining")) < LIMIT);
  assert.ok((await sender.count()) > stored);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
});

for (const [name, payload] of Object.entries({
  "is not JSON": "{",
  "is no object": "[]",
  "lacks fields": "{}",
  "has invalid fields": JSON.stringify(anEvent({ host: 1, runtime: "php", context: { kind: "page" } })),
  "has a name that is too long": JSON.stringify(anEvent({ host: "x".repeat(256) })),
}))
  test(`a body that ${name} is refused as on any other route`, async () => {
    const sender = await makeSender();
    const direct = await sender.sendDirectly({ payload });
    const usual = await sender.sender.send({
      method: "POST",
      url: sender.url,
      headers: { "content-type": "application/json" },
      payload,
    });
    assert.equal(direct.status, usual.status);
    assert.deepEqual(await direct.json(), usual.body);
    const headers = Object.fromEntries(direct.headers);
    for (const header of Object.keys(usual.headers))
      if (!header.startsWith("x-ratelimit") && header !== "date")
        assert.equal(headers[header], String(usual.headers[header]), header);
  });

test("a body that arrives in pieces is read completely", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  const stored = await sender.count();
  const socket = sender.socket();
  const payload = JSON.stringify(anEvent({ message: "ü".repeat(20_000) }));
  socket.write(sender.head(Buffer.byteLength(payload)) + payload.slice(0, 10));
  socket.write(payload.slice(10));
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1\.1 202 /);
  assert.equal(await sender.count(), stored + 1);
});

test("two events that arrive in one packet are both stored", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  const stored = await sender.count();
  const socket = sender.socket();
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  socket.write((sender.head(VALID.length) + VALID).repeat(2));
  await eventually(() => String(Buffer.concat(received)).split("HTTP/1.1 202 ").length, 3);
  socket.destroy();
  assert.equal(await sender.count(), stored + 2);
});

test("a client that stops in the middle of a body gets 408", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  const socket = sender.socket();
  socket.write(sender.head(100) + VALID.slice(0, 50));
  const [answer] = (await once(socket, "data")) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 408 /);
  await once(socket, "close");
});

test("a token that is deleted is refused from then on", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  await t.db.deleteFrom("project_tokens").where("project_id", "=", sender.id).execute();
  await eventually(async () => (await sender.send({ payload: VALID })).status, 401);
});

test("refused events of a known sender are counted as invalid", async () => {
  const sender = await makeSender();
  await sender.sendDirectly({ payload: VALID });
  const { status } = await sender.send({ payload: "{}" });
  assert.equal(status, 422);
  const usage = async () => {
    const row = await t.db
      .selectFrom("project_usage")
      .select("invalid")
      .where("project_id", "=", sender.id)
      .executeTakeFirst();
    return row?.invalid ?? 0;
  };
  await eventually(usage, 1);
});
