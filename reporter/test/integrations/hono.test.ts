import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { HTTPException } from "hono/http-exception";
import { honoErrors, honoStreamErrors } from "../../src/integrations/hono.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

function application(server: { url: string }) {
  const { reporter } = testReporter(server, { userHashSecret: "s" });
  const api = new Hono();
  api.get("/orders/:id", () => {
    throw new Error("x");
  });
  const app = new Hono();
  app.use(honoErrors({ reporter, userId: (c: Context) => c.req.header("x-user") }));
  app.use("/guarded/*", () => {
    throw new Error("guard");
  });
  app.get("/guarded/:room", (c) => c.text("never"));
  app.get("/gone", () => {
    throw new HTTPException(410);
  });
  app.get("/odd", () => {
    // eslint-disable-next-line no-throw-literal -- the test needs a thrown string
    throw "words";
  });
  app.get("/export", (c) => {
    let parts = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (parts++ > 0) throw new Error("late");
        controller.enqueue(new TextEncoder().encode("first part"));
      },
    });
    return c.body(body, 200, { "content-type": "text/csv" });
  });
  app.get("/events", (c) => {
    const callback = async () => {
      throw new Error("late");
    };
    return streamSSE(c, callback, honoStreamErrors(c, { reporter }));
  });
  app.route("/api", api);
  app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text("sorry", 503)));
  return { app, reporter };
}

test("Hono: an error has the declared pattern and the status that onError chose", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  const response = await app.request("/api/orders/42?token=abc", { headers: { "x-user": "ann" } });
  assert.equal(response.status, 503);
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual(event?.context, {
    kind: "route",
    method: "GET",
    pattern: "/api/orders/:id",
    response_status: 503,
  });
  assert.equal(event.framework?.name, "Hono");
  assert.match(event.user_hash ?? "", /^[0-9a-f]{64}$/);
});

test("Hono: an error in a middleware has the pattern of the route after it", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  await app.request("/guarded/12");
  await reporter.flush();
  assert.deepEqual(server.events()[0]?.context, {
    kind: "route",
    method: "GET",
    pattern: "/guarded/:room",
    response_status: 503,
  });
});

test("Hono: an intended 410 is not reported", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  assert.equal((await app.request("/gone")).status, 410);
  await reporter.flush();
  assert.equal(server.arrivals.length, 0);
});

test("Hono: a thrown string is reported and rethrown", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  await assert.rejects(async () => app.request("/odd"), /words/);
  await reporter.flush();
  assert.equal(server.events()[0]?.exception_class, "Thrown string");
});

for (const path of ["/export", "/events"]) {
  test(`Hono: an error of the stream at ${path} is reported after the headers were sent`, async () => {
    await using server = await recordingServer();
    const { app, reporter } = application(server);
    const response = await app.request(path);
    assert.equal(response.status, 200);
    await response.text().catch(() => {});
    await reporter.flush();
    assert.deepEqual(
      server.events().map(({ message, context }) => [message, context]),
      [["late", { kind: "route", method: "GET", pattern: path, response_status: 500 }]],
    );
  });
}
