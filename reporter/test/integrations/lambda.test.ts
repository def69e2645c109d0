import assert from "node:assert/strict";
import { test } from "node:test";
import { lambdaErrors } from "../../src/integrations/lambda.ts";
import { recordingServer, stall } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

const context = { functionName: "send-invoice", getRemainingTimeInMillis: () => 3000 };
const fail = async (_event: unknown, _context: typeof context): Promise<string> => {
  throw new TypeError("no lines");
};

/** Events as AWS documents them, shortened, and the context that each is reported with. */
const invocations: [name: string, event: object, expected: object][] = [
  [
    "an HTTP API",
    {
      version: "2.0",
      routeKey: "GET /orders/{id}",
      rawPath: "/orders/42",
      requestContext: { http: { method: "GET" } },
    },
    { kind: "route", method: "GET", pattern: "/orders/{id}", response_status: 500 },
  ],
  [
    "a REST API",
    { resource: "/orders/{id}", path: "/orders/42", httpMethod: "POST" },
    { kind: "route", method: "POST", pattern: "/orders/{id}", response_status: 500 },
  ],
  [
    "a function URL",
    {
      version: "2.0",
      routeKey: "$default",
      rawPath: "/orders/42",
      requestContext: { http: { method: "GET" } },
    },
    { kind: "route", method: "GET", response_status: 500 },
  ],
  [
    "a queue",
    {
      Records: [
        { eventSourceARN: "arn:aws:sqs:eu-west-1:1:mail", attributes: { ApproximateReceiveCount: "2" } },
      ],
    },
    { kind: "job", name: "send-invoice", queue: "mail", attempt: 2 },
  ],
  ["a schedule", { source: "aws.events" }, { kind: "job", name: "send-invoice" }],
];

for (const [name, event, expected] of invocations) {
  test(`Lambda: the error of an invocation by ${name} is sent before the invocation ends, and rethrown`, async () => {
    await using server = await recordingServer();
    const { reporter } = testReporter(server);
    await assert.rejects(lambdaErrors(fail, { reporter })(event, context), /no lines/);
    assert.deepEqual(
      server.events().map((each) => [each.exception_class, each.context, each.framework?.name]),
      [["TypeError", expected, "AWS Lambda"]],
    );
  });
}

test("Lambda: an invocation that succeeds waits for errors that it captured", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const handler = lambdaErrors(
    async () => {
      reporter.captureError(new Error("x"));
      return "done";
    },
    { reporter },
  );
  assert.equal(await handler(), "done");
  assert.equal(server.arrivals.length, 1);
});

test("Lambda: an invocation does not wait beyond its own time limit", async () => {
  await using server = await recordingServer(stall);
  const { reporter, clock } = testReporter(server);
  const late = { ...context, getRemainingTimeInMillis: () => 700 };
  const invocation = assert.rejects(lambdaErrors(fail, { reporter })({}, late), /no lines/);
  await server.received(1);
  clock.advance(500);
  await invocation;
});
