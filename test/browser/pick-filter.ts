import type { Page } from "playwright-core";

/** Chooses a value of a filter or an order in the header of the page. */
export async function pickFilter(page: Page, filter: string, value: string): Promise<void> {
  const trigger = page.getByRole("main").getByRole("button", { name: new RegExp(`^${filter}`) });
  await trigger.click();
  await page.getByRole("option", { name: value, exact: true }).click();
}
