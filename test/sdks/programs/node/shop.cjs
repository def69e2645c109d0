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

/** What the runner passes: who the two users are and what else must not be stored. */
const canaries = JSON.parse(process.env.CANARIES);

const options = {
  dsn: process.env.SENTRY_DSN,
  release: "shop@1.4.2",
  environment: process.env.PROGRAM,
  serverName: "web-1",
  sendDefaultPii: true,
};

/** Sends a request with a cookie, headers, a query and a body to the program's own server. */
async function request(port, user) {
  await fetch(`http://127.0.0.1:${port}/orders/17?email=${canaries.query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      cookie: `sid=${canaries.cookie}`,
      authorization: `Bearer ${canaries.authorization}`,
      "x-forwarded-for": canaries.ip,
      "x-customer": canaries.header,
      referer: `https://shop.example.com/cart?email=${canaries.query}`,
      "x-user": user,
    },
    body: JSON.stringify({ note: canaries.body }),
  });
}

/** The next error is this person's. */
function signIn(Sentry, id) {
  const { email, name, ip, cookie, header, authorization, query, body } = canaries;
  Sentry.setUser({ id, email, username: name, ip_address: ip });
  // What applications add in all the places that the SDK offers for it.
  const request = {
    url: `https://shop.example.com/orders?email=${query}`,
    headers: { cookie: `sid=${cookie}`, authorization: `Bearer ${authorization}`, "x-customer": header },
    body: { note: body },
    query_string: `email=${query}`,
    from: ip,
  };
  Sentry.addBreadcrumb({
    category: "auth",
    message: `${name} (${email}) signed in from ${ip}`,
    data: request,
  });
  Sentry.setTag("customer", email);
  Sentry.setExtra("request", request);
  Sentry.setContext("order", { customer: email, request });
  // The SDK drops an event that equals the one before. The server does not store events of level debug.
  Sentry.captureMessage("an order follows", "debug");
}

async function finish(Sentry) {
  console.log((await Sentry.flush(10_000)) ? "flushed" : "not flushed");
  process.exit(0);
}

module.exports = { PaymentError, placeOrder, canaries, options, request, signIn, finish };
