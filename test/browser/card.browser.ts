import assert from "node:assert/strict";
import { test } from "node:test";
import { card, created, createBoard } from "./board-page.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("a narrow card shows its number of comments completely and hides numbers that do not fit", async () => {
  const board = await createBoard(site);
  const issue = await board.make("Full", {
    description: "- [x] One\n- [ ] Two\n- [ ] Three",
    estimated_minutes: 90,
    due_on: "2026-03-14",
    lane_id: board.lanes.backlog,
  });
  await created(site, `${board.url}/issues/${issue.id}/comments`, { content: "Why?" });
  const page = await site.open(`/projects/${board.key}/board`, { width: 1024 });
  await card(page, "Full").waitFor();
  await loadFonts(page);
  const numbers = page.locator("[data-card-numbers]");
  const shown = await numbers.evaluate((box) => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    return [...box.children].map((child) => {
      const at = child.getBoundingClientRect();
      const isInside = at.left >= left && at.right <= right && at.top >= top && at.bottom <= bottom;
      return isInside ? child.textContent : at.top >= bottom ? "hidden" : `cut: ${child.textContent}`;
    });
  });
  assert.equal(shown[1], "1comment");
  assert.equal(shown.at(-1), "hidden");
  assert.deepEqual(
    shown.filter((text) => text.startsWith("cut")),
    [],
  );
  await page.leave();
});

test("a long class name in a card's title breaks after a namespace", async () => {
  const board = await createBoard(site);
  const title = "App\\Exceptions\\OutOfStockException: none left";
  await board.make(title, { lane_id: board.lanes.backlog });
  const page = await site.open(`/projects/${board.key}/board`, { width: 1024 });
  await card(page, title).waitFor();
  await loadFonts(page);
  const lines = await card(page, title).evaluate((link) => {
    const lines: { bottom: number; text: string }[] = [];
    const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < (node as Text).length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { bottom } = range.getBoundingClientRect();
        const last = lines.at(-1);
        if (last?.bottom === bottom) last.text += range.toString();
        else lines.push({ bottom, text: range.toString() });
      }
    return lines.map(({ text }) => text.trim());
  });
  assert.equal(lines[0], "App\\Exceptions\\");
  assert.match(lines[1] ?? "", /^OutOfStockException:/);
  await page.leave();
});

/** Text has its final size once the fonts are there. */
const loadFonts = (page: TestPage) => page.evaluate(async () => void (await document.fonts.ready));
