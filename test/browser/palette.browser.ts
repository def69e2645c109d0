import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";
import { makeVoucherShop } from "./voucher-shop.ts";

const site = await useTestSite();
const { epicId } = await makeVoucherShop(site);

test("Ctrl K searches across kinds, and Enter opens the chosen result", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.waitFor();
  await page.keyboard.type("voucher");
  await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
  await page.getByRole("option", { name: /WEB-1 Voucher is taken twice/ }).waitFor();
  const chosen = page.getByRole("option", { selected: true });
  for (let press = 0; press < 10; press++) {
    if (/Voucher is taken twice/.test((await chosen.textContent()) ?? "")) break;
    await page.keyboard.press("ArrowDown");
  }
  const wanted = page.getByRole("option", { name: /Voucher is taken twice/ });
  await eventually(
    async () => (await field.getAttribute("aria-activedescendant")) === (await wanted.getAttribute("id")),
    true,
  );
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEB/issues/WEB-1");
  await field.waitFor({ state: "hidden" });
  await page.leave();
});

test("Enter opens a result for the current query, not for an earlier one", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/search?query=islands*", async (route) => {
    await answered;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.fill("voucher");
  await page.getByRole("option", { name: /Voucher is taken twice/ }).waitFor();
  const asked = page.waitForRequest("**/api/search?query=islands*");
  await field.fill("islands");
  await asked;
  await page.keyboard.press("Enter");
  answer();
  await page.waitForURL("**/projects/WEB/issues/WEB-2");
  await page.leave();
});

test("slash opens the palette too, and an issue key opens the issue if its project exists", async () => {
  const page = await site.open("/");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
  await page.keyboard.type("nope-2");
  await page.getByRole("option", { name: /All results/ }).waitFor();
  await eventually(() => page.getByRole("group", { name: "Jump to" }).count(), 0);
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("web-2");
  await page.getByRole("group", { name: "Jump to" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEB/issues/WEB-2");
  await page.leave();
});

test("keys typed while the palette loads go to the palette and do nothing on the page", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/assets/palette-*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  const asked = page.waitForRequest("**/assets/palette-*.js");
  await page.reload();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("/");
  await asked;
  await page.keyboard.type("cx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ampaign");
  await eventually(() => page.getByRole("dialog").count(), 0);
  arrive();
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.and(page.locator(":focus")).waitFor();
  await eventually(() => field.inputValue(), "campaign");
  await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
  await page.leave();
});

test("Escape cancels a dialog that is still loading", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.route("**/assets/palette-*.js", () => {});
  const asked = page.waitForRequest("**/assets/palette-*.js");
  await page.reload();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("/");
  await asked;
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.leave();
});

test("a page command is run with the mouse, and what it opens gets the focus", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("option", { name: "New epic" }).click();
  const dialog = page.getByRole("dialog", { name: "New epic" });
  await dialog.getByLabel("Title").waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
  await page.leave();
});

test("synonyms find commands, and the palette changes the theme", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.fill("log out");
  await page.getByRole("option", { name: "Sign out" }).waitFor();
  await field.fill("invite");
  await page.getByRole("option", { name: "Invite people", selected: true }).waitFor();
  await field.fill("night");
  await page.getByRole("option", { name: "Use the dark theme", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("html[data-theme=dark]").waitFor();
  await eventually(async () => (await site.api.get("/api/profile")).body.theme, "dark");
  assert.equal((await site.api.patch("/api/profile", { theme: "system" })).status, 200);
  await page.leave();
});

test("recently opened items are offered before anything is typed", async () => {
  const page = await site.open(`/projects/WEB/epics/${epicId}`);
  await page.getByRole("heading", { level: 1, name: "Voucher campaign" }).waitFor();
  await pressSequence(page, "g", "m");
  await page.waitForURL("**/my-issues");
  await page.keyboard.press("Control+k");
  await page
    .getByRole("group", { name: "Recent" })
    .getByRole("option", { name: /Voucher campaign/ })
    .click();
  await page.waitForURL(`**/epics/${epicId}`);
  await page.leave();
});

test("recent items are still there after a reload, except those the person may no longer read", async () => {
  const secret = await site.create("/epics", { title: "Secret campaign" });
  const page = await site.open(`/projects/WEB/epics/${secret.id}`);
  await page.getByRole("heading", { level: 1, name: "Secret campaign" }).waitFor();
  await page.goto("/projects/WEB/issues/WEB-2");
  await page.getByRole("heading", { level: 1, name: "Postage to islands" }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!kept.includes("Secret campaign") && !kept.includes("Postage"), kept);
  assert.equal((await site.api.delete(`/api/projects/${site.project.id}/epics/${secret.id}`)).status, 204);
  await page.goto("/my-issues");
  await page.getByRole("heading", { level: 1, name: "My issues" }).waitFor();
  await page.keyboard.press("Control+k");
  const recent = page.getByRole("group", { name: "Recent" });
  await recent.getByRole("option", { name: /WEB-2 Postage to islands/ }).waitFor();
  await eventually(() => recent.getByRole("option", { name: /campaign/ }).count(), 0);
  await page.leave();
});
