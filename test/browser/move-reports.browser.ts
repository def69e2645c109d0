import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { pressInMenu } from "./choose-action.ts";
import { useTestSite } from "./test-site.ts";
import { openReportQueue, row, shownTitles } from "./report-queue.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);

test("a report is moved by dragging, its menu and the keyboard, with a dismissed report in between", async () => {
  const queue = await openQueue("One", "Two", "Three", "Four");
  await queue.client.post(`${queue.path}/${queue.reports[1]?.id}/dismiss`, { category: "invalid" });
  const page = await queue.open();
  await row(page, "Four").waitFor();
  await row(page, "Four").dragTo(row(page, "One"), { targetPosition: { x: 200, y: 60 } });
  await eventually(() => shownTitles(page), ["One", "Four", "Three"]);
  await eventually(queue.order, ["One", "Four", "Two", "Three"]);

  await row(page, "Three").getByRole("button", { name: "Actions for Three" }).click();
  await page.getByRole("menuitem", { name: "Move", exact: true }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await eventually(() => shownTitles(page), ["Three", "One", "Four"]);
  await eventually(queue.order, ["Three", "One", "Four", "Two"]);

  await row(page, "Three").getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await eventually(() => shownTitles(page), ["One", "Four", "Three"]);
  await eventually(queue.order, ["One", "Four", "Three", "Two"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Three");
  await page.leave();
});

test("a report is moved to a numbered position", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await row(page, "One").getByRole("button", { name: "Actions for One" }).press("ArrowDown");
  const move = page.getByRole("menuitem", { name: "Move", exact: true });
  await page.locator("[role=menu]:focus-within").filter({ has: move }).waitFor();
  await move.press("ArrowRight");
  await pressInMenu(page, "Move to position…");
  const dialog = page.getByRole("dialog", { name: "Move to position" });
  await dialog.getByRole("spinbutton", { name: "Position" }).fill("4");
  await page.keyboard.press("Enter");
  await dialog.getByText("Enter a number from 1 to 3.").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("spinbutton", { name: "Position" }).fill("3");
  await page.keyboard.press("Enter");
  await eventually(() => shownTitles(page), ["Two", "Three", "One"]);
  await eventually(queue.order, ["Two", "Three", "One"]);
  await page.leave();
});

test("news of a move that was sent does not take back a later one that is not sent yet", async () => {
  const queue = await openQueue("One", "Two", "Three", "Four");
  const page = await queue.open();
  await row(page, "Four").waitFor();
  let isMoved = false;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const answered = page.waitForResponse("**/reports/reorder");
  await page.route("**/reports/reorder", async (route) => {
    const response = await route.fetch();
    isMoved = true;
    await held;
    await route.fulfill({ response });
  });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  await page.route("**/reports?ids=*", async (route) => {
    if (isMoved) {
      ask();
      await answered;
    }
    await route.continue();
  });
  await row(page, "Four").getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await asked;
  const read = page.waitForResponse("**/reports?ids=*");
  await page.keyboard.press("Alt+ArrowUp");
  release();
  await read;
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(queue.order, ["Four", "One", "Two", "Three"]);
  await eventually(() => shownTitles(page), ["Four", "One", "Two", "Three"]);
  await page.leave();
});

test("moving next to a report that was just deleted shows an error and the actual order", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await row(page, "Three").waitFor();
  await page.route("**/api/events?*", (route) => route.fulfill({ status: 429 }));
  // Deleted without this page receiving the change in time.
  await page.route("**/reports/reorder", async (route) => {
    await queue.client.delete(`${queue.path}/${queue.reports[0]?.id}`);
    await route.continue();
  });
  await row(page, "Three").getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByText("The report could not be moved.").waitFor();
  await eventually(() => shownTitles(page), ["Two", "Three"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Three");
  await page.leave();
});
