import type { Page, Request } from "playwright-core";
import { waitUntil } from "../support/eventually.ts";

/**
 * Determines when a page has loaded everything: no request is in flight, and rendering the answers sent no further one.
 * Playwright's `networkidle` waits for half a second without requests instead.
 */
export function trackLoading(page: Page): { done: () => Promise<void> } {
  const inFlight = new Set<Request>();
  page.on("request", (request) => {
    if (request.resourceType() !== "eventsource") inFlight.add(request);
  });
  const end = (request: Request) => void inFlight.delete(request);
  page.on("requestfinished", end).on("requestfailed", end);
  return {
    done: () =>
      waitUntil(async () => {
        if (inFlight.size > 0) return false;
        await page.evaluate(untilIdle);
        return inFlight.size === 0;
      }, "requests are in flight"),
  };
}

/** Runs in the page: on a busy machine, frames are drawn before answers that have arrived are rendered. */
function untilIdle(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers();
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 1_000 })));
  return promise;
}
