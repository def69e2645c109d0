import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/**
 * Fails unless the page has the frame that all pages share: a first row of 48 px with the title in its middle, tabs
 * in the 40 px below, everything aligned with one left edge, and the header on the canvas.
 */
export async function checkFrame(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const main = document.getElementById("main");
    const header = main?.querySelector("header:has([data-header-row])");
    const row = header?.querySelector("[data-header-row]");
    if (!main || !header || !row) return "no header";
    const edge = main.getBoundingClientRect().left;
    const { top } = header.getBoundingClientRect();
    const visible = (element: Element) => element.getBoundingClientRect().width > 1;
    const last = [...row.querySelectorAll("h1, [aria-current=page]")].at(-1)?.getBoundingClientRect();
    const tab = header.querySelector("nav:not([aria-label=Breadcrumb]) > a")?.getBoundingClientRect();
    const headings = [...main.querySelectorAll("[aria-label=Breadcrumb] li, h1, h2, h3")].filter(visible);
    return {
      row: row.getBoundingClientRect().height,
      title: last && Math.round(last.top + last.height / 2 - top),
      tab: tab && { top: Math.round(tab.top - top), height: tab.height },
      edge: Math.min(
        ...headings.map((one) =>
          Math.round(one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft) - edge),
        ),
      ),
      hasCanvas:
        getComputedStyle(header).backgroundColor ===
        getComputedStyle(document.documentElement).backgroundColor,
    };
  });
  assert.ok(typeof found !== "string", String(found));
  assert.deepEqual(
    { ...found, tab: found.tab ?? null },
    {
      row: 48,
      title: 24,
      tab: found.tab === undefined ? null : { top: 48, height: 40 },
      edge: 16,
      hasCanvas: true,
    },
  );
}
