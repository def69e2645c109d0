import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { proxyFor } from "../src/node/proxy.ts";
import { recordingServer } from "./support/recording-server.ts";
import { runProgram } from "./support/run-program.ts";

const addresses: [url: string, env: NodeJS.ProcessEnv, proxy: string | undefined][] = [
  ["https://a.example", { HTTPS_PROXY: "http://p:8" }, "http://p:8/"],
  ["https://a.example", { https_proxy: "p:8" }, "http://p:8/"],
  ["http://a.example", { HTTPS_PROXY: "http://p:8" }, undefined],
  ["http://a.example", { ALL_PROXY: "http://p:8" }, "http://p:8/"],
  ["http://a.example", { HTTP_PROXY: "http://p:8", NO_PROXY: "b.example, .example" }, undefined],
  ["http://a.example", { HTTP_PROXY: "http://p:8", NO_PROXY: "b.example,a.example:8080" }, "http://p:8/"],
  ["http://a.example", { HTTP_PROXY: "http://p:8", NO_PROXY: "*" }, undefined],
  ["http://127.0.0.1:3000", { HTTP_PROXY: "http://p:8" }, undefined],
];

for (const [url, env, proxy] of addresses) {
  test(`${url} with ${JSON.stringify(env)} is reached through ${proxy ?? "no proxy"}`, () =>
    assert.equal(proxyFor(new URL(url), env)?.href, proxy));
}

for (const [when, source] of [
  ["while the program runs", "captureError(new Error('x')); await flush();"],
  ["at a crash", "throw new Error('x')"],
] as const) {
  test(`errors are sent through HTTP_PROXY ${when}`, async () => {
    await using proxy = await recordingServer();
    const env = {
      HTTP_PROXY: proxy.url.replace("://", "://ann:secret@"),
      SIGNALBOX_URL: "http://signalbox.example",
    };
    await runProgram(`${start}${source}`, proxy, { env });
    const [{ path, proxyAuthorization } = assert.fail()] = proxy.arrivals;
    assert.equal(path, "http://signalbox.example/api/projects/7/error-events");
    assert.equal(proxyAuthorization, `Basic ${Buffer.from("ann:secret").toString("base64")}`);
  });

  test(`HTTPS goes through a tunnel of HTTPS_PROXY ${when}`, async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url ?? "");
      // The other end is no TLS server, which is enough to see the client's TLS greeting arrive there.
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.once("data", (greeting) => {
        asked.push(`TLS ${greeting[0]}`);
        socket.destroy();
      });
    });
    proxy.listen(0, "127.0.0.1");
    await new Promise((listening) => proxy.once("listening", listening));
    const { port } = proxy.address() as AddressInfo;
    const env = { https_proxy: `127.0.0.1:${port}`, SIGNALBOX_URL: "https://signalbox.example" };
    await runProgram(`${start}${source}`, { url: "" }, { env });
    proxy.close();
    assert.deepEqual(asked.slice(0, 2), ["signalbox.example:443", "TLS 22"]);
  });
}

const start =
  'import { init, captureError, flush } from "@signalbox/reporter"; init({ exitDeadlineMs: 5000 });';
