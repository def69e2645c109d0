const Sentry = require("@sentry/node");
const shop = require("./shop.cjs");

Sentry.init({ ...shop.options, tracesSampleRate: 1 });
const express = require("express");

const app = express();
app.use(express.json());
app.post("/orders/:id", (request) => {
  shop.signIn(Sentry, request.get("x-user"));
  shop.placeOrder();
});
Sentry.setupExpressErrorHandler(app);
// Express would print the error.
app.use((_error, _request, response, _next) => response.status(500).end());
const server = app.listen(0, "127.0.0.1", () => void sendRequests());

async function sendRequests() {
  for (const id of shop.canaries.users) await shop.request(server.address().port, id);
  await shop.finish(Sentry);
}
