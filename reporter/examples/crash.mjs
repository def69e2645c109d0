/**
 * A program that fails. It reads the reporter's settings from environment variables:
 *
 *   SIGNALBOX_URL=http://localhost:3000 SIGNALBOX_PROJECT=1 SIGNALBOX_TOKEN=… node reporter/examples/crash.mjs
 *
 * SIGNALBOX_RELEASE and SIGNALBOX_ENVIRONMENT are optional. The argument selects how the program fails: `throw` (an
 * uncaught exception, the default), `reject` (an unhandled rejection) or `caught` (reported by captureError).
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
const mode = process.argv[2] ?? "throw";

if (mode === "reject") {
  void Promise.resolve().then(() => charge(order));
} else if (mode === "caught") {
  try {
    charge(order);
  } catch (error) {
    captureError(error, { context: { kind: "job", name: "ChargeOrder", queue: "payments", attempt: 1 } });
  }
} else {
  charge(order);
}
