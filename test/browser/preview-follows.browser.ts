import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openReportQueue, preview, row } from "./report-queue.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("J marks each row at once, and only the report of the last row replaces the open one", async () => {
  const titles = ["One", "Two", "Three", "Four"];
  const queue = await openReportQueue(site, ...titles);
  const page = await queue.open();
  await preview(page).getByRole("heading", { name: "One" }).waitFor();
  await preview(page).getByRole("textbox", { name: "Title of the issue" }).waitFor();
  await row(page, "One").getByRole("link").focus();
  await page.evaluate(async () => {
    const seen: string[] = [];
    const text = (selector: string) => document.querySelector(selector)?.textContent;
    new MutationObserver(() => {
      const now = `${text("a[aria-current][data-row]")} beside ${text("#report-title")}`;
      if (seen.at(-1) !== now) seen.push(now);
      document.documentElement.dataset["seen"] = seen.join(", ");
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    for (let presses = 1; presses < 4; presses++) {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      // What does not wait is rendered meanwhile; no frame is painted.
      for (let n = 0; n < 1_000; n++) await Promise.resolve();
    }
  });
  await preview(page).getByRole("heading", { name: "Four" }).waitFor();
  await eventually(
    () => page.locator("html").getAttribute("data-seen"),
    "Two beside One, Three beside One, Four beside One, Four beside Four",
  );
  await page.leave();
});
