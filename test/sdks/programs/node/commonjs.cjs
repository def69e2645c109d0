const Sentry = require("@sentry/node");
const shop = require("./shop.cjs");

Sentry.init(shop.options);
for (const id of shop.canaries.users) {
  shop.signIn(Sentry, id);
  try {
    shop.placeOrder();
  } catch (error) {
    Sentry.captureException(error);
  }
}
void shop.finish(Sentry);
