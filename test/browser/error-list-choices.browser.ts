import { test } from "node:test";
import { openErrorList, rowLink } from "./error-list.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("the tag filter offers the keys of the project's errors, then the values of the chosen key", async () => {
  const errors = await openErrorList(site);
  await errors.send("ByCard", { tags: { payment: "card" } });
  await errors.send("ByCash", { tags: { payment: "cash", locale: "de" } });
  const page = await site.open(errors.url);
  await rowLink(page, "ByCash").waitFor();
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("menuitem", { name: "Tag" }).click();
  await page.getByRole("option", { name: /^locale/ }).waitFor();
  await page.getByRole("option", { name: /^payment/ }).click();
  await page.getByRole("option", { name: /^cash/ }).waitFor();
  await page.checkAccessibility();
  await page.getByRole("option", { name: /^card/ }).click();
  await rowLink(page, "ByCash").waitFor({ state: "hidden" });
  await rowLink(page, "ByCard").waitFor();
  await page.getByRole("button", { name: "Tag: payment:card" }).waitFor();
  await page.leave();
});

test("an error is found by the route that its row shows", async () => {
  const errors = await openErrorList(site);
  await errors.send("Voucher", { context: { kind: "route", method: "POST", pattern: "/vouchers" } });
  await errors.send("Other");
  const page = await site.open(errors.url);
  await rowLink(page, "Other").waitFor();
  await page.getByRole("searchbox", { name: "Search errors" }).fill("/vouchers");
  await rowLink(page, "Other").waitFor({ state: "hidden" });
  await rowLink(page, "Voucher").waitFor();
  await page.leave();
});

test("a new error says so, and the last column follows the order", async () => {
  const errors = await openErrorList(site);
  await errors.send("Fresh");
  const page = await site.open(errors.url);
  const list = page.getByRole("list", { name: "Errors" });
  await list.getByText("New", { exact: true }).waitFor();
  await page.getByText("Last seen", { exact: true }).last().waitFor();
  await page.goto(`${errors.url}?sort=first_seen`);
  await page
    .getByRole("main")
    .locator("span[aria-hidden]")
    .getByText("First seen", { exact: true })
    .waitFor();
  await page.goto(`${errors.url}?sort=impact`);
  await list.getByTitle(/^New errors come first for 24 hours\. 1 event/).waitFor();
  await page.leave();
});
