import * as Sentry from "@sentry/browser";

const { dsn, environment, canaries } = window.program;

class PaymentError extends Error {
  name = "PaymentError";
}

function charge() {
  throw new TypeError("amount is not a number");
}

function placeOrder() {
  try {
    charge();
  } catch (cause) {
    throw new PaymentError("the card was declined", { cause });
  }
}

const feedback = Sentry.feedbackIntegration({ autoInject: false, enableScreenshot: true });
Sentry.init({ dsn, environment, release: "shop@1.4.2", sendDefaultPii: true, integrations: [feedback] });

/** Two users fail to place an order. Resolves to whether everything was sent. */
window.run = async () => {
  document.cookie = `sid=${canaries.cookie}`;
  for (const id of canaries.users) {
    await signIn(id);
    try {
      placeOrder();
    } catch (error) {
      latest = Sentry.captureException(error);
    }
  }
  return Sentry.flush(10_000);
};

let latest;

/** The next error is this person's. */
async function signIn(id) {
  const { email, name, ip, cookie, authorization, query, body } = canaries;
  Sentry.setUser({ id, email, username: name, ip_address: ip });
  // What applications add in all the places that the SDK offers for it, and what it records by itself.
  const request = {
    headers: { cookie: `sid=${cookie}`, authorization: `Bearer ${authorization}` },
    body: { note: body },
  };
  console.info(`${name} (${email}) signed in from ${ip}`, request);
  await fetch(`/orders?email=${query}`, { method: "POST", headers: request.headers, body });
  Sentry.setTag("customer", email);
  Sentry.setExtra("request", request);
  Sentry.setContext("order", { customer: email, request });
  // The SDK drops an event that equals the one before. The server does not store events of level debug.
  Sentry.captureMessage("an order follows", "debug");
}

/** The user says in the shop's own form what happened. */
window.explain = (message) => {
  Sentry.captureFeedback({ message, associatedEventId: latest });
  return Sentry.flush(10_000);
};

/** Opens the form of the SDK. A browser without a screen cannot capture it, so the page offers a drawing instead. */
window.openFeedback = async () => {
  navigator.mediaDevices.getDisplayMedia = async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 200 });
    const draw = () => canvas.getContext("2d").fillRect(10, 10, 50 * Math.random(), 50);
    setInterval(draw, 50);
    return canvas.captureStream();
  };
  const form = await feedback.createForm();
  form.appendToDom();
  form.open();
};

/** Opens the dialog after a crash, for the visitor whose address the page knows. */
window.showDialog = (user) => {
  const onClose = () => (document.title = "closed");
  Sentry.showReportDialog({ eventId: latest, user, subtitle: "The shop's own words.", onClose });
};
