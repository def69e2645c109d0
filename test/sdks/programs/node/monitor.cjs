const Sentry = require("@sentry/node");
const { waitUntilRunning } = require("./running.cjs");
const shop = require("./shop.cjs");

const config = {
  schedule: { type: "crontab", value: "30 4 * * mon" },
  timezone: "Europe/Berlin",
  checkinMargin: 5,
  maxRuntime: 10,
  failureIssueThreshold: 2,
  recoveryThreshold: 3,
};

/** A job that succeeds, and then one that fails. */
async function main() {
  Sentry.init(shop.options);
  const { slug } = JSON.parse(process.env.MONITOR);
  await Sentry.withMonitor(slug, waitUntilRunning, config);
  const fail = async () => {
    await waitUntilRunning();
    shop.placeOrder();
  };
  await Sentry.withMonitor(slug, fail, config).catch(() => {});
  await shop.finish(Sentry);
}

void main();
