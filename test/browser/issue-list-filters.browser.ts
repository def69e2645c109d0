import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { pressInMenu } from "./choose-action.ts";
import { useTestSite } from "./test-site.ts";
import { issueLists, row, titles } from "./issue-list.ts";

const site = await useTestSite();
const { ownProject } = issueLists(site);

test("filters, groups and order are kept in the URL, the density of rows on the device", async () => {
  const project = await ownProject();
  await project.make("Low bug", { type: 1, priority: 4 });
  await project.make("High feature", { priority: 0 });
  await project.make("Done", { lane_id: await project.laneNamed("Done") });
  const page = await site.open(`/projects/${project.key}/issues?group=priority&sort=title`);
  await page.getByRole("heading", { name: "Highest" }).waitFor();
  await eventually(() => titles(page), ["High feature", "Low bug"]);
  await page.getByRole("link", { name: "All 3" }).click();
  await row(page, "Done").waitFor();
  await page.getByRole("searchbox", { name: "Filter by text" }).fill("no such words");
  await page.getByRole("heading", { name: "No matching issues" }).waitFor();
  assert.match(page.url(), /state=all/);
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await row(page, "Low bug").waitFor();
  assert.match(page.url(), /group=priority/);

  const height = async () =>
    (await page.getByRole("listitem").filter({ hasText: "Low bug" }).boundingBox())?.height;
  await eventually(() => height(), 40);
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByRole("menuitemradio", { name: "Dense" }).click();
  await eventually(height, 32);
  await page.reload();
  await row(page, "Low bug").waitFor();
  await eventually(() => height(), 32);
  await page.leave();
});

test("filters that do not fit are in a menu, also by keyboard, and an active filter comes first", async () => {
  const project = await ownProject();
  await project.make("Pay later", { priority: 0 });
  await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues`, { width: 1024 });
  await row(page, "Gift cards").waitFor();
  const more = page.getByRole("button", { name: /^More filters/ });
  const choose = async () => {
    await more.press("Enter");
    await pressInMenu(page, "Priority");
    await page.getByRole("option", { name: "Highest" }).waitFor();
  };
  await choose();
  await page.keyboard.press("Escape");
  await eventually(() => more.evaluate((button) => button === document.activeElement), true);
  await choose();
  await page.getByRole("option", { name: "Highest" }).click();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  const filters = page.getByRole("group", { name: "Filters" });
  await eventually(() => filters.getByRole("button").first().textContent(), "Priority: Highest");
  await page.setViewportSize({ width: 390, height: 800 });
  await eventually(() => more.textContent(), "More filters1");
  await page.checkAccessibility();
  await page.leave();
});
