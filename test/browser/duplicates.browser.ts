import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openReportQueue, preview, type ReportQueue, row, shownTitles } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const LOST = "The coupon is lost after signing in";
const GONE = "Coupon is lost after the sign-in";

/** A queue whose first two reports are about lost coupons. */
const openCoupons = () => openReportQueue(site, LOST, GONE, "Dark theme");

const dialogOf = (page: TestPage) => page.getByRole("dialog", { name: "Mark as duplicate" });

async function openDialog(queue: ReportQueue) {
  const page = await queue.open();
  await preview(page).getByRole("heading", { name: LOST }).waitFor();
  await page.keyboard.press("d");
  const dialog = dialogOf(page);
  await dialog.getByRole("radio", { name: new RegExp(GONE) }).waitFor();
  return { page, dialog };
}

async function dismissAsDuplicate(queue: ReportQueue, id: number | undefined, original: object) {
  const answer = await queue.client.post(`${queue.path}/${id}/dismiss`, {
    category: "duplicate",
    duplicate_of: original,
  });
  assert.equal(answer.status, 200, answer.text);
}

test("D and Enter mark a report as a duplicate of the most similar one, and Undo takes it back", async () => {
  const queue = await openCoupons();
  const { page, dialog } = await openDialog(queue);
  await eventually(() => dialog.getByRole("radio", { name: new RegExp(GONE) }).isChecked(), true);
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("type")), "radio");
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await eventually(() => shownTitles(page), [GONE, "Dark theme"]);
  await page.keyboard.press("Control+z");
  await eventually(() => shownTitles(page), [LOST, GONE, "Dark theme"]);
  await eventually(async () => (await queue.read(0)).dismissed_at, null);
  await page.leave();
});

test("the open report says how many similar reports and issues there are, and leads to them", async () => {
  const queue = await openCoupons();
  const page = await queue.open();
  await preview(page)
    .getByRole("button", { name: /similar items?$/ })
    .click();
  await dialogOf(page)
    .getByRole("radio", { name: new RegExp(GONE) })
    .waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  await page.checkAccessibility();
  await page.leave();
});

test("a digit marks a report as a duplicate of that item at once", async () => {
  const queue = await openCoupons();
  const { page, dialog } = await openDialog(queue);
  await page.keyboard.press("1");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Close message" }).click();
  await eventually(async () => (await queue.read(0)).duplicate_of, {
    report_id: queue.reports[1]?.id ?? 0,
    issue_id: null,
  });
  await page.leave();
});

test("a report that nothing similar was found for becomes a duplicate of an issue that is searched for", async () => {
  const queue = await openReportQueue(site, "Gift cards");
  const issue = await queue.client.post(`/api/projects/${queue.id}/issues`, { title: "Sell vouchers" });
  const page = await queue.open();
  await preview(page).getByRole("heading", { name: "Gift cards" }).waitFor();
  await page.keyboard.press("d");
  const dialog = dialogOf(page);
  await dialog.getByRole("button", { name: /^Duplicate of/ }).waitFor();
  await dialog.getByRole("button", { name: "Mark as duplicate" }).click();
  await dialog.getByText("Choose a report or an issue.").waitFor();
  await dialog.getByRole("button", { name: /^Duplicate of/ }).click();
  await page.getByRole("combobox", { name: "Search: Duplicate of" }).fill("voucher");
  await page.getByRole("option", { name: /Sell vouchers/ }).click();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Mark as duplicate" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Close message" }).click();
  await eventually(async () => (await queue.read(0)).duplicate_of, {
    report_id: null,
    issue_id: issue.body.id,
  });
  await page.leave();
});

test("an original lists its duplicates, and both lead to each other", async () => {
  const queue = await openCoupons();
  await dismissAsDuplicate(queue, queue.reports[0]?.id, { report_id: queue.reports[1]?.id });
  const page = await queue.open(`?report=${queue.reports[1]?.id}`);
  const duplicates = preview(page).getByRole("region", { name: "Duplicates 1" });
  await duplicates.getByRole("link", { name: LOST }).waitFor();
  await page.checkAccessibility();
  await duplicates.getByRole("link", { name: LOST }).click();
  await page.getByRole("heading", { level: 1, name: LOST }).waitFor();
  await page.getByText("Dismissed: duplicate of").waitFor();
  await page.getByRole("link", { name: new RegExp(`#\\d+ ${GONE}`) }).click();
  await page.getByRole("heading", { level: 1, name: GONE }).waitFor();
  await page.leave();
});

test("an issue lists its duplicates among its sources, with its voices", async () => {
  const queue = await openCoupons();
  const [first, second] = queue.reports;
  const issue = await queue.client.post(`/api/projects/${queue.id}/issues`, { title: "Keep the coupon" });
  const promoted = await queue.client.post(`${queue.path}/link`, {
    report_ids: [first?.id],
    issue: issue.body.id,
  });
  assert.equal(promoted.status, 200, promoted.text);
  await dismissAsDuplicate(queue, second?.id, { issue_id: issue.body.id });
  const page = await site.open(`/projects/${queue.key}/issues/${issue.body.key}`, { as: queue.user });
  const sources = page.getByRole("region", { name: "Sources" });
  await sources.getByText("2 voices").waitFor();
  const duplicate = sources.getByRole("listitem").filter({ hasText: GONE });
  await duplicate.getByText("Duplicate", { exact: true }).waitFor();
  await page.checkAccessibility();
  await duplicate.getByRole("link", { name: GONE }).click();
  await page.getByRole("heading", { level: 1, name: GONE }).waitFor();
  await page.leave();
});

test("rows show more than one voice, and the queue is ordered by them on request", async () => {
  const queue = await openReportQueue(site, "Dark theme", "Coupon lost", "Coupons vanish");
  await dismissAsDuplicate(queue, queue.reports[2]?.id, { report_id: queue.reports[1]?.id });
  const page = await queue.open();
  await row(page, "Coupon lost").getByText("2 voices").waitFor();
  await eventually(() => row(page, "Dark theme").getByText(/voice/).count(), 0);
  await eventually(() => shownTitles(page), ["Dark theme", "Coupon lost"]);
  await page.getByRole("button", { name: "Order: Queue order" }).click();
  await page.getByRole("option", { name: "Most voices" }).click();
  await page.waitForURL(/sort=voices/);
  await eventually(() => shownTitles(page), ["Coupon lost", "Dark theme"]);
  await page.checkAccessibility();
  await page.reload();
  await row(page, "Dark theme").waitFor();
  await eventually(() => shownTitles(page), ["Coupon lost", "Dark theme"]);
  await page.leave();
});
