import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import { makeCertificate } from "../../../../../test/support/certificate.ts";
import { ALLOW_LOCAL, openReceiver } from "../../../../../test/support/webhook-receiver.ts";
import type { LookUp } from "./look-up-addresses.ts";
import { sendRequest, type SendOptions } from "./send-request.ts";

const request = (url: string) => ({ url, headers: { "content-type": "application/json" }, body: "{}" });

const send = (url: string, options: Partial<SendOptions> = {}) =>
  sendRequest(request(url), { allowed: ALLOW_LOCAL, ...options });

/** A server that handles the bytes itself. Its address has the given protocol. */
async function openRawServer(
  context: TestContext,
  onConnection: (socket: Socket) => void,
  protocol = "http",
) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${protocol}://127.0.0.1:${port}`, port, sockets };
}

const answerWith = (text: string) => (socket: Socket) => socket.once("data", () => socket.write(text));

test("the request has no cookies, asks for no compression and closes its connection", async (context) => {
  const receiver = await openReceiver(context, (response) =>
    response.writeHead(204, { "set-cookie": "a=b" }).end(),
  );
  await send(receiver.url);
  await send(receiver.url);
  const { host, ...headers } = receiver.received[1]?.headers ?? {};
  assert.equal(host, new URL(receiver.url).host);
  assert.deepEqual(headers, {
    "content-type": "application/json",
    "content-length": "2",
    connection: "close",
  });
});

test("a proxy of the environment is not used", async (context) => {
  const proxy = await openReceiver(context);
  const receiver = await openReceiver(context);
  for (const name of ["HTTP_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"]) {
    process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.url;
    context.after(() => void delete process.env[name]);
  }
  await send(receiver.url);
  assert.deepEqual([proxy.received.length, receiver.received.length], [0, 1]);
});

test("4,096 bytes of the response are kept, and invalid ones become U+FFFD", async (context) => {
  const receiver = await openReceiver(context, (response) =>
    response.end(Buffer.concat([Buffer.from([0x41, 0xff, 0]), Buffer.alloc(5_000, "é")])),
  );
  const { response_body } = await send(receiver.url);
  assert.equal(response_body, `A\uFFFD\uFFFD${"é".repeat(2_046)}\uFFFD`);
});

test("a compressed response is not decompressed", async (context) => {
  const receiver = await openReceiver(context, (response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end("plain"),
  );
  assert.equal((await send(receiver.url)).response_body, "plain");
});

test("an endless body after a 200 is a success", async (context) => {
  const receiver = await openReceiver(context, (response) => {
    const write = () => void (response.writable && response.write("x".repeat(100), write));
    write();
  });
  const { status_code, error, response_body } = await send(receiver.url);
  assert.deepEqual([status_code, error, response_body?.length], [200, null, 4_096]);
});

test("a body that stops after a 200 is a success with what was received", async (context) => {
  const receiver = await openReceiver(context, (response) => response.write("some"));
  const { status_code, error, response_body } = await send(receiver.url, { bodyMs: 100 });
  assert.deepEqual([status_code, error, response_body], [200, null, "some"]);
});

test("a body that breaks off after a 200 is a success with what was received", async (context) => {
  const receiver = await openReceiver(context, (response) =>
    response.write("some", () => response.destroy()),
  );
  const { status_code, error, response_body } = await send(receiver.url);
  assert.deepEqual([status_code, error, response_body], [200, null, "some"]);
});

test("a receiver that does not answer in time is a timeout", async (context) => {
  const receiver = await openReceiver(context, () => {});
  const { status_code, error, response_body } = await send(receiver.url, { headersMs: 100 });
  assert.deepEqual([status_code, error, response_body], [null, "timeout", null]);
});

test("headers that arrive byte by byte are a timeout", async (context) => {
  const { url } = await openRawServer(context, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("x"), 10);
    socket.once("close", () => clearInterval(timer));
  });
  assert.equal((await send(url, { headersMs: 200 })).error, "timeout");
});

test("endless informational responses are a timeout", async (context) => {
  const { url } = await openRawServer(context, (socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 10);
    socket.once("close", () => clearInterval(timer));
  });
  assert.equal((await send(url, { headersMs: 200 })).error, "timeout");
});

for (const [what, text] of [
  ["text that is not HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["headers of 1 MB", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_048_576)}\r\n\r\n`],
  [
    "a switch of protocols",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
  ],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
] as const)
  test(`${what} in response is an error of the protocol`, async (context) => {
    const { url } = await openRawServer(context, answerWith(text));
    assert.equal((await send(url)).error, "protocol");
  });

test("a connection that closes without a response is an error of the protocol", async (context) => {
  const { url } = await openRawServer(context, (socket) => socket.once("data", () => socket.destroy()));
  assert.equal((await send(url)).error, "protocol");
});

test("a port that nobody listens on is an error of the connection", async () => {
  assert.equal((await send("http://127.0.0.1:1")).error, "connect");
});

test("a receiver that speaks no TLS is an error of TLS", async (context) => {
  const { url } = await openRawServer(context, answerWith("HTTP/1.1 200 OK\r\n\r\n"), "https");
  assert.equal((await send(url)).error, "tls");
});

async function openTlsServer(context: TestContext) {
  const names: (string | false | null)[] = [];
  const server = createTlsServer({
    ...makeCertificate("hooks.example.com"),
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  let requests = 0;
  server.on("request", (_request, response) => {
    requests++;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, names, requests: () => requests };
}

test("a certificate that is not trusted is an error of TLS, whatever the environment says, and SNI is the name", async (context) => {
  const server = await openTlsServer(context);
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  context.after(() => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]);
  const { error } = await send(`https://hooks.example.com:${server.port}/`, {
    allowed: [{ hostname: "hooks.example.com", port: undefined }],
    lookUp: async () => ["127.0.0.1"],
  });
  assert.deepEqual([error, server.names, server.requests()], ["tls", ["hooks.example.com"], 0]);
});

/** Counts the lookups, which return these addresses. */
function answering(...answers: string[][]) {
  let lookups = 0;
  const lookUp: LookUp = async () => answers[Math.min(lookups++, answers.length - 1)] ?? [];
  return { lookUp, lookups: () => lookups };
}

for (const addresses of [
  ["127.0.0.1"],
  ["8.8.8.8", "10.0.0.1"],
  ["::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["2002:7f00:1::"],
  ["8.8.8.8", "2002:a00:1::"],
  ["::1"],
])
  test(`a name with the addresses ${addresses.join(" and ")} is not connected to`, async (context) => {
    const { port, sockets } = await openRawServer(context, () => {});
    const { lookUp, lookups } = answering(addresses);
    const { error } = await send(`https://hooks.example.com:${port}/`, { lookUp });
    assert.deepEqual([error, lookups(), sockets.size], ["address_not_allowed", 1, 0]);
  });

test("a name is looked up once, and the connection goes to the address that was checked", async (context) => {
  const receiver = await openReceiver(context);
  const { port } = new URL(receiver.url);
  // The second answer would be another address.
  const { lookUp, lookups } = answering(["127.0.0.1"], ["203.0.113.1"]);
  const allowed: AllowedHosts = [{ hostname: "hooks.internal", port: undefined }];
  const { status_code } = await send(`http://hooks.internal:${port}/`, { lookUp, allowed });
  assert.deepEqual([status_code, lookups()], [204, 1]);
  assert.equal(receiver.received[0]?.headers["host"], `hooks.internal:${port}`);
});

test("if an address does not answer, the next one is tried", async (context) => {
  const receiver = await openReceiver(context);
  const { port } = new URL(receiver.url);
  const { lookUp } = answering(["127.0.0.9", "127.0.0.1"]);
  const allowed: AllowedHosts = [{ hostname: "hooks.internal", port: undefined }];
  assert.equal((await send(`http://hooks.internal:${port}/`, { lookUp, allowed })).status_code, 204);
});

for (const url of ["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://localhost/"])
  test(`${url} is not connected to unless it is allowed`, async () => {
    assert.equal((await send(url, { allowed: [] })).error, "address_not_allowed");
  });

test("an address over http whose host is no longer allowed is not connected to", async (context) => {
  const receiver = await openReceiver(context);
  assert.equal((await send(receiver.url, { allowed: [] })).error, "address_not_allowed");
  assert.deepEqual(receiver.received, []);
});

test("a name that does not exist is an error of the lookup", async () => {
  const { lookUp } = answering([]);
  assert.equal((await send("https://hooks.example.com/", { lookUp })).error, "lookup");
  const allowed: AllowedHosts = [{ hostname: "nothing.invalid", port: undefined }];
  assert.equal((await send("https://nothing.invalid/", { allowed })).error, "lookup");
});

test("a name server that does not answer is a timeout", async () => {
  const lookUp: LookUp = () => new Promise(() => {});
  assert.equal((await send("https://hooks.example.com/", { lookUp, headersMs: 100 })).error, "timeout");
});

test("an attempt ends with an exception if the process stops", async (context) => {
  const stopping = new AbortController();
  const receiver = await openReceiver(context, () => stopping.abort());
  await assert.rejects(
    sendRequest(request(receiver.url), { allowed: ALLOW_LOCAL }, stopping.signal),
    (error: Error) => error.name === "AbortError",
  );
});
