import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { httpErrors } from "../../src/integrations/http.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";
import { runProgram } from "../support/run-program.ts";

test("node:http: a failing listener still ends the program, and its error has method and pattern", async () => {
  await using server = await recordingServer();
  for (const failing of ["() => { throw new Error('x') }", "async () => { throw new Error('x') }"]) {
    const result = await runProgram(
      `import { createServer, get } from "node:http"; import { init } from "@signalbox/reporter";
       import { httpErrors } from "@signalbox/reporter/http";
       init();
       const server = createServer(httpErrors(${failing}, { pattern: () => "/users/:id" }));
       server.listen(0, () => get({ port: server.address().port, path: "/users/42?token=abc" }).on("error", () => {}));`,
      server,
    );
    assert.equal(result.code, 1);
  }
  const context = { kind: "route", method: "GET", pattern: "/users/:id" };
  assert.deepEqual(
    server.events().map((event) => event.context),
    [context, context],
  );
});

test("node:http: the listener's result and errors pass through", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const request = { method: "GET" } as IncomingMessage;
  const response = {} as ServerResponse;
  assert.equal(httpErrors(() => 5, { reporter })(request, response), 5);
  const error = new Error("x");
  await assert.rejects(
    async () => httpErrors(() => Promise.reject(error), { reporter })(request, response),
    error,
  );
});
