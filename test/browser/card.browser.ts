import assert from "node:assert/strict";
import { test } from "node:test";
import { card, created, createBoard } from "./board-page.ts";
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
