import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { z } from "zod";
import { watchAnswers } from "./conformance.ts";

/** An app with one route that sends this response, but declares `{ name: string }` with status 200. */
async function appThatAnswers(status: number, body: unknown) {
  return watchAnswers(async () => {
    const app = Fastify().setSerializerCompiler(() => JSON.stringify);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: "nothing" }));
    const response = { 200: z.strictObject({ name: z.string() }) };
    app.get(
      "/api/thing",
      { config: { needs: "nothing" }, schema: { operationId: "readThing", response } },
      (_request, reply) => reply.code(status as 200).send(body as never),
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
