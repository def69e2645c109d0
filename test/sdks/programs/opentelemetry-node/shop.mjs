import { logs, SeverityNumber, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

// Everything else is in the environment.
const sdk = new NodeSDK();
sdk.start();

class PaymentError extends Error {
  name = "PaymentError";
}

function placeOrder() {
  throw new PaymentError("the card was declined");
}

/** What the runner passes: who the two users are and what else must not be stored. */
const canaries = JSON.parse(process.env.CANARIES);

/** What applications and instrumentations add to spans and log records. */
const attributesOf = (user) => ({
  "enduser.id": user,
  "user.email": canaries.email,
  "user.name": canaries.name,
  "client.address": canaries.ip,
  "url.full": `https://shop.example.com/orders/17?email=${canaries.query}`,
  "http.route": "/orders/:id",
  "http.request.method": "POST",
  "http.response.status_code": 500,
  "http.request.header.cookie": [`sid=${canaries.cookie}`],
  "http.request.header.authorization": [`Bearer ${canaries.authorization}`],
  "http.request.header.x-customer": [canaries.header],
  "http.request.body.content": canaries.body,
  note: `${canaries.name} (${canaries.email}) signed in from ${canaries.ip}`,
});

const tracer = trace.getTracer("shop");

/** Runs `work` in a span, which records an exception that leaves it. */
function inSpan(name, user, work) {
  return tracer.startActiveSpan(name, { kind: SpanKind.SERVER, attributes: attributesOf(user) }, (span) => {
    try {
      work();
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

for (const user of canaries.users)
  inSpan("GET /health", user, () => {
    try {
      inSpan("POST /orders/:id", user, () => inSpan("place order", user, placeOrder));
    } catch (exception) {
      logs.getLogger("shop").emit({
        severityNumber: SeverityNumber.ERROR,
        body: `the order of ${canaries.email} failed`,
        exception,
        attributes: attributesOf(user),
      });
    }
  });
await sdk.shutdown();
console.log("flushed");
