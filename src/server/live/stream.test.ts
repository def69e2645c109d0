import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { waitUntil } from "../../../test/support/eventually.ts";
import type { LiveChange } from "../record/live-changes.ts";
import { Stream } from "./stream.ts";

const MAX_BUFFERED = 100_000;
const position = { second: 1, snapshot: "10:10:" };
const caller = {
  kind: "personal",
  key: "pat:1",
  user_id: 1,
  token_id: 1,
  write: false,
  scope: null,
} as const;

/** The responses of a minimal server. */
const waiting: ((response: ServerResponse) => void)[] = [];
const server = createServer((_request, response) => waiting.shift()?.(response));
before(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
after(() => new Promise((resolve) => void server.close(resolve)));

/** A stream, and the paused socket of its client. */
async function openStream() {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1" }).pause();
  socket.on("error", () => {});
  const asked = new Promise<ServerResponse>((resolve) => waiting.push(resolve));
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const response = await asked;
  const stream = new Stream(caller, response, MAX_BUFFERED);
  stream.begin({ "content-type": "text/event-stream" }, position);
  return { stream, socket, response };
}

const changes = (count: number): LiveChange[] =>
  Array.from({ length: count }, (_, id) => ({ kind: "issue", project_id: 1, id: id + 1 }));

test("a client that does not read is disconnected at the buffer limit and uses no more memory", async () => {
  const { stream, socket, response } = await openStream();
  const many = changes(900);
  let rounds = 0;
  let most = 0;
  while (stream.isOpen) {
    assert.ok(++rounds < 2_000, "it was never dropped");
    stream.send(many, position);
    most = Math.max(most, response.writableLength);
    await new Promise(setImmediate);
  }
  assert.ok(most < MAX_BUFFERED + 100_000, `${most} bytes were kept for it`);
  stream.send(many, position);
  stream.sendHeartbeat(position);
  stream.end();
  socket.destroy();
});

test("a client that receives nothing between two heartbeats is disconnected before the buffer limit", async () => {
  const { stream, socket, response } = await openStream();
  while (response.writableLength < 1_000) {
    stream.send(changes(100), position);
    await new Promise(setImmediate);
  }
  await waitUntil(() => {
    stream.sendHeartbeat(position);
    assert.ok(response.writableLength < MAX_BUFFERED);
    return !stream.isOpen;
  });
  socket.destroy();
});

test("a client that keeps reading stays connected, however much is sent", async () => {
  const { stream, socket, response } = await openStream();
  socket.resume();
  for (let round = 0; round < 200; round++) {
    stream.send(changes(900), position);
    while (stream.isOpen && response.writableLength > 0) await new Promise(setImmediate);
    stream.sendHeartbeat(position);
  }
  assert.ok(stream.isOpen);
  socket.destroy();
});

test("ending a stream disconnects a client that does not receive the rest", async () => {
  const { stream, socket, response } = await openStream();
  const closed = new Promise<void>((resolve) => response.once("close", () => resolve()));
  while (response.writableLength < 1_000) {
    stream.send(changes(100), position);
    await new Promise(setImmediate);
  }
  stream.end();
  await closed;
  socket.destroy();
});
