import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { startTcpProxy } from "./tcp-proxy.ts";

test("the proxy forwards bytes, swallows them without closing connections, and forwards new connections again", async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
  const open = () => connect(proxy.port, "127.0.0.1");
  const heard: string[] = [];

  const before = open().on("data", (chunk) => heard.push(`before: ${chunk}`));
  before.write("1");
  await once(before, "data");
  proxy.swallow();
  before.write("2");
  const during = open().on("data", (chunk) => heard.push(`during: ${chunk}`));
  during.write("3");
  await once(during, "connect");
  proxy.forward();
  const after = open().on("data", (chunk) => heard.push(`after: ${chunk}`));
  before.write("4");
  during.write("5");
  after.write("6");
  await once(after, "data");

  assert.deepEqual(heard, ["before: 1", "after: 6"]);
  assert.deepEqual([before.destroyed, during.destroyed, proxy.connections()], [false, false, 3]);
  for (const socket of [before, during, after]) socket.destroy();
  await proxy.close();
  echo.close();
});
