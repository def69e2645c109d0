import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { openReportQueue, preview, row, shownTitles } from "./report-queue.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);

test("the key of a reason that is pressed while the dialog's code loads dismisses the report", async () => {
  const queue = await openQueue("Spam", "Other");
  const page = await queue.open();
  await row(page, "Spam").waitFor();
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route("**/assets/open-report-dialog-*.js", async (route) => {
    await loaded;
    await route.continue();
  });
  await page.keyboard.press("h");
  await page.keyboard.press("4");
  load();
  await page.getByRole("log", { name: "Messages" }).getByText("dismissed").waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.leave();
});

test("a duplicate names its original; U returns it to the queue with its history, and Undo dismisses it again", async () => {
  const queue = await openQueue("Coupon gone", "Coupon lost", "Other");
  const original = { report_id: queue.reports[1]?.id ?? 0, issue_id: null };
  const page = await queue.open();
  await row(page, "Other").waitFor();
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Dismiss report" });
  await dialog.waitFor();
  await page.keyboard.press("2");
  await page.getByRole("combobox", { name: "Search: Duplicate of" }).fill("lost");
  await page.getByRole("option", { name: /Coupon lost/ }).click();
  await dialog.getByRole("button", { name: /^Duplicate of.*Coupon lost/ }).waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Close message" }).click();
  await eventually(async () => (await queue.read(0)).duplicate_of, original);

  await page.getByRole("link", { name: "Dismissed 1" }).click();
  await preview(page)
    .getByRole("link", { name: /Coupon lost/ })
    .waitFor();
  await page.keyboard.press("u");
  await page.getByText("No dismissed reports").waitFor();
  await eventually(() => queue.order(), ["Coupon gone", "Coupon lost", "Other"]);
  await page.getByRole("link", { name: "Active 3" }).click();
  await row(page, "Coupon gone").getByRole("link").click();
  const history = preview(page).getByRole("list", { name: "Earlier dismissals" });
  await history.getByText("restored just now by").waitFor();
  await history.getByRole("link", { name: /Coupon lost/ }).waitFor();
  await page.keyboard.press("Control+z");
  await row(page, "Coupon gone").waitFor({ state: "detached" });
  await eventually(async () => (await queue.read(0)).duplicate_of, original);
  await page.leave();
});

test("a page restored by the browser shows the result of a dismissal that was sent when it was left", async () => {
  const queue = await openQueue("Wish", "Real");
  const page = await queue.open();
  await row(page, "Real").waitFor();
  await page.route("**/dismiss", (route) => route.fulfill({ status: 409, json: { message: "Not now." } }));
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await page.keyboard.press("4");
  await eventually(() => shownTitles(page), ["Real"]);
  const asked = page.waitForResponse("**/dismiss");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await asked;
  await eventually(() => shownTitles(page), ["Real"]);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await eventually(() => shownTitles(page), ["Wish", "Real"]);
  await page.leave();
});

test("H and a digit dismiss a report and lower the sidebar's count; Undo puts it back and nothing is sent", async () => {
  const queue = await openQueue("Spam", "Real");
  const page = await queue.open();
  await row(page, "Real").waitFor();
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Dismiss report" });
  await dialog.waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("4");
  // A message stays while the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await eventually(() => shownTitles(page), ["Real"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Real");
  await page.getByRole("link", { name: "Dismissed 1" }).waitFor();
  const inSidebar = page.getByRole("navigation", { name: "Main" });
  await inSidebar.getByRole("link", { name: "Triage 1 waiting" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => shownTitles(page), ["Spam", "Real"]);
  await inSidebar.getByRole("link", { name: "Triage 2 waiting" }).waitFor();
  await eventually(async () => (await queue.read(0)).dismissed_at, null);
  await page.leave();
});

test("H dismisses all selected reports, waits for the rate limit, and stopping keeps the rest", async () => {
  const queue = await openQueue("One", "Two", "Three", "Four", "Five");
  const page = await queue.open();
  await row(page, "One").waitFor();
  let requests = 0;
  await page.route("**/dismiss", (route) =>
    ++requests === 3
      ? route.fulfill({
          status: 429,
          headers: { "Retry-After": "60" },
          json: { message: "Too many requests" },
        })
      : route.continue(),
  );
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Select all 5" }).click();
  const bar = page.getByRole("toolbar", { name: "Actions for selected items" });
  await bar.getByRole("button", { name: "Dismiss" }).waitFor();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss 5 reports" }).waitFor();
  await page.keyboard.press("4");
  await page.getByText("Queue clear").waitFor();
  const message = page.getByRole("group", { name: "5 reports dismissed: invalid" });
  await message.getByRole("button", { name: "Close message" }).click();
  const progress = page.getByRole("group", { name: "Dismissing 5 reports" });
  await progress.getByText("Waiting, because the server limits dismissals per minute.").waitFor();
  await progress.getByText("2 of 5").waitFor();
  await page.checkAccessibility();
  await progress.getByRole("button", { name: "Stop" }).click();
  await page.getByText("3 were not dismissed, because you stopped.").waitFor();
  await eventually(() => shownTitles(page), ["Three", "Four", "Five"]);
  const states = await Promise.all(
    [0, 1, 2, 3, 4].map(async (index) => (await queue.read(index)).dismissed_at !== null),
  );
  assert.deepEqual(states, [true, true, false, false, false]);

  await row(page, "Three").getByRole("link").focus();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await page.keyboard.press("1");
  await eventually(() => shownTitles(page), ["Four", "Five"]);
  await page.keyboard.press("Control+z");
  await eventually(() => shownTitles(page), ["Three", "Four", "Five"]);
  await page.leave();
});

test("signing out sends the dismissals that could still be undone, and waits while the server limits them", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  let requests = 0;
  await page.route("**/dismiss", (route) =>
    ++requests === 2
      ? route.fulfill({
          status: 429,
          headers: { "Retry-After": "1" },
          json: { message: "Too many requests" },
        })
      : route.continue(),
  );
  for (const title of ["One", "Two", "Three"]) {
    await row(page, title)
      .getByRole("button", { name: /^Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Dismiss" }).click();
    const dialog = page.getByRole("dialog", { name: "Dismiss report" });
    await dialog.getByRole("radio", { name: /Duplicate/ }).check();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await row(page, title).waitFor({ state: "detached" });
  }
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  const states = await Promise.all(
    [0, 1, 2].map(async (index) => (await queue.read(index)).dismissed_at !== null),
  );
  assert.deepEqual(states, [true, true, true]);
  await page.leave();
});

test("a dismissal with a note is sent when the page is left, and is listed with its reason", async () => {
  const queue = await openQueue("Wish", "Real");
  const page = await queue.open("?report=0");
  await preview(page).getByText("Report not found").waitFor();
  await row(page, "Wish").getByRole("link").click();
  await preview(page).getByRole("button", { name: "Dismiss" }).click();
  const dialog = page.getByRole("dialog", { name: "Dismiss report" });
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.getByText("Choose a reason.").waitFor();
  await dialog.getByRole("radio", { name: /Already shipped/ }).click();
  await dialog.getByRole("textbox", { name: /Note/ }).fill("Since 2.1");
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  // The next report is opened.
  await preview(page).getByRole("heading", { name: "Real" }).waitFor();
  await page.getByRole("link", { name: "Report #" }).click();
  await page.waitForURL(/\/reports\/\d+$/);
  await eventually(async () => {
    const { dismiss_reason, dismiss_reason_note } = await queue.read(0);
    return [dismiss_reason, dismiss_reason_note];
  }, ["already-shipped", "Since 2.1"]);
  await page.getByRole("link", { name: "Triage" }).last().click();
  await page.getByRole("link", { name: /^Dismissed/ }).click();
  await row(page, "Wish").getByText("Already shipped").waitFor();
  await page.leave();
});
