import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { createBoard as createBoardOn, inLane, titlesIn } from "./board-page.ts";
import { addToIssue } from "./issue-page.ts";

const site = await useTestSite();
const createBoard = () => createBoardOn(site);

test("entering a title adds a card at the end of a lane and keeps the field open", async () => {
  const board = await createBoard();
  const page = await site.open(`/projects/${board.key}/board?priority=0`);
  await board.make("There", { priority: 0, lane_id: board.lanes.todo });
  await page.getByRole("button", { name: "Add issue to To do" }).click();
  const title = page.getByRole("textbox", { name: "Title of the new issue in To do" });
  for (const text of ["First", "Second"]) {
    await title.fill(text);
    await page.keyboard.press("Enter");
    await inLane(page, "To do", text).waitFor();
  }
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "hidden" });
  await eventually(() => board.order(board.lanes.todo), ["There", "First", "Second"]);
  await page.leave();
});

test("titles entered in quick succession are added in order", async () => {
  const board = await createBoard();
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("button", { name: "Add issue to To do" }).click();
  const title = page.getByRole("textbox", { name: "Title of the new issue in To do" });
  await title.waitFor();
  for (const text of ["First", "Second", "Third"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.type("Being written");
  await inLane(page, "To do", "Third").waitFor();
  await eventually(() => titlesIn(page, "To do"), ["First", "Second", "Third"]);
  await eventually(() => title.inputValue(), "Being written");
  await eventually(() => board.order(board.lanes.todo), ["First", "Second", "Third"]);
  await page.leave();
});

test("a rejected title is put back before the text typed since", async () => {
  const board = await createBoard();
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("button", { name: "Add issue to To do" }).click();
  const title = page.getByRole("textbox", { name: "Title of the new issue in To do" });
  const { promise: typed, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/issues", async (route) => {
    await typed;
    await route.fulfill({ status: 422, json: { message: "Refused.", errors: { title: ["is not wanted"] } } });
  });
  await title.fill("Refused");
  await page.keyboard.press("Enter");
  await page.keyboard.type("next");
  answer();
  await page.getByRole("alert").getByText("Is not wanted.").waitFor();
  await eventually(() => title.inputValue(), "Refused next");
  await page.leave();
});

test("a click below an open, empty field for a new issue is not lost when the field closes", async () => {
  const board = await createBoard();
  const issue = await board.make("The whole");
  await board.make("A sibling");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`);
  await addToIssue(page, "Sub-issue");
  await page.getByRole("textbox", { name: /^Title of the new sub-issue/ }).waitFor();
  await page.getByRole("button", { name: `Add to ${issue.key}` }).click();
  await page.getByRole("menuitem", { name: "Related issue" }).click();
  await page.getByRole("option", { name: /A sibling/ }).waitFor();
  await page.getByRole("textbox", { name: /^Title of the new sub-issue/ }).waitFor({ state: "hidden" });
  await page.leave();
});

test("the field for the next card of a long lane stays in view", async () => {
  const board = await createBoard();
  for (let count = 0; count < 14; count++) await board.make(`Card ${count}`, { lane_id: board.lanes.todo });
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("button", { name: "Add issue to To do" }).click();
  const field = page.getByRole("textbox", { name: "Title of the new issue in To do" });
  for (const title of ["One more", "And another"]) {
    await field.fill(title);
    await page.keyboard.press("Enter");
    await inLane(page, "To do", title).waitFor();
    await eventually(
      () => field.evaluate((element) => element.getBoundingClientRect().bottom <= window.innerHeight),
      true,
    );
  }
  await page.leave();
});
