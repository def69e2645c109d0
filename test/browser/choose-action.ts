import type { TestPage } from "./test-page.ts";

/** Chooses an entry of the menu "Actions for …". */
export async function chooseAction(page: TestPage, thing: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${thing}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
