import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { makeVoucherShop } from "./voucher-shop.ts";

const site = await useTestSite();
await makeVoucherShop(site);

test("the search page keeps query and kind in the URL and follows changes of it", async () => {
  const page = await site.open("/search");
  await page.getByRole("searchbox", { name: "Search" }).fill("voucher");
  await page.waitForURL("**/search?query=voucher");
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor();
  await page.getByRole("link", { name: "Epics", exact: true }).last().click();
  await page.waitForURL(/kind=epic/);
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("islands");
  await page.getByRole("option", { name: /All results for “islands”/ }).click();
  await page.getByRole("link", { name: "Postage to islands" }).waitFor();
  await eventually(() => page.getByRole("searchbox", { name: "Search" }).inputValue(), "islands");

  await page.getByRole("searchbox", { name: "Search" }).fill("zzzzz");
  await page.getByText("No results for “zzzzz”").waitFor();
  await page.leave();
});

test("results are marked and dated, filters narrow them, and the arrow leaves the box for J and K", async () => {
  const page = await site.open("/search?query=voucher");
  const results = page.getByRole("list", { name: "Results" });
  const row = results.getByRole("listitem").filter({ hasText: "WEB-1" });
  await eventually(() => row.locator("mark").allTextContents(), ["Voucher"]);
  await row.getByText("Web shop").waitFor();
  await row.locator("time").waitFor();
  await page.checkAccessibility();
  const box = page.getByRole("searchbox", { name: "Search" });
  await box.press("ArrowDown");
  await results.getByRole("link").first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("j");
  await results.getByRole("link").nth(1).and(page.locator(":focus")).waitFor();
  await page.goto("/search?query=voucher&state=closed");
  await page.getByText("No results for “voucher”").waitFor();
  await page.goto("/search?query=voucher&author=me");
  await row.waitFor();
  await page.leave();
});

test("J moves through the results, and Enter opens one", async () => {
  const page = await site.open("/search?query=voucher&kind=issue");
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).blur();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/issues/WEB-1");
  await page.leave();
});

test("palette, search page, home and overview have no accessibility violations in both themes and do not scroll horizontally", async () => {
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open("/", { theme, width: theme === "light" ? 1280 : 320 });
    await page.getByRole("link", { name: "Web shop" }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    await page.checkAccessibility();
    await page.keyboard.type("voucher");
    await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    for (const [path, text] of [
      ["/search?query=voucher", "Voucher is taken twice"],
      ["/projects/WEB", "Voucher campaign"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("link", { name: text }).waitFor();
      await page.checkAccessibility();
      await eventually(
        () =>
          page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
        false,
        `${path} scrolls sideways`,
      );
    }
    await page.leave();
  }
});
