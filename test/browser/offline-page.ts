import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { waitUntil } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import type { TestSite } from "./test-site.ts";

/**
 * Opens a page and waits for its stream of live updates: the code that notices a lost connection, and that keeps changes and
 * lists them, is loaded with it, that of the list last. The streams of pages that other tests have left must have ended.
 */
export async function openLive(site: TestSite, path: string): Promise<TestPage> {
  const hasStreams = async (count: number) => {
    const { text } = await site.t.http.get("/api/metrics");
    return new RegExp(`^signalbox_live_streams(?:\\{.*\\})? ${count}$`, "m").test(text);
  };
  await waitUntil(() => hasStreams(0));
  const page = await site.open(path, { newContext: true });
  await waitUntil(() => hasStreams(1));
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/queued-list-")),
  );
  return page;
}

/** Changes do not reach the server until the returned function is called; everything can still be read. */
export async function blockWrites(page: TestPage): Promise<() => Promise<void>> {
  const API = "**/api/**";
  await page.route(API, (route) =>
    route.request().method() === "GET" ? route.fallback() : route.abort("internetdisconnected"),
  );
  return async () => {
    await page.unroute(API);
    await tellOnline(page);
  };
}

/**
 * Until the returned function is called, the page does not start to send a change: that begins with the question who is signed
 * in. What others change meanwhile is thus changed before the page compares, not between its comparison and its change.
 */
export async function blockSending(page: TestPage): Promise<() => Promise<void>> {
  const PERSON = "**/api/profile";
  await page.route(PERSON, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(PERSON);
}

/** Tells the page that the connection is back, as the browser does. Otherwise it tries again after growing pauses. */
export const tellOnline = (page: Page) => page.evaluate(() => void dispatchEvent(new Event("online")));

/** Fails if the page has an accessibility violation or scrolls sideways, wide in the light theme or narrow in the dark one. */
export async function checkBothLooks(page: TestPage): Promise<void> {
  for (const [colorScheme, width] of [
    ["dark", 320],
    ["light", 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.checkAccessibility();
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(over <= 0, `${over} px too wide`);
  }
}

/** Ends the test's use of a page that was offline: the browser logs every request that has failed. */
export async function leaveOffline(page: TestPage): Promise<void> {
  page.complaints.splice(0);
  await page.leave();
}
