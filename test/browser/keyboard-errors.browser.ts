import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { chooseInMenu, focusOn, pressUntil, tabTo } from "./focus.ts";
import { takeOption } from "./pick-option.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";

/* Journeys with the keyboard only: the tests do not click, fill or focus anything. */

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });

test("an error is assigned, commented, resolved in the next release, and put back", async () => {
  const errors = await openErrorList(site);
  await errors.send("Alpha", { release: "4.12.0" });
  const page = await errors.openPageOf("Alpha");
  await page.getByRole("button", { name: /^Assignee: Nobody/ }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.type("ada");
  await takeOption(page, /Ada Moss/);
  await page.getByRole("button", { name: /^Assignee: Ada Moss/ }).waitFor();
  await tabTo(page, "textbox", "Write a comment");
  await page.keyboard.type("The coupon is gone.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("list", { name: "Threads" }).getByText("The coupon is gone.").waitFor();
  await pressUntil(page, "Shift+Tab", "button", "Fixed in");
  await chooseInMenu(page, "The next release");
  await eventually(async () => (await errors.group("Alpha")).resolved_in?.mode, "next_release");
  await page.keyboard.press("Control+z");
  await eventually(async () => (await errors.group("Alpha")).status, 0);
  await page.leave();
});

test("the controls of a row are described by its message, because errors share classes", async () => {
  const errors = await openErrorList(site);
  await errors.send("TypeError", { message: "Cart is null" });
  const page = await site.open(errors.url);
  await rowLink(page, "TypeError").waitFor();
  const controls = page
    .getByRole("list", { name: "Errors" })
    .locator("a.row-link, input, button[aria-haspopup=menu]");
  const described = () =>
    controls.evaluateAll((all) =>
      all.map(
        (control) =>
          document.getElementById(control.getAttribute("aria-describedby") ?? "")?.textContent ??
          control.outerHTML,
      ),
    );
  await eventually(described, ["Cart is null", "Cart is null", "Cart is null"]);
  await page.leave();
});

test("two errors are merged, and the focus stays in the list", async () => {
  const errors = await openErrorList(site);
  for (const name of ["Other", "MergeB", "MergeA"]) await errors.send(name);
  const page = await site.open(errors.url);
  await rowLink(page, "Other").waitFor();
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  await page.getByText("2 errors selected").waitFor();
  await page.keyboard.press("Control+k");
  await focusOn(page, "combobox", /Search/);
  await page.keyboard.type("merge");
  await page
    .getByRole("option", { name: "Merge 2 errors" })
    .and(page.locator("[aria-selected=true], [data-highlighted]"))
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog", { name: "Merge 2 errors?" }).waitFor();
  // Where the focus is for a moment when Tab leads from the last control to the first.
  const guard = page.locator("[data-base-ui-focus-guard]").last();
  await guard.dispatchEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  await tabTo(page, "button", "Merge");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
  await eventually(() => rowLink(page, "Other").count(), 1);
  await eventually(() => page.getByRole("list", { name: "Errors" }).getByRole("listitem").count(), 2);
  await page.locator("[data-row]:focus").waitFor();
  await page.leave();
});

test("a filtered list is saved as a view and opened again", async () => {
  const errors = await openErrorList(site);
  await errors.send("Stage", { environment: "staging" });
  const page = await site.open(`${errors.url}?environment=staging`);
  await rowLink(page, "Stage").waitFor();
  await tabTo(page, "button", "Views");
  await chooseInMenu(page, "Save view");
  await focusOn(page, "textbox", "Name");
  await page.keyboard.type("Staging");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await pressSequence(page, "g", "h");
  await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
  await tabTo(page, "link", "Staging");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${errors.url}?environment=staging`);
  await page.leave();
});
