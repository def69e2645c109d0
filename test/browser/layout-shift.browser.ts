import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { trackLoading } from "./loading.ts";
import { useTestSite } from "./test-site.ts";
import { makeVoucherShop } from "./voucher-shop.ts";

/** The most that a page may move while it loads, as browsers score it. */
const MAX_SHIFT = 0.02;

const site = await useTestSite();
await makeVoucherShop(site);
const token = await makeProjectToken(site.t.db, site.project.id, site.owner.id);
const sender = site.t.http.as(token);
for (const exception_class of ["PaymentFailed", "VoucherMissing", "StockEmpty"])
  await sendEvent(
    sender,
    `/api/projects/${site.project.id}/error-events`,
    anEvent({ exception_class, release: "1.0.0" }),
  );
for (const title of ["The voucher is refused", "The total is wrong"])
  await site.create("/reports", { title, description: "At the checkout." });
const { body: groups } = await site.api.get(`/api/projects/${site.project.id}/error-groups`);

const PAGES = {
  home: "/",
  overview: "/projects/WEB",
  errors: "/projects/WEB/errors",
  error: `/projects/WEB/errors/${groups.data[0].id}`,
  issue: "/projects/WEB/issues/WEB-1",
  board: "/projects/WEB/board",
  triage: "/projects/WEB/triage",
  releases: "/projects/WEB/releases",
};

/** How long each response is held back, in milliseconds: parts arrive one after the other, as on a slow connection. */
const DELAYS = [40, 160, 80, 240];

declare global {
  var layoutShift: number;
}

for (const [name, path] of Object.entries(PAGES))
  test(`what the ${name} page loads moves nothing, with each request answered at a different time`, async (t) => {
    const page = await site.open("/assets/none.txt", { newContext: true, width: 1440, height: 900 });
    await page.addInitScript(() => {
      globalThis.layoutShift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          globalThis.layoutShift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    let requests = 0;
    await page.route("**/api/**", async (route) => {
      const delay = DELAYS[requests++ % DELAYS.length];
      await new Promise((resolve) => void setTimeout(resolve, delay));
      await route.continue();
    });
    const loading = trackLoading(page);
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await loading.done();
    const shift = await page.evaluate(() => globalThis.layoutShift);
    t.diagnostic(`${name}: ${shift.toFixed(4)}`);
    assert.ok(shift <= MAX_SHIFT, `${name}: ${shift}`);
    await page.leave();
  });
