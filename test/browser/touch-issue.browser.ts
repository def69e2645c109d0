import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { png } from "../support/images.ts";
import { eventually } from "../support/eventually.ts";
import { createBoard, created } from "./board-page.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key but Enter of the screen keyboard. */

const site = await useTestSite();

const field = (page: TestPage, name: string) => page.getByRole("textbox", { name, exact: true });

test("an issue is created with an assignee, and opened from the message", async () => {
  const board = await createBoard(site);
  const page = await site.open(`/projects/${board.key}/issues`, PHONE);
  await page.getByRole("button", { name: "New issue" }).first().tap();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByRole("textbox", { name: "Title" }).tap();
  await page.keyboard.insertText("Gift cards");
  await dialog.getByRole("textbox", { name: "Description" }).tap();
  await page.keyboard.insertText("Sold by mail");
  await dialog.getByRole("button", { name: /^Assignee/ }).tap();
  await page.getByRole("option", { name: /Ada Moss/ }).tap();
  await dialog.getByRole("button", { name: /^Create issue/ }).tap();
  await page.getByRole("button", { name: `Open ${board.key}-1` }).tap();
  await page.waitForURL(`**/issues/${board.key}-1`);
  const read = async () => (await site.api.get(`${board.url}/issues/${board.key}-1`)).body as Issue;
  await eventually(async () => {
    const { title, description, assignee_id } = await read();
    return [title, description, assignee_id];
  }, ["Gift cards", "Sold by mail", site.owner.id]);
  await page.leave();
});

test("title and description are edited in place, and properties are changed", async () => {
  const board = await createBoard(site);
  const issue = await board.make("Tytle", { description: "Setps" });
  const label = (await created(site, `${board.url}/labels`, { name: "ui", color: "#336699" })) as Issue;
  const sprint = (await created(site, `${board.url}/sprints`, { name: "Week 12" })) as Issue;
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  await page.getByRole("button", { name: "Edit title" }).tap();
  await field(page, "Title").fill("Title");
  await page.getByRole("button", { name: "Edit description" }).tap();
  await field(page, "Description").fill("Steps");
  await page.getByRole("textbox", { name: "Write a comment" }).tap();
  const pick = async (property: string, option: string | RegExp) => {
    await page.getByRole("button", { name: new RegExp(`^${property}:`) }).tap();
    await page.getByRole("option", { name: option }).tap();
  };
  await pick("Lane", "In progress");
  await pick("Assignee", /Ada Moss/);
  await page.getByRole("button", { name: "All properties" }).tap();
  await pick("Sprint", /Week 12/);
  await pick("Labels", "ui");
  // Labels are saved when their picker closes.
  await page.touchscreen.tap(200, 20);
  await eventually(async () => {
    const one = (await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue;
    return [one.title, one.description, one.lane_id, one.assignee_id, one.sprint_id, one.label_ids];
  }, ["Title", "Steps", board.lanes.doing, site.owner.id, sprint.id, [label.id]]);
  await page.leave();
});

test("an edit of the title or the description is discarded", async () => {
  const board = await createBoard(site);
  const issue = await board.make("Kept title", { description: "Kept words" });
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  for (const name of ["Title", "Description"]) {
    await page.getByRole("button", { name: `Edit ${name.toLowerCase()}` }).tap();
    await field(page, name).fill("Changed");
    await page.getByRole("button", { name: "Discard" }).tap();
    await field(page, name).waitFor({ state: "hidden" });
  }
  await page.getByText("Kept words").waitFor();
  const { body } = await site.api.get(`${board.url}/issues/${issue.key}`);
  assert.deepEqual([body.title, body.description], ["Kept title", "Kept words"]);
  await page.leave();
});

test("an issue gets a sub-issue and a related issue", async () => {
  const board = await createBoard(site);
  const issue = await board.make("The whole");
  const other = await board.make("A sibling");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  const add = async (entry: string) => {
    await page.getByRole("button", { name: `Add to ${issue.key}` }).tap();
    await page.getByRole("menuitem", { name: entry }).tap();
  };
  await add("Sub-issue");
  const part = page.getByRole("textbox", { name: `Title of the new sub-issue in ${issue.key}` });
  await part.tap();
  await page.keyboard.insertText("A part");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Sub-issues" })
    .getByRole("link", { name: /A part/ })
    .waitFor();
  await add("Related issue");
  await page.getByRole("option", { name: /A sibling/ }).tap();
  await eventually(
    async () => ((await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue).relates_to_ids,
    [other.id],
  );
  await page.leave();
});

test("a comment gets a mention and a chosen picture", async () => {
  const board = await createBoard(site);
  const issue = await board.make("Discussed");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  await field(page, "Write a comment").tap();
  await page.keyboard.type("Ask @ad");
  await page.getByRole("option", { name: /@ada/ }).tap();
  const chooser = page.waitForEvent("filechooser");
  await page
    .getByRole("form", { name: "Write a comment" })
    .getByRole("button", { name: "Attach files" })
    .tap();
  await (await chooser).setFiles({ name: "cart.png", mimeType: "image/png", buffer: await png(60, 40) });
  await eventually(
    async () => (await field(page, "Write a comment").inputValue()).startsWith("Ask @ada ![cart"),
    true,
  );
  await page
    .getByRole("form", { name: "Write a comment" })
    .getByRole("button", { name: /^Comment/ })
    .tap();
  const comment = page.getByRole("article").filter({ hasText: "Ask @ada" });
  await comment.getByRole("img", { name: /^cart/ }).first().waitFor();
  await comment.getByRole("button", { name: "Like", exact: true }).tap();
  await comment.getByRole("button", { name: /^Like, 1/ }).waitFor();
  await page.leave();
});
