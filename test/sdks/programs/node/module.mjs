import * as Sentry from "@sentry/node";
import shop from "./shop.cjs";

Sentry.init(shop.options);
for (const id of shop.canaries.users) {
  shop.signIn(Sentry, id);
  try {
    shop.placeOrder();
  } catch (error) {
    Sentry.captureException(error);
  }
}
await shop.finish(Sentry);
