import assert from "node:assert/strict";
import { test } from "node:test";
import { svelteKitErrors } from "../../src/integrations/sveltekit.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

const event = { route: { id: "/shop/orders/[id]" }, request: { method: "GET" } };

test("SvelteKit: an unexpected error has the route's id, and the application's own hook decides what the page shows", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const handleError = svelteKitErrors(({ message }) => ({ message, id: "7" }), { reporter });
  const shown = handleError({
    error: new TypeError("no lines"),
    status: 500,
    message: "Internal Error",
    event,
  });
  assert.deepEqual(shown, { message: "Internal Error", id: "7" });
  handleError({
    error: new Error("Not found: /x"),
    status: 404,
    message: "Not Found",
    event: { ...event, route: { id: null } },
  });
  await reporter.flush();
  assert.deepEqual(
    server.events().map((each) => [each.exception_class, each.context, each.framework?.name]),
    [
      [
        "TypeError",
        { kind: "route", method: "GET", pattern: "/shop/orders/[id]", response_status: 500 },
        "SvelteKit",
      ],
    ],
  );
});

test("SvelteKit in a browser: an error has no method and no status", async (t) => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  t.mock.method(console, "error", () => {});
  const failure = {
    error: new Error("x"),
    status: 500,
    message: "Internal Error",
    event: { route: event.route },
  };
  assert.equal(svelteKitErrors(undefined, { reporter })(failure), undefined);
  await reporter.flush();
  assert.deepEqual(server.events()[0]?.context, { kind: "route", pattern: "/shop/orders/[id]" });
});

test("SvelteKit 3: unknown errors are reported, those of error() and of the framework are not", async (t) => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  t.mock.method(console, "error", () => {});
  const handleError = svelteKitErrors(undefined, { reporter });
  handleError({ kind: "unknown", error: new TypeError("no lines"), event });
  handleError({ kind: "app", error: { status: 503, message: "closed" }, event });
  handleError({ kind: "framework", error: { status: 404, message: "Not Found" }, event });
  await reporter.flush();
  assert.deepEqual(
    server.events().map((each) => [each.message, each.context]),
    [["no lines", { kind: "route", method: "GET", pattern: "/shop/orders/[id]", response_status: 500 }]],
  );
});
