import assert from "node:assert/strict";
import { test } from "node:test";
import { nextErrors } from "../../src/integrations/next.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

/** What Next.js 16 passes to onRequestError for a page. */
const request = { path: "/shop/orders/42?token=abc", method: "GET", headers: { "x-user": "ann" } };
const place = {
  routerKind: "App Router",
  routePath: "/shop/(orders)/orders/[id]/page",
  routeType: "render",
  renderSource: "react-server-components",
} as const;

test("Next.js: an error has the declared path without groups and files, and what failed", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, { userHashSecret: "s" });
  const onRequestError = nextErrors({ reporter, userId: ({ headers }) => String(headers["x-user"]) });
  await onRequestError(new Error("x"), request, place);
  await onRequestError(new Error("y"), request, {
    ...place,
    routePath: "/api/orders/route",
    routeType: "route",
  });
  await onRequestError(new Error("z"), request, { ...place, routePath: "/page" });
  const events = server.events();
  assert.deepEqual(events[0]?.context, {
    kind: "route",
    method: "GET",
    pattern: "/shop/orders/[id]",
    action: "render",
    response_status: 500,
  });
  assert.equal(events[0].framework?.name, "Next.js");
  assert.match(events[0].user_hash ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(
    events.slice(1).map(({ context }) => context?.kind === "route" && context.pattern),
    ["/api/orders", "/"],
  );
});

test("Next.js: the hook resolves once the error is sent, so that a platform does not stop the process before", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  await nextErrors({ reporter })(new Error("x"), request, place);
  assert.deepEqual([server.arrivals.length, reporter.counts.queued], [1, 0]);
});
