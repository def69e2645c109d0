import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify, { type FastifyRequest } from "fastify";
import { fastifyErrors } from "../../src/integrations/fastify.ts";
import { failingStream } from "../support/failing-stream.ts";
import { listen } from "../support/listen.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

async function application(server: { url: string }) {
  const { reporter } = testReporter(server, { userHashSecret: "s" });
  const app = Fastify();
  app.register(
    fastifyErrors({ reporter, userId: (request: FastifyRequest) => request.headers["x-user"] as string }),
  );
  app.setErrorHandler((error: Error & { code?: string }, _, reply) => {
    if (error.message === "mapped") return reply.code(404).send({ message: "no such thing" });
    return reply.code(error.code === "FST_ERR_VALIDATION" ? 400 : 500).send({ message: "sorry" });
  });
  app.register(
    async (scope) => {
      scope.get("/users/:id", async () => {
        throw new Error("x");
      });
      scope.get("/export", (_, reply) => reply.type("text/csv").send(failingStream()));
      scope.get("/hijacked", async (_, reply) => {
        reply.hijack();
        reply.raw.write("data: 1\n\n", () => reply.raw.destroy());
        throw new Error("late");
      });
      scope.get("/mapped", async () => {
        throw new Error("mapped");
      });
      scope.get("/typed", { schema: { querystring: { type: "object", required: ["q"] } } }, async () => "ok");
    },
    { prefix: "/api" },
  );
  await app.ready();
  return { app, reporter };
}

test("Fastify: an error has the declared pattern with its prefix, and the status of the response", async () => {
  await using server = await recordingServer();
  const { app, reporter } = await application(server);
  await using served = await listen(app.server);
  assert.equal(await served.get("/api/users/42?token=abc", { headers: { "x-user": "ann" } }), 500);
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual(event?.context, {
    kind: "route",
    method: "GET",
    pattern: "/api/users/:id",
    response_status: 500,
  });
  assert.equal(event.framework?.name, "Fastify");
  assert.match(event.framework.version ?? "", /^5\./);
  assert.match(event.user_hash ?? "", /^[0-9a-f]{64}$/);
});

test("Fastify: an error of a stream, or after reply.hijack(), is reported after the headers were sent", async () => {
  await using server = await recordingServer();
  const { app, reporter } = await application(server);
  await using served = await listen(app.server);
  for (const path of ["/api/export", "/api/hijacked"]) await served.get(path).catch(() => {});
  await reporter.flush();
  assert.deepEqual(
    server.events().map(({ message, context }) => [message, context]),
    ["/api/export", "/api/hijacked"].map((pattern) => [
      "late",
      { kind: "route", method: "GET", pattern, response_status: 500 },
    ]),
  );
});

test("Fastify: a failed validation, a 404 and an error mapped to a 404 are not reported", async () => {
  await using server = await recordingServer();
  const { app, reporter } = await application(server);
  await using served = await listen(app.server);
  const statuses = [
    await served.get("/api/typed"),
    await served.get("/none"),
    await served.get("/api/mapped"),
  ];
  assert.deepEqual(statuses, [400, 404, 404]);
  await reporter.flush();
  assert.equal(server.arrivals.length, 0);
});

test("Fastify: an error of an injected request is reported", async () => {
  await using server = await recordingServer();
  const { app, reporter } = await application(server);
  await app.inject("/api/users/1");
  await reporter.flush();
  assert.equal(server.events()[0]?.message, "x");
  await app.close();
});
