import type { Locator, Page } from "playwright-core";

/** Chooses an option of a picker in a page or dialog. Its name may continue with a hint. */
export async function pickOption(within: Page | Locator, label: string, option: string): Promise<void> {
  await within.getByRole("button", { name: new RegExp(`^${label}`) }).click();
  const page = "page" in within ? within.page() : within;
  await page.getByRole("option", { name: new RegExp(`^${option}(\\s|$)`) }).click();
}
