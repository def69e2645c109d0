import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { Router } from "@koa/router";
import Koa from "koa";
import { koaErrors } from "../../src/integrations/koa.ts";
import { failingStream } from "../support/failing-stream.ts";
import { listen } from "../support/listen.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

function application(server: { url: string }) {
  const { reporter } = testReporter(server);
  const app = new Koa();
  app.silent = true;
  const router = new Router({ prefix: "/api" });
  router.get("order", "/orders/:id", () => {
    throw new Error("x");
  });
  router.get("/export", (ctx) => {
    ctx.body = failingStream();
  });
  router.get("/gone", (ctx) => ctx.throw(410));
  app.use(koaErrors({ reporter }));
  app.use((ctx, next) => {
    if (ctx.path === "/early") throw new Error("early");
    return next();
  });
  app.use(router.routes());
  return { app, reporter };
}

/** Koa's listener returns a promise, which never rejects. */
function handler(app: Koa) {
  const listener = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
}

test("Koa: an error has the declared pattern, the route's name and the status", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  await using served = await listen(handler(app));
  assert.equal(await served.get("/api/orders/42?token=abc"), 500);
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual(event?.context, {
    kind: "route",
    name: "order",
    method: "GET",
    pattern: "/api/orders/:id",
    response_status: 500,
  });
  assert.equal(event.framework?.name, "Koa");
});

test("Koa: an error before any route has only the method, and an intended 410 is not reported", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  await using served = await listen(handler(app));
  assert.deepEqual([await served.get("/early"), await served.get("/api/gone")], [500, 410]);
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => event.context),
    [{ kind: "route", method: "GET", response_status: 500 }],
  );
});

test("Koa: the application's error event still fires", async () => {
  await using server = await recordingServer();
  const { app } = application(server);
  const emitted: unknown[] = [];
  app.on("error", (error: Error) => emitted.push(error.message));
  await using served = await listen(handler(app));
  await served.get("/early");
  assert.deepEqual(emitted, ["early"]);
});

test("Koa: an error of a stream in ctx.body is reported after the headers were sent", async () => {
  await using server = await recordingServer();
  const { app, reporter } = application(server);
  const served = await listen(handler(app));
  // Koa leaves the response open.
  const request = served.get("/api/export").catch(() => 0);
  await once(app, "error");
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual(
    [event?.message, event?.context],
    ["late", { kind: "route", method: "GET", pattern: "/api/export", response_status: 500 }],
  );
  await served[Symbol.asyncDispose]();
  await request;
});
