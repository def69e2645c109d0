import assert from "node:assert/strict";
import { test } from "node:test";
import { PushDelivery } from "../../src/server/push/push-delivery.ts";
import { eventually } from "../support/eventually.ts";
import { makeBrowser, openPushService } from "../support/push-service.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const ENDPOINT = "https://push.example.com/send/1";

/** Lets the page subscribe without the browser's own push service, which is on the internet. */
const subscribeHere = (page: TestPage, keys: { p256dh: string; auth: string }) =>
  page.addInitScript(
    ({ endpoint, keys }) => {
      let subscription: PushSubscription | null = null;
      PushManager.prototype.getSubscription = async () => subscription;
      PushManager.prototype.subscribe = async (options) => {
        if (typeof options?.applicationServerKey !== "string") throw new Error("No key.");
        const unsubscribe = async () => {
          subscription = null;
          return true;
        };
        subscription = {
          endpoint,
          toJSON: () => ({ endpoint, keys }),
          unsubscribe,
        } as unknown as PushSubscription;
        return subscription;
      };
    },
    { endpoint: ENDPOINT, keys },
  );

/**
 * The page's service worker: hands it a message, as the browser does, and reads what it shows. A browser without a window shows
 * no notifications, so they are noted instead.
 */
async function openWorker(page: TestPage) {
  const [worker] = page.context().serviceWorkers();
  assert.ok(worker);
  await worker.evaluate(() => {
    const shown: unknown[] = [];
    Object.assign(self, { shown });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      shown.push([title, options?.data.path]);
    };
  });
  const devTools = await page.context().newCDPSession(page);
  const { promise: registrationId, resolve } = Promise.withResolvers<string>();
  devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
    if (first) resolve(first.registrationId);
  });
  await devTools.send("ServiceWorker.enable");
  return {
    deliver: async (data: string) =>
      devTools.send("ServiceWorker.deliverPushMessage", {
        origin: site.url,
        registrationId: await registrationId,
        data,
      }),
    shown: () => worker.evaluate(() => (self as unknown as { shown: unknown[] }).shown),
  };
}

test("a browser that is subscribed gets new entries of the inbox, and none after it was turned off", async (t) => {
  const service = await openPushService();
  t.after(() => service.close());
  const browser = makeBrowser();
  const page = await site.open("/settings/notifications", { keeps: true });
  await page.context().grantPermissions(["notifications"]);
  await subscribeHere(page, browser.keys);
  await page.reload();
  const toggle = page.getByRole("switch", { name: "Notifications in this browser" });
  const subscriptions = () => site.t.db.selectFrom("push_subscriptions").select("endpoint").execute();
  await toggle.click();
  await eventually(subscriptions, [{ endpoint: ENDPOINT }]);
  await eventually(() => toggle.isChecked(), true);

  await site.t.db
    .updateTable("push_subscriptions")
    .set({ endpoint: `${service.url}/send/1` })
    .execute();
  const author = await site.clientOf(await site.member("Member", { username: "grace" }));
  const { body: issue } = await site.api.post("/api/projects/WEB/issues", { title: "Refunds" });
  const comment = await author.post(`/api/projects/WEB/issues/${issue.id}/comments`, {
    content: "@ada look",
  });
  assert.equal(comment.status, 201);
  await new PushDelivery(site.t.db, () => site.url, { toInternal: true }).deliver();
  const [sent] = service.received;
  assert.ok(sent);
  const message = browser.read(sent.body);
  const worker = await openWorker(page);
  await worker.deliver(JSON.stringify(message));
  await eventually(worker.shown, [[message.title, message.path]]);
  assert.match(message.path, /\/issues\/WEB-\d+#comment-\d+$/);

  await site.t.db.updateTable("push_subscriptions").set({ endpoint: ENDPOINT }).execute();
  await toggle.click();
  await eventually(subscriptions, []);
  await eventually(() => toggle.isChecked(), false);
  await page.leave();
});

test("a browser that blocks notifications says so, and the switch stays off", async () => {
  const page = await site.open("/settings/notifications", { keeps: true });
  const toggle = page.getByRole("switch", { name: "Notifications in this browser" });
  await toggle.click();
  await page.getByText("The browser blocks notifications from this site.").first().waitFor();
  await eventually(() => toggle.isChecked(), false);
  await page.leave();
});

test("a push service that cannot be reached is described in our own words", async () => {
  const page = await site.open("/settings/notifications", { keeps: true });
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    PushManager.prototype.subscribe = async () => {
      throw new DOMException("Registration failed - push service error", "AbortError");
    };
  });
  await page.reload();
  await page.getByRole("switch", { name: "Notifications in this browser" }).click();
  await page.getByText("The browser could not reach its push service.").waitFor();
  await eventually(() => page.getByText("Registration failed").count(), 0);
  await page.leave();
});
