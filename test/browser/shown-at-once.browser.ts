import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eventually } from "../support/eventually.ts";
import { card, createBoard as createBoardOn, lane, type TestBoard } from "./board-page.ts";
import { row } from "./issue-list.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** A project with `count` issues in its first lane, the first of which has the lowest rank and is the oldest. */
async function boardWith(count: number): Promise<TestBoard> {
  const board = await createBoardOn(site);
  const { project_id, lane_id } = await board.make("Issue 1");
  await sql`insert into issues (project_id, number, title, type, priority, lane_id, rank, created_at)
    select ${project_id}, 1000 + n, 'Issue ' || n, 0, 2, ${lane_id}, 'z' || lpad(n::text, 5, '0') || 'z', now() + n * interval '1 second'
    from generate_series(2, ${count}) n`.execute(site.t.db);
  return board;
}

test("an issue opened from a list is shown before the server has answered, and then as the server has it", async () => {
  const board = await createBoardOn(site);
  const { id } = await board.make("Gift cards", { description: "The text of the list" });
  const page = await site.open(`/projects/${board.key}/issues`);
  await row(page, "Gift cards").waitFor();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/issues/${board.key}-1`, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await row(page, "Gift cards").click();
  await page.getByRole("heading", { level: 1, name: "Gift cards" }).waitFor();
  await page.getByText("The text of the list").waitFor();
  await site.t.db
    .updateTable("issues")
    .set({ description: "The text of the server" })
    .where("id", "=", id)
    .execute();
  answer();
  await page.getByText("The text of the server").waitFor();
  await page.leave();
});

test("a long list shows its newest issues while the older ones are being read, without wrong numbers", async () => {
  const board = await boardWith(250);
  const page = await site.open("/");
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/issues\?.*cursor=/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`/projects/${board.key}/issues`);
  await row(page, "Issue 250").waitFor();
  await page.getByText("Loading older issues…").waitFor();
  const open = page.getByRole("navigation", { name: "State" }).getByRole("link", { name: /^Open/ });
  await eventually(() => open.textContent(), "Open");
  answer();
  await eventually(() => open.textContent(), "Open250");
  await page.getByText("Loading older issues…").waitFor({ state: "hidden" });
  await page.leave();
});

test("a lane renders more cards when it is scrolled, and keys reach the cards that are not rendered", async () => {
  const board = await boardWith(120);
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "Issue 1").waitFor();
  const backlog = lane(page, "Backlog");
  assert.ok((await backlog.getByRole("listitem").count()) < 60);
  await backlog.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await card(page, "Issue 120").waitFor();

  await board.make("The next lane", { lane_id: board.lanes.todo });
  await page.reload();
  await card(page, "The next lane").focus();
  await page.keyboard.press("k");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Issue 120");
  await page.leave();
});
