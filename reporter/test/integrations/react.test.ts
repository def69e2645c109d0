import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { ErrorBoundary, reactErrors } from "../../src/integrations/react.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

test("React: the error boundary reports an error, calls onError and shows the fallback until it is reset", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const seen: unknown[] = [];
  const error = new TypeError("no lines");
  const boundary = new ErrorBoundary({
    reporter,
    children: "orders",
    fallback: (failure) => `failed: ${(failure.error as Error).message}`,
    onError: (each) => seen.push(each),
  });
  assert.equal(renderToString(boundary.render()), "orders");
  boundary.componentDidCatch(error, { componentStack: "" });
  boundary.state = ErrorBoundary.getDerivedStateFromError(error);
  assert.equal(renderToString(boundary.render()), "failed: no lines");
  assert.deepEqual(seen, [error]);
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => [event.exception_class, event.framework?.name]),
    [["TypeError", "React"]],
  );
  assert.equal(renderToString(createElement(ErrorBoundary, { reporter }, "orders")), "orders");
});

test("React: the root's options report an error once, and pass it on as React does", async (t) => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const lines = t.mock.method(console, "error", () => {});
  const passedOn: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => passedOn.push(error) });
  t.after(() => void Reflect.deleteProperty(globalThis, "reportError"));
  const { onCaughtError, onUncaughtError } = reactErrors({ reporter });
  const [caught, uncaught] = [new Error("caught"), new Error("uncaught")];
  onCaughtError(caught);
  onUncaughtError(uncaught);
  onUncaughtError(uncaught);
  assert.deepEqual([lines.mock.calls[0]?.arguments, passedOn], [[caught], [uncaught, uncaught]]);
  await reporter.flush();
  assert.deepEqual(
    server
      .events()
      .map((event) => event.message)
      .sort(),
    ["caught", "uncaught"],
  );
});

test("React: the browser's copy of an error that Next.js reported on the server is not reported again", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const boundary = new ErrorBoundary({ reporter });
  boundary.componentDidCatch(Object.assign(new Error("hidden"), { digest: "123" }), { componentStack: "" });
  await reporter.flush();
  assert.equal(server.arrivals.length, 0);
});
