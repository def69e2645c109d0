import assert from "node:assert/strict";
import { test } from "node:test";
import { record } from "../src/browser/breadcrumbs.ts";
import { startLater } from "../src/browser/later.ts";
import type { NewBreadcrumb } from "../src/core/trail.ts";
import { openPage } from "./support/page.ts";
import { recordingServer, status } from "./support/recording-server.ts";

const log = false;
const key = "0123456789abcdef0123456789abcdef";

test("browser: uncaught errors and rejections arrive with release, browser and framework", async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({
    endpoint: `${server.url}/errors`,
    environment: "test",
    release: "3",
    framework: { name: "React" },
    log,
  });
  page.dispatch("error", { error: new TypeError("broken"), lineno: 3 });
  page.dispatch("unhandledrejection", { reason: new RangeError("lost") });
  assert.equal(await page.flush(), true);
  assert.deepEqual(
    server.arrivals.map((arrival) => [arrival.path, arrival.authorization]),
    [
      ["/errors", undefined],
      ["/errors", undefined],
    ],
  );
  const [first, second] = server.events().sort((a, b) => (a.message < b.message ? -1 : 1));
  assert.deepEqual([first?.exception_class, second?.exception_class], ["TypeError", "RangeError"]);
  const { stack_trace: _, event_id, ...rest } = first ?? assert.fail();
  assert.match(event_id ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(rest, {
    tags: {},
    breadcrumbs: [],
    environment: "test",
    release: "3",
    exception_class: "TypeError",
    message: "broken",
    runtime: { name: "Chrome", version: "150.0.1" },
    framework: { name: "React" },
  });
});

test("browser: the page's global has the release and the id of the last error that is sent, for the feedback widget", async () => {
  await using server = await recordingServer();
  const page = openPage();
  const beforeSend = ({ message }: { message: string }) => (message === "dropped" ? null : undefined);
  const reporter = page.init({ endpoint: server.url, release: "4.13.0", beforeSend, log });
  const shown = () => ({ ...(page.globals["__SIGNALBOX__"] as object) });
  assert.deepEqual(shown(), { release: "4.13.0" });
  const lastEventId = reporter.captureError(new Error("sent"));
  reporter.captureError(new Error("dropped"));
  assert.deepEqual(shown(), { release: "4.13.0", lastEventId });
  await page.flush();
});

for (const [userAgent, runtime] of [
  ["Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0", { name: "Firefox", version: "140.0" }],
  ["Mozilla/5.0 AppleWebKit/605.1.15 Version/18.4 Safari/605.1.15", { name: "Safari", version: "18.4" }],
  ["Mozilla/5.0 Chrome/150.0.0.0 Safari/537.36 Edg/150.1", { name: "Edge", version: "150.1" }],
  ["Robot", undefined],
] as const) {
  test(`browser: the user agent "${userAgent}" is recognized as ${runtime?.name}`, async () => {
    await using server = await recordingServer();
    const page = openPage(userAgent);
    page.init({ endpoint: server.url, log });
    page.captureError(new Error("x"));
    await page.flush();
    assert.deepEqual(server.events()[0]?.runtime, runtime);
  });
}

test("browser: a trace contains neither the page's address nor any query", async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({ endpoint: server.url, log });
  const error = new Error("x", { cause: new Error("y") });
  error.stack =
    "Error: x\n    at f (https://app.example.com/users/42?token=abc:3:9)\n    at https://cdn.example.com/a.js?v=1:1:2";
  (error.cause as Error).stack = "g@https://app.example.com/users/42?token=abc:3:9";
  page.captureError(error);
  await page.flush();
  assert.equal(
    server.events()[0]?.stack_trace,
    "    at f (<page>:3:9)\n    at https://cdn.example.com/a.js:1:2",
  );
  assert.equal(server.events()[0]?.previous_exceptions?.[0]?.stack_trace, "g@<page>:3:9");
});

test('browser: a cross-origin "Script error." without details is not sent', async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({ endpoint: server.url, log });
  page.dispatch("error", { message: "Script error.", error: null, lineno: 0 });
  page.dispatch("error", { message: "Uncaught x", filename: "https://a.example/b.js", lineno: 3, colno: 4 });
  await page.flush();
  assert.deepEqual(
    server.events().map((event) => [event.message, event.stack_trace]),
    [["Uncaught x", "    at https://a.example/b.js:3:4"]],
  );
});

test("browser: when the page is hidden, queued events are sent at once", async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({ endpoint: server.url, log });
  page.captureError(new Error("x"));
  page.hide();
  assert.equal(page.requests.length, 1);
  await server.received(1);
});

test("browser: requests outlive the page as long as their bodies together fit into the browser's limit", async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({ endpoint: server.url, token: key, log });
  for (const size of [100, 55_000, 30_000]) page.captureError(new Error("x".repeat(size)));
  await page.flush();
  assert.deepEqual(
    page.requests.map((request) => request.keepalive),
    [true, true, false],
  );
  page.captureError(new Error("y"));
  await page.flush();
  assert.deepEqual([page.requests[3]?.keepalive, server.arrivals[0]?.authorization], [true, `Bearer ${key}`]);
});

test("browser: an event that beforeSend made invalid is repaired when the server refuses it", async () => {
  await using server = await recordingServer(status(422));
  const page = openPage();
  const beforeSend = () => ({ exception_class: "x".repeat(300), message: 5 }) as never;
  page.init({ endpoint: server.url, beforeSend, log });
  page.captureError(new Error("x"));
  assert.equal(await page.flush(), true);
  const { environment, exception_class, message, stack_trace } = server.events()[1] ?? assert.fail();
  assert.deepEqual([environment, exception_class.length, message, stack_trace], ["production", 255, "5", ""]);
});

test("browser: a 429 pauses sending, and a closed reporter has no listeners", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const page = openPage();
  const reporter = page.init({ endpoint: server.url, log });
  page.captureError(new Error("x"));
  assert.equal(await page.flush(), false);
  await reporter.close(0);
  page.dispatch("error", { error: new Error("y"), lineno: 1 });
  page.hide();
  assert.equal(server.arrivals.length, 1);
});

test("browser: with url, project and key, or with a DSN, events are sent straight to the project", async () => {
  await using server = await recordingServer();
  const lines: string[] = [];
  for (const destination of [
    { url: server.url, project: "WEB", key },
    { dsn: server.url.replace("://", `://${key}@`) + "/WEB" },
  ]) {
    const page = openPage();
    page.init({ ...destination, log: (line) => void lines.push(line) });
    page.captureError(new Error("x"));
    assert.equal(await page.flush(), true);
  }
  assert.deepEqual(
    server.arrivals.map((arrival) => [arrival.path, arrival.authorization]),
    Array.from({ length: 2 }, () => ["/api/projects/WEB/error-events", `Bearer ${key}`]),
  );
  assert.deepEqual(lines, []);
});

test("browser: a project token instead of an ingest key is warned about", () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  for (const authorization of [`Bearer ${key}`, "Bearer sbp_x"])
    startLater(
      () => {},
      { breadcrumbs: false },
      { url: "https://a.example/", headers: { authorization } },
      log,
    );
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /not an ingest key/);
});

test("browser: the console, fetch and navigation leave breadcrumbs without queries, until they are stopped", async (t) => {
  await using server = await recordingServer(status(404));
  const location = { href: `${server.url}/cart?token=abc`, pathname: "/cart" };
  const history = {
    pushState: (_: unknown, __: string, path: string) => void (location.pathname = path),
    replaceState() {},
  };
  for (const [name, value] of Object.entries({ location, history }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  t.after(
    () => Reflect.deleteProperty(globalThis, "location") && Reflect.deleteProperty(globalThis, "history"),
  );
  const originals = [globalThis.fetch, console.info, history.pushState];
  // The line need not appear in the test's output.
  t.mock.method(console, "info", () => {});
  const added: NewBreadcrumb[] = [];
  const undo = record((breadcrumb) => void added.push(breadcrumb), {}, `${server.url}/errors`);
  console.info("clicked", 2);
  await fetch(`${server.url}/items?token=abc`, { method: "post", body: "{}" });
  await fetch(`${server.url}/errors`, { method: "POST", body: "{}" });
  history.pushState(null, "", "/pay");
  for (const step of undo) step();
  t.mock.restoreAll();
  const url = `${server.url}/items`;
  const data = { method: "POST", url, status_code: 404 };
  assert.deepEqual(added, [
    { category: "console", level: "info", message: "clicked 2" },
    { category: "fetch", level: "warning", message: `POST ${url} 404`, data },
    { category: "navigation", message: "/cart → /pay", data: { from: "/cart", to: "/pay" } },
  ]);
  assert.deepEqual([globalThis.fetch, console.info, history.pushState], originals);
});

test("browser: uncaught errors of extensions and harmless ones are not sent, unless filterNoise is false", async () => {
  await using server = await recordingServer();
  const ofExtension = Object.assign(new Error("x"), {
    stack: "Error: x\n    at chrome-extension://abc/a.js:1:2",
  });
  for (const filterNoise of [undefined, false]) {
    const page = openPage();
    page.init({ endpoint: server.url, filterNoise, log });
    page.dispatch("error", { error: ofExtension, lineno: 1 });
    page.dispatch("error", { message: "ResizeObserver loop limit exceeded", filename: "a.js", lineno: 1 });
    page.dispatch("unhandledrejection", { reason: new Error("own") });
    await page.flush();
  }
  assert.deepEqual(
    server
      .events()
      .map((event) => event.message)
      .sort(),
    ["ResizeObserver loop limit exceeded", "own", "own", "x"],
  );
});

test("browser: an error of the page is sent if it passed a function that an extension wrapped", async () => {
  await using server = await recordingServer();
  const frames = {
    chromium: [
      "Error: of the page",
      "    at pay (https://shop.example/a.js:1:2)",
      "    at chrome-extension://abc/wrap.js:3:4",
    ],
    firefox: ["pay@https://shop.example/a.js:1:2", "wrap@moz-extension://abc/wrap.js:3:4"],
  };
  const page = openPage();
  page.init({ endpoint: server.url, log });
  for (const lines of Object.values(frames)) {
    page.dispatch("error", {
      error: Object.assign(new Error("of the page"), { stack: lines.join("\n") }),
      lineno: 1,
    });
    const [own = "", wrapper = ""] = lines.slice(-2);
    const swapped = [...lines.slice(0, -2), wrapper, own].join("\n");
    page.dispatch("error", {
      error: Object.assign(new Error("of the extension"), { stack: swapped }),
      lineno: 1,
    });
  }
  await page.flush();
  assert.deepEqual(
    server.events().map((event) => event.message),
    ["of the page", "of the page"],
  );
});

test("browser: an error whose message has many @ takes linear time", async () => {
  await using server = await recordingServer();
  const page = openPage();
  page.init({ endpoint: server.url, log });
  const start = process.cpuUsage();
  page.dispatch("error", { error: new Error("@".repeat(200_000)), lineno: 1 });
  const { user, system } = process.cpuUsage(start);
  await page.flush();
  assert.equal(server.events().length, 1);
  // This takes milliseconds; in quadratic time, it would take half a minute.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1_000} ms`);
});

for (const [where, missing] of [
  ["a page", []],
  ["a worker", ["document", "window"]],
  ["a server that renders the page", ["document", "window", "location", "navigator", "addEventListener"]],
] as const) {
  test(`browser: in ${where}, init without options says what is missing and throws nothing`, async () => {
    const lines: string[] = [];
    const page = openPage(undefined, ...missing);
    page.init({ log: (line) => void lines.push(line) });
    page.captureError(new Error("x"));
    assert.equal(await page.flush(), true);
    assert.deepEqual(lines, ["[signalbox] nothing will be sent: url, project, key missing"]);
    assert.doesNotThrow(() => openPage(undefined, ...missing).init());
  });

  test(`browser: in ${where}, errors are sent`, async () => {
    await using server = await recordingServer();
    const page = openPage(undefined, ...missing);
    page.init({ url: server.url, project: 1, key, log });
    page.captureError(new Error("x"));
    assert.equal(await page.flush(), true);
    assert.equal(server.events()[0]?.message, "x");
  });
}
