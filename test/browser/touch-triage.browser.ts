import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makePerson, PASSWORD } from "../support/person.ts";
import { openReportQueue, preview, row } from "./report-queue.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key. */

const site = await useTestSite();

test("a person signs in and opens the navigation", async () => {
  const person = await makePerson(site.t);
  const page = await site.open("/my-issues", { as: null, ...PHONE });
  await page.getByLabel("Email").tap();
  await page.keyboard.insertText(person.email);
  await page.getByLabel("Password").tap();
  await page.keyboard.insertText(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).tap();
  await page.getByRole("button", { name: "Menu" }).tap();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).tap();
  await page.waitForURL((url) => url.pathname === "/");
  await page.leave();
});

test("a report is opened and promoted with a priority; the next one opens", async () => {
  const queue = await openReportQueue(site, "Cart empties", "Too slow");
  const page = await queue.open("", PHONE);
  await row(page, "Cart empties").getByRole("link").tap();
  await preview(page)
    .getByRole("button", { name: /^Priority/ })
    .tap();
  await page.getByRole("option", { name: "Highest" }).tap();
  await preview(page)
    .getByRole("button", { name: /^Promote/ })
    .tap();
  await preview(page).getByRole("heading", { name: "Too slow" }).waitFor();
  const issue = async () => {
    const { promoted_issue_id: id } = await queue.read(0);
    return id && (await queue.client.get(`/api/projects/${queue.id}/issues/${id}`)).body;
  };
  await eventually(async () => (await issue())?.priority, 0);
  await page.leave();
});

test("the actions for selected reports fit on one line", async () => {
  const queue = await openReportQueue(site, "Cart empties", "Too slow", "Coupon lost");
  const page = await queue.open("", PHONE);
  for (const title of ["Cart empties", "Too slow"]) await row(page, title).getByRole("checkbox").tap();
  const bar = page.getByRole("toolbar", { name: "Actions for selected items" });
  await bar.getByText("2 reports selected").waitFor();
  const tops = await Promise.all(
    ["Clear selection", "Promote 2 as one issue", "Dismiss", "Select all 3"].map(async (name) => {
      const box = await bar.getByRole("button", { name }).boundingBox();
      assert.ok(box && box.x + box.width <= PHONE.width, name);
      return box.y + box.height / 2;
    }),
  );
  assert.ok(Math.max(...tops) - Math.min(...tops) < 4, String(tops));
  await page.leave();
});

test("a dismissal is undone; a duplicate names its original and is restored", async () => {
  const queue = await openReportQueue(site, "Coupon gone", "Coupon lost");
  const page = await queue.open("", PHONE);
  const dismiss = async () => {
    await row(page, "Coupon gone").getByRole("link").tap();
    await preview(page).getByRole("button", { name: "Dismiss" }).tap();
    return page.getByRole("dialog", { name: "Dismiss report" });
  };
  let dialog = await dismiss();
  await dialog.getByRole("radio", { name: /Invalid/ }).tap();
  await dialog.getByRole("button", { name: "Dismiss" }).tap();
  await page.getByRole("button", { name: "Undo" }).tap();
  await page.getByRole("button", { name: "Close" }).first().tap();

  dialog = await dismiss();
  await dialog.getByRole("radio", { name: /Duplicate/ }).tap();
  await dialog.getByRole("button", { name: /^Duplicate of/ }).tap();
  await page.getByRole("option", { name: /Coupon lost/ }).tap();
  await dialog.getByRole("button", { name: "Dismiss" }).tap();
  await page.getByRole("button", { name: "Close message" }).tap();
  const state = async () => {
    const { dismiss_reason, duplicate_of } = await queue.read(0);
    return [dismiss_reason, duplicate_of?.report_id];
  };
  await eventually(state, ["duplicate", queue.reports[1]?.id]);

  await page.getByRole("button", { name: "Close" }).first().tap();
  await page.getByRole("link", { name: /^Dismissed/ }).tap();
  await row(page, "Coupon gone").getByRole("link").tap();
  await preview(page).getByRole("button", { name: "Restore" }).tap();
  await eventually(state, [null, undefined]);
  await eventually(() => queue.order(), ["Coupon gone", "Coupon lost"]);
  await page.leave();
});
