import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import express from "express";
import express4 from "express4";
import { expressErrors } from "../../src/integrations/express.ts";
import { listen } from "../support/listen.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

for (const [name, framework] of [
  ["Express 5", express],
  ["Express 4", express4],
] as const) {
  /** An application with a failing route for every way to declare a pattern. */
  const application = (reporter: ReturnType<typeof testReporter>["reporter"]) => {
    const app = framework();
    const fail = () => {
      throw new Error("x");
    };
    const orders = framework.Router({ mergeParams: true });
    orders.get("/orders/:order", fail);
    orders.get("/", fail);
    const teams = framework.Router();
    teams.use("/members/:member", orders);
    app.get("/users/:id", fail);
    app.use("/api", orders);
    app.use("/teams/:team", teams);
    app.use(/^\/secret-\d+/, orders);
    app.get("/later", (_, __, next) => void setImmediate(() => next(new Error("x"))));
    app.get("/export", (_, response, next) => void response.write("a", () => next(new Error("late"))));
    app.get("/gone", (_, __, next) => next(Object.assign(new Error("gone"), { status: 410 })));
    app.get("/mapped", () => {
      throw new Error("not found in the database");
    });
    app.use("/broken-middleware", fail);
    app.use(
      expressErrors({ reporter, userId: (request: express.Request) => request.headers["x-user"] as string }),
      (error: Error, request: express.Request, response: express.Response, next: express.NextFunction) => {
        if (request.path === "/mapped") response.status(404).send("no such thing");
        else next(error);
      },
    );
    app.set("env", "test");
    return app;
  };

  const routes: [path: string, pattern: string | undefined][] = [
    ["/users/42?token=abc", "/users/:id"],
    ["/api/orders/7", "/api/orders/:order"],
    ["/api", "/api"],
    ["/teams/red/members/ann/orders/9", "/teams/:team/members/:member/orders/:order"],
    ["/secret-42/orders/9", "/orders/:order"],
    ["/later", "/later"],
    ["/broken-middleware/123", undefined],
  ];
  for (const [path, pattern] of routes) {
    test(`${name}: an error at ${path} has the pattern ${pattern}`, async () => {
      await using server = await recordingServer();
      const { reporter } = testReporter(server);
      await using app = await listen(application(reporter));
      assert.equal(await app.get(path), 500);
      await reporter.flush();
      assert.deepEqual(
        server.events().map((event) => event.context),
        [{ kind: "route", method: "GET", ...(pattern && { pattern }), response_status: 500 }],
      );
      assert.equal(server.events()[0]?.framework?.name, "Express");
    });
  }

  test(`${name}: an error is reported as 500 after the headers were sent`, async () => {
    await using server = await recordingServer();
    const { reporter } = testReporter(server);
    await using app = await listen(application(reporter));
    await app.get("/export").catch(() => {});
    await reporter.flush();
    assert.deepEqual(
      server.events().map(({ message, context }) => [message, context]),
      [["late", { kind: "route", method: "GET", pattern: "/export", response_status: 500 }]],
    );
  });

  test(`${name}: an error that results in a 4xx is not reported, even if the application's own handler chose the status`, async () => {
    await using server = await recordingServer();
    const { reporter } = testReporter(server);
    await using app = await listen(application(reporter));
    assert.deepEqual(
      [await app.get("/gone"), await app.get("/mapped"), await app.get("/nowhere")],
      [410, 404, 404],
    );
    await reporter.flush();
    assert.equal(server.arrivals.length, 0);
  });

  test(`${name}: the signed-in user's id is sent only as a hash`, async () => {
    await using server = await recordingServer();
    const { reporter } = testReporter(server, { userHashSecret: "s" });
    await using app = await listen(application(reporter));
    await app.get("/users/1", { headers: { "x-user": "ann@example.com" } });
    await reporter.flush();
    assert.match(server.events()[0]?.user_hash ?? "", /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(server.events()).includes("ann@"));
  });
}

test("Express: an error object that fails 40 requests is reported 40 times, and once if it passes several handlers", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const error = new Error("the database is down");
  const app = express().set("env", "test");
  app.get("/cached", () => Promise.reject(error));
  for (let handler = 0; handler < 2; handler += 1) app.use(expressErrors({ reporter }));
  await using served = await listen(app);
  await Promise.all(Array.from({ length: 40 }, () => served.get("/cached")));
  reporter.captureOnce(error);
  await reporter.flush();
  assert.equal(server.arrivals.length, 40);
});

test("Express 5: a rejection of an asynchronous handler is reported", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const app = express().set("env", "test");
  app.get("/async", async () => {
    throw new Error("rejected");
  });
  app.use(expressErrors({ reporter }));
  await using served = await listen(app);
  await served.get("/async");
  await reporter.flush();
  assert.equal(server.events()[0]?.message, "rejected");
});

test("Express: an error whose response never ends is sent when the reporter is flushed", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const app = express();
  const stalled = new EventEmitter();
  app.get("/stall", () => {
    throw new Error("stalled");
  });
  app.use(
    expressErrors({ reporter }),
    // Express recognizes error handlers by their four parameters. This one sends no response.
    (error: Error, request: express.Request, response: express.Response, next: express.NextFunction) =>
      void stalled.emit("reached", error, request, response, next),
  );
  await using served = await listen(app);
  const reached = once(stalled, "reached");
  const request = served.get("/stall").catch(() => 0);
  await reached;
  assert.equal(await reporter.flush(), true);
  assert.equal(server.events()[0]?.context?.kind, "route");
  await served[Symbol.asyncDispose]();
  await request;
});
