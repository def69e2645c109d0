// Calls the handler as the runtime of Lambda does. The process ends without waiting for anything, like a frozen one.
import { init } from "@signalbox/reporter";
import { lambdaErrors } from "@signalbox/reporter/lambda";

init({ exitDeadlineMs: 0 });
const handler = lambdaErrors(async ({ fails }) => {
  throw new TypeError(fails);
});
const context = () => ({ functionName: "shop", getRemainingTimeInMillis: () => 10_000 });

const queue = {
  eventSourceARN: "arn:aws:sqs:eu-west-1:1:mail",
  attributes: { ApproximateReceiveCount: "1" },
};
for (const event of [
  { fails: "invocation by an HTTP API", routeKey: "GET /orders/{id}" },
  { fails: "invocation by a queue", Records: [queue] },
])
  await handler(event, context()).catch(() => {});
process.exit();
