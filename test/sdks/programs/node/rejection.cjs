const { setTimeout: wait } = require("node:timers/promises");
const Sentry = require("@sentry/node");
const shop = require("./shop.cjs");

Sentry.init(shop.options);

async function placeOrderLater() {
  await wait(1);
  shop.placeOrder();
}

async function run() {
  for (const id of shop.canaries.users) {
    shop.signIn(Sentry, id);
    void placeOrderLater();
    await wait(50);
  }
  await shop.finish(Sentry);
}

void run();
