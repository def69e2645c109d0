import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Router } from "@koa/router";
import express from "express";
import Fastify from "fastify";
import Koa from "koa";
import type { ErrorEventBody } from "../src/index.ts";
import { bullmqJob } from "../src/integrations/bullmq.ts";
import { expressErrors } from "../src/integrations/express.ts";
import { fastifyErrors } from "../src/integrations/fastify.ts";
import { koaErrors } from "../src/integrations/koa.ts";
import { pgBossErrors } from "../src/integrations/pg-boss.ts";
import { listen } from "./support/listen.ts";
import { recordingServer } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";

const byMessage = (events: ErrorEventBody[]) => events.sort((a, b) => (a.message < b.message ? -1 : 1));

test("Express: an error captured inside a handler has the route, user, tags and breadcrumbs of its request only", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, { userHashSecret: "s", breadcrumbs: false });
  reporter.setTag("region", "eu");
  const app = express().set("env", "test");
  let arrived = 0;
  let proceed = () => {};
  const both = new Promise<void>((resolve) => (proceed = resolve));
  app.post("/orders/:id", express.json(), async (request, response) => {
    const { id } = request.params;
    reporter.setTag("order", id);
    reporter.addBreadcrumb({
      category: "shop",
      message: `order ${id}`,
      data: request.body as Record<string, unknown>,
    });
    // Both requests are in progress before either of them captures an error.
    if ((arrived += 1) === 2) proceed();
    await both;
    reporter.captureError(new Error(`handled ${id}`));
    response.end();
  });
  app.use(expressErrors({ reporter, userId: (request: express.Request) => request.get("x-user") }));
  await using served = await listen(app);
  const post = (id: number) =>
    served.get(`/orders/${id}?token=abc`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-user": `user ${id}` },
      body: JSON.stringify({ items: id }),
    });
  await Promise.all([post(1), post(2)]);
  reporter.captureError(new Error("outside"));
  await reporter.flush();

  const [first, second, outside] = byMessage(server.events());
  for (const [event, id] of [
    [first, 1],
    [second, 2],
  ] as const) {
    assert.deepEqual(event?.context, { kind: "route", method: "POST", pattern: "/orders/:id" });
    assert.deepEqual(event.tags, { region: "eu", order: `${id}` });
    assert.deepEqual(
      event.breadcrumbs?.map(({ timestamp, ...rest }) => [typeof timestamp, rest]),
      [["string", { category: "shop", message: `order ${id}`, data: { items: id } }]],
    );
    assert.equal(event.framework?.name, "Express");
  }
  assert.match(first?.user_hash ?? "", /^[0-9a-f]{64}$/);
  assert.notEqual(first?.user_hash, second?.user_hash);
  assert.deepEqual(
    [outside?.context, outside?.tags, outside?.breadcrumbs],
    [undefined, { region: "eu" }, undefined],
  );
});

test("Fastify and Koa: an error captured inside a handler has the declared pattern", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const fastify = Fastify();
  fastify.register(fastifyErrors({ reporter }));
  fastify.register(async (scope) =>
    scope.post("/users/:id", async () => reporter.captureError(new Error("Fastify"))),
  );
  await fastify.ready();
  const koa = new Koa();
  const router = new Router();
  router.get("/carts/:id", (ctx) => {
    ctx.body = reporter.captureError(new Error("Koa"));
  });
  koa.use(koaErrors({ reporter })).use(router.routes());
  const callback = koa.callback();

  await using first = await listen(fastify.server);
  await using second = await listen((request, response) => void callback(request, response));
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  await first.get("/users/1", json);
  await second.get("/carts/1");
  await reporter.flush();
  assert.deepEqual(
    byMessage(server.events()).map(({ framework, context }) => [framework?.name, context]),
    [
      ["Fastify", { kind: "route", method: "POST", pattern: "/users/:id" }],
      ["Koa", { kind: "route", method: "GET", pattern: "/carts/:id" }],
    ],
  );
});

test("node:http: an error captured after the body was read by events has the request's method and tags", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  await using served = await listen(
    createServer((request, response) => {
      reporter.setTag("step", "reading");
      request.resume().on("end", () => response.end(reporter.captureError(new Error("x"))));
    }),
  );
  await served.get("/users/42", { method: "PUT", body: "some text" });
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual([event?.context, event?.tags], [{ kind: "route", method: "PUT" }, { step: "reading" }]);
});

test("errors captured inside a job of BullMQ or pg-boss have its context, and its failure counts once", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const error = new Error("pg-boss");
  const mail = pgBossErrors(
    async () => {
      reporter.captureError(error);
      throw error;
    },
    { reporter },
  );
  await assert.rejects(mail([{ name: "mail", retryCount: 1 }]));
  const job = { name: "SendInvoice", queueName: "mail", attemptsMade: 0, opts: {} };
  await bullmqJob(async () => reporter.captureError(new Error("BullMQ")), { reporter })(job);
  await reporter.flush();
  assert.deepEqual(
    byMessage(server.events()).map(({ message, context }) => [message, context]),
    [
      ["BullMQ", { kind: "job", name: "SendInvoice", queue: "mail", attempt: 1 }],
      ["pg-boss", { kind: "job", name: "mail", queue: "mail", attempt: 2 }],
    ],
  );
});

test("lines of the console and outgoing requests become breadcrumbs without queries", async (t) => {
  await using server = await recordingServer();
  await using api = await recordingServer();
  // The lines need not appear in the test's output.
  t.mock.method(console, "warn", () => {});
  const { reporter } = testReporter(server);
  console.warn("stock is low:", 3, new Error("no supplier"));
  await fetch(`${api.url}/items?token=abc`, { method: "POST", body: "{}" });
  reporter.captureError(new Error("x"), {
    level: "warning",
    tags: { shop: 7 },
    fingerprint: ["stock", "low"],
  });
  await reporter.flush();
  const [event] = server.events();
  const url = `${api.url}/items`;
  assert.deepEqual(
    event?.breadcrumbs?.map(({ timestamp, ...rest }) => [typeof timestamp, rest]),
    [
      ["string", { category: "console", level: "warning", message: "stock is low: 3 no supplier" }],
      [
        "string",
        { category: "fetch", message: `POST ${url} 202`, data: { method: "POST", url, status_code: 202 } },
      ],
    ],
  );
  assert.deepEqual(
    [event.level, event.tags, event.fingerprint],
    ["warning", { shop: "7" }, ["stock", "low"]],
  );
  assert.deepEqual(Object.keys(event.frames?.[0] ?? {}), [
    "function",
    "filename",
    "line",
    "column",
    "in_app",
  ]);
  await reporter.close();
});

test("with breadcrumbs: false, none are recorded, and closing a reporter restores the console", async () => {
  await using server = await recordingServer();
  const { debug } = console;
  const { reporter: silent } = testReporter(server, { breadcrumbs: false });
  assert.equal(console.debug, debug);
  silent.captureError(new Error("x"));
  await silent.flush();
  assert.equal(server.events()[0]?.breadcrumbs, undefined);
  const { reporter } = testReporter(server, { breadcrumbs: { fetch: false } });
  assert.notEqual(console.debug, debug);
  await reporter.close();
  assert.equal(console.debug, debug);
});

test("at most 100 breadcrumbs and 50 tags are sent", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  for (let count = 0; count < 150; count += 1) {
    reporter.addBreadcrumb({ message: `${count}` });
    reporter.setTag(`tag ${count}`, "x".repeat(300));
  }
  reporter.captureError(new Error("x"));
  await reporter.flush();
  const [{ breadcrumbs = [], tags = {} } = assert.fail()] = server.events();
  assert.deepEqual([breadcrumbs.length, breadcrumbs[0]?.message], [100, "50"]);
  assert.deepEqual([Object.keys(tags).length, tags["tag 0"]?.length], [50, 200]);
});
