import assert from "node:assert/strict";
import type { Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];

/** A button ignores keys while its request is in flight. */
const READY = ":focus:not([aria-busy='true'])";

/** Resolves once the element with this role and name has the focus and takes keys. */
export async function focusOn(page: Page, role: Role, name: string | RegExp): Promise<void> {
  await named(page, role, name).and(page.locator(READY)).waitFor();
}

/** Presses a key until the element with this role and name has the focus: at most 120 times. */
export async function pressUntil(page: Page, key: string, role: Role, name: string | RegExp): Promise<void> {
  const wanted = named(page, role, name);
  await wanted.first().waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return focusOn(page, role, name);
    await page.keyboard.press(key);
  }
  const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  assert.fail(`${key} does not lead to the ${role} ${String(name)}; the focus is on ${focused}`);
}

/** Presses Tab until the element with this role and name has the focus. */
export const tabTo = (page: Page, role: Role, name: string | RegExp) => pressUntil(page, "Tab", role, name);

/** Chooses an entry of the menu of the focused button, or of the open menu. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  if ((await page.getByRole("menu").count()) === 0) await page.keyboard.press("Enter");
  await pressUntil(page, "ArrowDown", "menuitem", name);
  await page.keyboard.press("Enter");
}

const named = (page: Page, role: Role, name: string | RegExp) =>
  page.getByRole(role, { name, exact: typeof name === "string" });
