/** Tests the reporter in Chromium: Debian's package `chromium`, or the program that the variable CHROMIUM names. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ErrorEventBody } from "../src/core/event.ts";

const bundle = readFileSync(join(import.meta.dirname, "../dist/browser/index.js"));

/** The script of the page. */
const script = `
  import { captureError, init } from "/reporter.js";
  init({ endpoint: "/errors", environment: "test" });
  class CartError extends Error {}
  setTimeout(() => { throw new CartError("uncaught", { cause: new Error("root") }); });
  Promise.reject(new TypeError("rejected"));
  captureError("a text");
  setTimeout(() => { captureError(new Error("at the last moment")); location.href = "/gone"; }, 500);
`;

test(
  "Chromium: uncaught errors, rejections and an error captured right before navigation arrive",
  { timeout: 30_000 },
  async () => {
    const events: ErrorEventBody[] = [];
    const server = createServer((request, response) => {
      if (request.url === "/errors") {
        let text = "";
        request.on("data", (part) => (text += String(part)));
        request.on("end", () => {
          events.push(JSON.parse(text));
          response.writeHead(202).end();
          server.emit("event");
        });
      } else if (request.url === "/reporter.js") {
        response.writeHead(200, { "content-type": "text/javascript" }).end(bundle);
      } else {
        const body = request.url === "/gone" ? "gone" : `<script type="module">${script}</script>`;
        response.writeHead(200, { "content-type": "text/html" }).end(body);
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const profile = mkdtempSync(join(tmpdir(), "signalbox-chromium-"));
    const page = `http://127.0.0.1:${port}/users/42?token=abc`;
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
    // No network traffic of Chromium's own.
    options.push(
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    );
    // Debian's headless shell is started by a script, so all processes of its group have to be ended.
    const browser = spawn(executable(), [...options, `--user-data-dir=${profile}`, page], {
      detached: true,
      stdio: "ignore",
    });

    while (events.length < 4) await once(server, "event");
    process.kill(-(browser.pid as number), "SIGKILL");
    await once(browser, "exit");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    server.close();
    server.closeAllConnections();

    assert.deepEqual(events.map((event) => `${event.exception_class}: ${event.message}`).sort(), [
      "CartError: uncaught",
      "Error: at the last moment",
      "Thrown string: a text",
      "TypeError: rejected",
    ]);
    assert.deepEqual(
      events
        .find((event) => event.message === "uncaught")
        ?.previous_exceptions?.map((event) => event.message),
      ["root"],
    );
    for (const { stack_trace, runtime } of events) {
      assert.match(stack_trace, /^ {4}at /);
      assert.doesNotMatch(stack_trace, /users|token/);
      assert.match(`${runtime?.name} ${runtime?.version}`, /^Chrome \d+\./);
    }
  },
);

/** Debian's headless shell, or the whole browser. */
const executable = () =>
  process.env["CHROMIUM"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path)) ??
  "chromium";
