import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { openReportQueue, preview, row } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** A project with a report, an issue and an error about lost coupons, and a report about something else. */
async function openCoupons() {
  const queue = await openReportQueue(site, "The coupon is lost after signing in", "Dark theme");
  const base = `/api/projects/${queue.id}`;
  const issue = await queue.client.post(`${base}/issues`, { title: "Coupon is lost after the sign-in" });
  assert.equal(issue.status, 201, issue.text);
  const sender = site.t.http.as(await makeProjectToken(site.t.db, queue.id, queue.user.id));
  const event = anEvent({ exception_class: "CouponError", message: "The coupon is lost after signing in" });
  await sendEvent(sender, `${base}/error-events`, event);
  return queue;
}

const list = (page: TestPage) => page.getByRole("dialog").getByRole("list", { name: "Similar" });
const links = (page: TestPage) => list(page).getByRole("link");
const field = (page: TestPage, name: string) => page.getByRole("dialog").getByRole("textbox", { name });

async function startReport(queue: Awaited<ReturnType<typeof openCoupons>>) {
  const page = await queue.open();
  await row(page, "Dark theme").waitFor();
  await page.keyboard.press("Shift+R");
  await field(page, "Title").waitFor();
  return page;
}

test("similar reports, issues and errors appear with their states while a report is written, and are announced", async () => {
  const queue = await openCoupons();
  const page = await startReport(queue);
  await field(page, "Title").fill("Coupon is lost after signing in");
  await list(page).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "Similar items are listed below the description." })
    .waitFor();
  await eventually(
    async () => (await links(page).allTextContents()).toSorted(),
    [
      `#${queue.reports[0]?.id} The coupon is lost after signing inReport · Active (opens in a new tab)`,
      "CouponError: The coupon is lost after signing inError · Open (opens in a new tab)",
      `${queue.key}-1 Coupon is lost after the sign-inIssue · Backlog (opens in a new tab)`,
    ].toSorted(),
  );
  await page.checkAccessibility();
  await field(page, "Title").fill("Print the invoice twice");
  await list(page).waitFor({ state: "detached" });
  await page.leave();
});

test("a similar item is reached by keyboard and opens in a new tab, and the report stays as written", async () => {
  const page = await startReport(await openCoupons());
  // The title last: the list is read once for both texts, and does not change while it has the focus.
  await field(page, "Description").fill("It was 10 %.");
  await field(page, "Title").fill("Coupon is lost after signing in");
  await links(page).first().waitFor();
  await field(page, "Description").focus();
  const isInList = () =>
    page.evaluate(() => Boolean(document.activeElement?.closest('[aria-label="Similar"]')));
  for (let presses = 0; presses < 10 && !(await isInList()); presses++) await page.keyboard.press("Tab");
  await eventually(() => isInList(), true);
  const opened = page.context().waitForEvent("page");
  await page.keyboard.press("Enter");
  await (await opened).close();
  assert.deepEqual(
    [await field(page, "Title").inputValue(), await field(page, "Description").inputValue()],
    ["Coupon is lost after signing in", "It was 10 %."],
  );
  await page.leave();
});

test("similar items appear while an issue is written", async () => {
  const page = await startReport(await openCoupons());
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("c");
  await field(page, "Title").fill("Coupon is lost after signing in");
  await eventually(() => links(page).count(), 3);
  await page.checkAccessibility();
  await page.leave();
});

test("a promotion shows what resembles the report, without the report itself", async () => {
  const queue = await openCoupons();
  const page = await queue.open(`?report=${queue.reports[0]?.id}`);
  await preview(page).getByRole("button", { name: "All fields" }).click();
  await list(page).getByText("Issue · Backlog").waitFor();
  await list(page).getByText("Error · Open").waitFor();
  await eventually(() => list(page).getByText(`#${queue.reports[0]?.id} `).count(), 0);
  await page.checkAccessibility();
  await page.leave();
});

test("a long text in another alphabet is compared without exceeding the size of headers", async () => {
  const page = await startReport(await openCoupons());
  const answered = page.waitForResponse(/\/similar\?/);
  await field(page, "Title").fill("咖".repeat(255));
  await answered;
  const both = page.waitForResponse((response) => /description=%/.test(response.url()));
  await field(page, "Description").fill("咖啡".repeat(3_000));
  assert.equal((await both).status(), 200);
  await page.leave();
});
