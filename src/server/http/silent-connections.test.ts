import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { eventually } from "../../../test/support/eventually.ts";
import { answerError } from "../answers/errors.ts";
import { readJsonBodies } from "./json-body.ts";
import { closeRefusedConnections } from "./refused-bodies.ts";
import { closeSilentConnections } from "./silent-connections.ts";

const SILENT_MS = 100;

async function withServer(
  answer: RequestListener,
  use: (port: number, timeouts: () => number) => Promise<void>,
) {
  const server = createServer(answer);
  let timeouts = 0;
  closeSilentConnections(server, SILENT_MS);
  server.on("timeout", () => timeouts++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use((server.address() as AddressInfo).port, () => timeouts);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

test("a client that stops reading its response is disconnected", async () => {
  const closed = Promise.withResolvers<void>();
  const answer: RequestListener = (_request, response) => {
    response.once("close", closed.resolve);
    response.end(Buffer.alloc(64 * 1_048_576));
  };
  await withServer(answer, async (port) => {
    const socket = await open(port);
    socket.pause().write(GET);
    await closed.promise;
    socket.destroy();
  });
});

test("a client is not disconnected while the server works on its request", async () => {
  const gate = Promise.withResolvers<void>();
  const answer: RequestListener = (_request, response) => void gate.promise.then(() => response.end("done"));
  await withServer(answer, async (port, timeouts) => {
    const socket = await open(port);
    socket.write(GET);
    await eventually(() => timeouts() >= 3, true);
    gate.resolve();
    const [data] = (await once(socket, "data")) as [Buffer];
    assert.match(data.toString(), /^HTTP\/1\.1 200/);
    socket.destroy();
  });
});

test("a connection on which nothing is sent is closed", async () => {
  await withServer(
    () => {},
    async (port) => {
      const socket = await open(port);
      await once(socket.resume(), "close");
    },
  );
});

test("a client that stops sending its body gets 408 and is disconnected", async () => {
  const app: FastifyInstance = Fastify();
  app.setErrorHandler(answerError);
  closeSilentConnections(app.server, SILENT_MS);
  closeRefusedConnections(app, SILENT_MS);
  readJsonBodies(app, SILENT_MS);
  app.post("/", async () => ({}));
  await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    const socket = await open((app.server.address() as AddressInfo).port);
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    const head =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    socket.write(`${head}{"a`);
    await once(socket, "close");
    assert.match(
      Buffer.concat(received).toString(),
      /^HTTP\/1\.1 408[\s\S]*"message":"The request did not arrive/,
    );
  } finally {
    await app.close();
  }
});
