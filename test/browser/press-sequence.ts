import type { Page } from "playwright-core";

/**
 * Presses two keys that mean something together, such as G and H. The second does not wait for an answer to the first, which on a
 * busy machine can take longer than the app waits for the second.
 */
export async function pressSequence(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}
