/**
 * A program that fails for real. It reads where to report from the environment:
 *
 *   SIGNALBOX_URL=http://localhost:3000 SIGNALBOX_PROJECT=1 SIGNALBOX_TOKEN=… node reporter/examples/crash.mjs
 *
 * SIGNALBOX_RELEASE and SIGNALBOX_ENVIRONMENT name what is deployed where. An argument chooses how it fails:
 * `throw` (an uncaught exception, the default), `reject` (an unhandled rejection) or `caught` (reported, then a normal end).
 */
import { captureError, init } from "@signalbox/reporter";

init();

class PaymentError extends Error {
  name = "PaymentError";
  code = "CARD_DECLINED";
}

function readCard(text) {
  return JSON.parse(text).number;
}

function charge(order) {
  try {
    return readCard(order.card);
  } catch (cause) {
    throw new PaymentError(`Order ${order.id} could not be charged`, { cause });
  }
}

const order = { id: 1042, card: "4111 1111" };
const how = process.argv[2] ?? "throw";

if (how === "reject") {
  void Promise.resolve().then(() => charge(order));
} else if (how === "caught") {
  try {
    charge(order);
  } catch (error) {
    captureError(error, { context: { kind: "job", name: "ChargeOrder", queue: "payments", attempt: 1 } });
  }
} else {
  charge(order);
}
