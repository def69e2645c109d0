import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { pressInMenu } from "./choose-action.ts";
import { createIssue, makeChoices, pageOf, pick, rail } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;
const ids = await makeChoices(site);

const makeIssue = (title: string, fields?: Record<string, unknown>) => createIssue(site, title, fields);

test("the history describes changes in sentences, and its tab has a URL", async () => {
  const issue = await makeIssue("With a history");
  const page = await site.open(pageOf(issue));
  await pick(page, "Lane", "Done");
  await pick(page, "Priority", "Highest");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Ada Moss moved it from Backlog to Done").waitFor();
  await page.getByText("Ada Moss changed the priority from Medium to Highest").waitFor();
  await page.reload();
  await page.getByText("Ada Moss created it").waitFor();
  await page.leave();
});

test("deleting asks for confirmation, says what is deleted, and returns to the list", async () => {
  const issue = await makeIssue("To be deleted");
  await site.api.post(`${base}/issues/${issue.id}/comments`, { content: "Goes too" });
  const page = await site.open(pageOf(issue));
  await page.locator("#main").getByRole("button", { name: "More" }).first().press("Enter");
  await pressInMenu(page, "Delete");
  const dialog = page.getByRole("alertdialog", { name: `Delete ${issue.key}?` });
  await dialog.getByText("Its history and its comment will also be deleted.").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Delete issue" }).press("Enter");
  await page.waitForURL("**/projects/WEB/issues");
  await eventually(async () => (await site.api.get(`${base}/issues/${issue.id}`)).status, 404);
  await page.leave();
});

test("an unknown issue and one deleted by another user show a message", async () => {
  const page = await site.open("/projects/WEB/issues/WEB-99999");
  await page.getByText("Page not found").waitFor();
  await page.leave();
  const issue = await makeIssue("Soon gone");
  const second = await site.open(pageOf(issue));
  await second.getByRole("heading", { level: 1 }).waitFor();
  await site.api.delete(`${base}/issues/${issue.id}`);
  await second.getByText("Page not found").waitFor();
  await second.leave();
});

test("users with read access see no controls to change the issue", async () => {
  const viewer = await site.member("Viewer");
  const issue = await makeIssue("Read only", { label_ids: [ids.label], estimated_minutes: 0 });
  const page = await site.open(pageOf(issue), { as: viewer });
  await rail(page).getByText("0m", { exact: true }).waitFor();
  await eventually(() => rail(page).getByRole("button").count(), 0);
  await eventually(() => page.getByRole("button", { name: /^(Edit|Add)/ }).count(), 0);
  await page.keyboard.press("s");
  await page.locator("#main").getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Copy key" }).waitFor();
  await eventually(() => page.getByRole("menuitem").allInnerTexts(), ["Copy key", "Copy link"]);
  await page.leave();
});

test("the page, an open picker, the editor and the history are accessible in both themes", async () => {
  const other = await makeIssue("The other one");
  const issue = await makeIssue("Accessible", {
    description: "# Steps\n\n1. one\n2. two",
    label_ids: [ids.label],
    blocked_by_ids: [other.id],
    epic_id: ids.epic,
    assignee_id: site.owner.id,
  });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open(pageOf(issue), { theme });
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await page.getByRole("link", { name: other.key }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("s");
    await page.getByRole("option", { name: "Done" }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit description" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("Changed");
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit title" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await page.checkAccessibility();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("created it").waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});
