import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { z } from "zod";
import { answerDirectly } from "../../src/server/http/answer-directly.ts";
import { watchAnswers } from "./conformance.ts";

const SCHEMA = { operationId: "readThing", response: { 200: z.strictObject({ name: z.string() }) } };

/** An app with one route that sends this response, but declares `{ name: string }` with status 200. */
async function appThatAnswers(status: number, body: unknown) {
  return watchAnswers(async () => {
    const app = Fastify().setSerializerCompiler(() => JSON.stringify);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: "nothing" }));
    app.get("/api/thing", { config: { needs: "nothing" }, schema: SCHEMA }, (_request, reply) =>
      reply.code(status as 200).send(body as never),
    );
    return app;
  });
}

for (const [what, status, body, words] of [
  ["a status that is not declared", 404, { message: "gone" }, /GET \/api\/thing → 404: the status is not/],
  ["a field that is not declared", 200, { name: "a", more: 1 }, /more/],
  ["a missing field", 200, {}, /expected string/],
  ["an error of another shape", 503, { error: "busy" }, /message/],
  ["text where JSON is declared", 200, "name", /text\/plain is not one of application\/json/],
] as const)
  test(`a response with ${what} is a violation`, async () => {
    const [app, conformance] = await appThatAnswers(status, body);
    await app.inject("/api/thing");
    assert.throws(() => conformance.check(), words);
  });

test("a declared response is not a violation, nor is the 404 of an unknown path", async () => {
  const [app, conformance] = await appThatAnswers(200, { name: "a" });
  await app.inject("/api/thing");
  await app.inject("/api/other");
  conformance.check();
  await app.close();
});

/** A listening app whose route `/api/things/:id` is never reached, because this response is sent instead. */
async function appThatAnswersDirectly(status: number, type: string, body: string) {
  return watchAnswers(async () => {
    const app = Fastify().setSerializerCompiler(() => JSON.stringify);
    app.get("/api/things/:id", { config: { needs: "nothing" }, schema: SCHEMA }, () => ({ name: "a" }));
    answerDirectly(app, ({ url }, response) => {
      if (url === "/api/things/1") response.writeHead(status, ["content-type", type]).end(body);
      return url === "/api/things/1";
    });
    return app;
  });
}

for (const [what, status, type, body, words] of [
  ["a status that is not declared", 202, "application/json", "", /GET \/api\/things\/:id → 202: the status/],
  ["another type", 200, "text/plain", "a", /text\/plain is not one of application\/json/],
  ["a field that is not declared", 200, "application/json", '{"name":"a","more":1}', /more/],
] as const)
  test(`a response past the framework with ${what} is a violation`, async () => {
    const [app, conformance] = await appThatAnswersDirectly(status, type, body);
    const base = await app.listen({ port: 0 });
    await (await fetch(`${base}/api/things/1`)).text();
    assert.throws(() => conformance.check(), words);
    await app.close();
  });

test("declared responses past the framework and of the same route are not violations", async () => {
  const [app, conformance] = await appThatAnswersDirectly(
    200,
    "application/json; charset=utf-8",
    '{"name":"a"}',
  );
  const base = await app.listen({ port: 0 });
  for (const id of [1, 2])
    assert.deepEqual(await (await fetch(`${base}/api/things/${id}`)).json(), { name: "a" });
  conformance.check();
  await app.close();
});
