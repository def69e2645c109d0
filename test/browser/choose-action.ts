import type { Page } from "playwright-core";
import type { TestPage } from "./test-page.ts";

/** Chooses an entry of the menu "Actions for …". */
export async function chooseAction(page: TestPage, thing: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${thing}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Presses Enter on an entry of the menu that is open or opening. */
export async function pressInMenu(page: Page, entry: string): Promise<void> {
  const item = page.getByRole("menuitem", { name: entry, exact: true });
  // A frame after a menu has appeared, its first entry takes the focus from any other.
  await page.locator("[role=menu]:focus-within").filter({ has: item }).waitFor();
  await item.press("Enter");
}
