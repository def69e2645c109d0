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
import { transform } from "esbuild";
import type { ErrorEventBody } from "../src/core/event.ts";
import { injectDebugId } from "../test/support/inject-debug-id.ts";

const DEBUG_ID = "14b12530-3b5a-5d88-8ef4-ecedc0e0c81e";

/** A minified file of the application, as a bundler's plugin leaves it. */
const { code: app } = await transform(
  'export function pay() { const fail = () => { throw new Error("of the application"); }; fail(); }',
  { minify: true, format: "esm" },
);

const files: Record<string, string> = {
  "/reporter.js": readFileSync(join(import.meta.dirname, "../dist/browser/index.js"), "utf8"),
  "/later.js": readFileSync(join(import.meta.dirname, "../dist/browser/later.js"), "utf8"),
  "/app.js": injectDebugId(app, DEBUG_ID),
};

/** The script of the page. */
const script = `
  import { captureError, init } from "/reporter.js";
  import { pay } from "/app.js";
  init({ endpoint: "/errors", environment: "test" });
  class CartError extends Error {}
  setTimeout(() => { throw new CartError("uncaught", { cause: new Error("root") }); });
  setTimeout(pay);
  Promise.reject(new TypeError("rejected"));
  captureError("a text");
  // The reporter has asked for this file before.
  await import("/later.js");
  await new Promise((done) => setTimeout(done));
  console.info("leaving");
  setTimeout(() => { captureError(new Error("at the last moment")); location.href = "/gone"; }, 500);
`;

test(
  "Chromium: uncaught errors, rejections and an error captured right before navigation arrive",
  { timeout: 30_000 },
  async () => {
    // A request that navigation interrupts is repeated, although it may have arrived. Signalbox counts each id once.
    const arrived = new Map<string | undefined, ErrorEventBody>();
    const server = createServer((request, response) => {
      if (request.url === "/errors") {
        let text = "";
        request.on("data", (part) => (text += String(part)));
        request.on("end", () => {
          const event = JSON.parse(text) as ErrorEventBody;
          arrived.set(event.event_id, event);
          response.writeHead(202).end();
          server.emit("event");
        });
      } else if (files[request.url ?? ""]) {
        response.writeHead(200, { "content-type": "text/javascript" }).end(files[request.url ?? ""]);
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

    while (arrived.size < 5) await once(server, "event");
    const events = [...arrived.values()];
    process.kill(-(browser.pid as number), "SIGKILL");
    await once(browser, "exit");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    server.close();
    server.closeAllConnections();

    assert.deepEqual(events.map((event) => `${event.exception_class}: ${event.message}`).sort(), [
      "CartError: uncaught",
      "Error: at the last moment",
      "Error: of the application",
      "Thrown string: a text",
      "TypeError: rejected",
    ]);
    assert.deepEqual(
      events
        .find((event) => event.message === "uncaught")
        ?.previous_exceptions?.map((event) => event.message),
      ["root"],
    );
    const code_file = `http://127.0.0.1:${port}/app.js`;
    assert.deepEqual(
      events.flatMap(({ debug_meta }) => debug_meta?.images ?? []),
      [{ type: "sourcemap", code_file, debug_id: DEBUG_ID }],
    );
    const last = events.find((event) => event.message === "at the last moment");
    assert.deepEqual(
      last?.breadcrumbs?.map(({ category, message }) => [category, message]),
      [["console", "leaving"]],
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
