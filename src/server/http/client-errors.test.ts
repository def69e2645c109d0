import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp({}, { silentMs: 600 });
await t.app.listen({ host: "127.0.0.1", port: 0 });
const { port } = t.app.server.address() as AddressInfo;

/** Everything that the server sends until it closes the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk)).on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(received).toString();
}

function assertRefused(answer: string, status: number, message: RegExp) {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.equal(Number(/^HTTP\/1\.1 (\d+) \w/.exec(head)?.[1]), status, answer);
  for (const header of [
    /^connection: close$/im,
    /^content-type: application\/json; charset=utf-8$/im,
    /^x-content-type-options: nosniff$/im,
    /^cache-control: no-store$/im,
    /^content-security-policy: default-src 'none'/im,
  ])
    assert.match(head, header);
  const json = JSON.parse(body) as { message: string };
  assert.deepEqual(Object.keys(json), ["message"]);
  assert.match(json.message, message);
}

const CLOSE = "Connection: close\r\n";

for (const [name, text, status, message] of [
  ["that is not HTTP", "hello\r\n\r\n", 400, /not valid HTTP/],
  ["with an unknown method", `FROB / HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`, 400, /not valid HTTP/],
  ["with a malformed header", `GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n${CLOSE}\r\n`, 400, /not valid HTTP/],
  ["without a host", `GET /api/health HTTP/1.1\r\n${CLOSE}\r\n`, 400, /Host header/],
  [
    "with large headers",
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    /at most 16 KB/,
  ],
  ["whose headers do not end", "GET / HTTP/1.1\r\nHost: x\r\n", 408, /in time/],
  [
    "with a malformed chunk",
    "POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    400,
    /not valid HTTP/,
  ],
] as const)
  test(`a request ${name} gets ${status} in the form of all errors`, async () => {
    assertRefused(await send(text), status, message);
  });

test("a request with an expectation is answered like any other", async () => {
  const answer = await send(`GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n${CLOSE}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200 OK/);
});

for (const [name, text] of [
  ["after the last request of a connection", `GET /api/setup HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\nhello`],
  ["instead of the next request", "GET /api/setup HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n"],
] as const)
  test(`a request in progress gets its response even if something other than HTTP arrives ${name}`, async () => {
    const answer = await send(text);
    assert.match(answer, /^HTTP\/1\.1 200 OK/);
    assert.equal(answer.split("HTTP/1.1").length, 2);
  });
