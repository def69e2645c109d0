import type { Locator, Page } from "playwright-core";

/** Chooses an option of a picker in a page or dialog. Its name may continue with a hint. */
export async function pickOption(within: Page | Locator, label: string, option: string): Promise<void> {
  await within.getByRole("button", { name: new RegExp(`^${label}`) }).click();
  const page = "page" in within ? within.page() : within;
  await page.getByRole("option", { name: new RegExp(`^${option}(\\s|$)`) }).click();
}

/** Takes an option of the open picker with Enter, once it is highlighted. */
export async function takeOption(page: Page, option: string | RegExp): Promise<void> {
  await page.getByRole("option", { name: option }).and(page.locator("[data-highlighted]")).waitFor();
  await page.keyboard.press("Enter");
}
