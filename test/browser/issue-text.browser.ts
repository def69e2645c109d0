import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createIssue, pageOf, readIssue } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const makeIssue = (title: string, fields?: Record<string, unknown>) => createIssue(site, title, fields);
const read = (issue: { id: number }) => readIssue(site, issue);

test("title and description are edited in place: Enter or leaving the field saves, Esc reverts", async () => {
  const issue = await makeIssue("Tytle");
  const page = await site.open(pageOf(issue));
  await page.getByText("Tytle", { exact: true }).first().click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("Never mind");
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Edit title" }).press("Enter");
  await title.fill("x".repeat(256));
  await page.keyboard.press("Enter");
  await page.getByText("Must be at most 255 characters.").waitFor();
  await title.fill("Title");
  await page.keyboard.press("Enter");
  await title.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 1, name: `${issue.key} Title` }).waitFor();

  await page.getByText("Add a description").click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Description");
  await page.keyboard.type("Steps: **none**");
  await page.getByRole("textbox", { name: "Write a comment" }).focus();
  await page.getByText("Steps: none").waitFor();
  await eventually(async () => {
    const { title, description } = await read(issue);
    return [title, description];
  }, ["Title", "Steps: **none**"]);
  await page.leave();
});

test("an empty title is rejected with a message, and the previous one is kept", async () => {
  const issue = await makeIssue("Never empty");
  const page = await site.open(pageOf(issue));
  await page.getByRole("button", { name: "Edit title" }).press("Enter");
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill(" ");
  await title.press("Enter");
  await page.getByText("A title is required. The previous one was kept.").waitFor();
  await title.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 1, name: `${issue.key} Never empty` }).waitFor();
  assert.equal((await read(issue)).title, "Never empty");
  await page.leave();
});

test("a click on the description edits where it was clicked; links are followed, and selecting does not edit", async () => {
  const other = await makeIssue("Linked");
  const issue = await makeIssue("With a link", {
    description: `Some **bold** words, and ${other.key} too.\n\nThe second paragraph.`,
  });
  const page = await site.open(pageOf(issue));
  const field = page.getByRole("textbox", { name: "Description" });
  await page.getByText("bold", { exact: true }).waitFor();
  await page.getByText("The second paragraph.").selectText();
  await page.getByText("The second paragraph.").dispatchEvent("click", { detail: 1 });
  await eventually(() => field.count(), 0);
  await page.getByText("bold", { exact: true }).click();
  await eventually(
    () => field.evaluate((element) => (element as HTMLTextAreaElement).selectionStart >= 7),
    true,
  );
  await eventually(
    () => field.evaluate((element) => (element as HTMLTextAreaElement).selectionStart <= 11),
    true,
  );
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  await page.getByRole("region", { name: "Description" }).getByRole("link", { name: other.key }).click();
  await page.getByRole("heading", { level: 1, name: `${other.key} Linked` }).waitFor();
  await page.leave();
});

test("a concurrent change of the description is not overwritten; the user chooses a version", async () => {
  const issue = await makeIssue("Conflict", { description: "The beginning" });
  const page = await site.open(pageOf(issue));
  const begin = async (text: string) => {
    await page.getByRole("button", { name: "Edit description" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill(text);
  };
  const field = page.getByRole("textbox", { name: "Description" });
  const save = () => field.press("Control+Enter");
  const notice = page.getByRole("alert").filter({ hasText: "Someone else changed the description" });
  const theirs = (description: string) => site.api.patch(`${base}/issues/${issue.id}`, { description });

  await begin("Mine");
  await theirs("Theirs");
  await save();
  await notice.getByText("Theirs", { exact: true }).last().waitFor();
  await save();
  await eventually(async () => (await read(issue)).description, "Theirs");
  await page.checkAccessibility();
  await notice.getByRole("button", { name: "Add theirs below mine" }).click();
  await save();
  await field.waitFor({ state: "hidden" });
  await eventually(async () => (await read(issue)).description, "Mine\n\nTheirs");

  // The notice also appears before saving.
  await begin("Mine again");
  await theirs("Theirs again");
  await notice.getByText("Theirs again").waitFor();
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await save();
  await field.waitFor({ state: "hidden" });
  await eventually(async () => (await read(issue)).description, "Mine again");

  await begin("A third");
  await theirs("Final");
  await notice.getByRole("button", { name: "Use theirs" }).click();
  await page.getByText("Final", { exact: true }).waitFor();
  await eventually(async () => (await read(issue)).description, "Final");
  await page.leave();
});

test("a concurrent change of another field is not a conflict", async () => {
  const issue = await makeIssue("No conflict");
  const page = await site.open(pageOf(issue));
  await page.getByRole("button", { name: "Edit title" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Mine");
  await site.api.patch(`${base}/issues/${issue.id}`, { priority: 0 });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: `${issue.key} Mine` }).waitFor();
  await page.leave();
});
