import type { Page } from "playwright-core";

const REPEATS = 5;

/** Presses a key, such as `e` or `Shift+p`, and lets it repeat, with a round trip to the page after each repeat. */
export async function hold(page: Page, stroke: string): Promise<void> {
  const [key = "", ...modifiers] = stroke.split("+").toReversed();
  for (const modifier of modifiers) await page.keyboard.down(modifier);
  for (let n = 0; n <= REPEATS; n++) {
    await page.keyboard.down(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.keyboard.up(key);
  for (const modifier of modifiers) await page.keyboard.up(modifier);
}
