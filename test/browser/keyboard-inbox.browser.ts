import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { card, createBoard, created } from "./board-page.ts";
import { chooseInMenu, focusOn, tabTo } from "./focus.ts";
import { openBox, preview, row } from "./inbox-page.ts";
import { pastePicture } from "./paste-picture.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

/* Journeys with the keyboard only: the tests do not click, fill or focus anything. */

const site = await useTestSite({ LIMIT_API: "100000" });

test("a notification is answered, marked as read and put back", async () => {
  const box = await openBox(site);
  const issues = `/api/projects/${site.project.id}/issues`;
  const { id } = (await created(site, issues, { title: "Checkout fails" })) as Issue;
  await created(site, `${issues}/${id}/comments`, { content: `@${box.user.username} can you look?` });
  const page = await box.open();
  await row(page, "can you look?").waitFor();
  await page.keyboard.press("j");
  await tabTo(page, "textbox", "Reply");
  await page.keyboard.type("I will.");
  await page.keyboard.press("Control+Enter");
  await preview(page).locator("p", { hasText: "I will." }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Inbox zero" }).waitFor();
  await page.keyboard.press("Control+z");
  await row(page, "can you look?").waitFor();
  await eventually(async () => (await box.entries()).map(([, isRead]) => isRead), [false]);
  await page.leave();
});

test("an issue gets a related issue, a comment with a pasted picture, and a star", async () => {
  const board = await createBoard(site);
  const issue = await board.make("In the middle");
  const other = await board.make("A sibling");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`);
  await tabTo(page, "button", `Add to ${issue.key}`);
  await chooseInMenu(page, "Related issue");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.type("sibling");
  await takeOption(page, /A sibling/);
  await eventually(
    async () => ((await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue).relates_to_ids,
    [other.id],
  );
  await tabTo(page, "textbox", "Write a comment");
  await page.getByRole("button", { name: "Attach files" }).first().waitFor();
  await pastePicture(page.locator(":focus"), "cart.png");
  await eventually(
    async () => (await page.locator(":focus").inputValue()).startsWith("![cart.webp](/"),
    true,
  );
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").getByRole("img", { name: /^cart/ }).first().waitFor();
  await tabTo(page, "button", "Favorite");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Favorites" })
    .getByRole("link", { name: "In the middle" })
    .waitFor();
  await focusOn(page, "button", "Favorite");
  await page.leave();
});

test("a lane is collapsed and expanded, and the focus stays at its button", async () => {
  const board = await createBoard(site);
  await board.make("One");
  const page = await site.open(`/projects/${board.key}/board`);
  await tabTo(page, "button", "Collapse Backlog");
  await page.keyboard.press("Enter");
  await card(page, "One").waitFor({ state: "hidden" });
  await focusOn(page, "button", "Expand Backlog");
  await page.keyboard.press("Enter");
  await card(page, "One").waitFor();
  await focusOn(page, "button", "Collapse Backlog");
  await page.leave();
});
