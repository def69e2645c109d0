import assert from "node:assert/strict";
import { test } from "node:test";
import type { Epic } from "../../src/shared/epics.ts";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { focusOn } from "./focus.ts";
import { openReportQueue } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

async function create<T>(path: string, body: object): Promise<T> {
  const answer = await site.api.post(`${base}${path}`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}
const storedDrafts = (page: TestPage) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft:")));
const signOut = async (page: TestPage) => {
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
};

test("unsaved edits of an issue survive a reload; Esc discards them, and Undo brings them back", async () => {
  const issue = await create<Issue>("/issues", { title: "Cart empties", description: "The beginning" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  const title = page.getByRole("textbox", { name: "Title" });
  const description = page.getByRole("textbox", { name: "Description" });
  await page.getByRole("button", { name: "Edit title" }).click();
  await title.fill("Cart empties itself");
  await page.reload();
  await eventually(() => title.inputValue(), "Cart empties itself");
  await page.getByRole("button", { name: "Edit description" }).click();
  await description.fill("A long and careful text");
  await page.reload();
  await eventually(() => title.inputValue(), "Cart empties itself");
  await eventually(() => description.inputValue(), "A long and careful text");
  await page.getByText("Your unsaved changes were restored.").first().waitFor();
  const editing = page.getByRole("group", { name: "Edit description" });
  await editing.getByRole("button", { name: "Save", exact: true }).waitFor();
  await editing.getByRole("button", { name: "Discard", exact: true }).click();
  await description.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => description.inputValue(), "A long and careful text");

  await description.press("Escape");
  await description.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => description.inputValue(), "A long and careful text");
  await description.press("Control+Enter");
  await title.press("Control+Enter");
  await title.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 1, name: `${issue.key} Cart empties itself` }).waitFor();
  await description.waitFor({ state: "hidden" });
  await eventually(async () => {
    const { body } = await site.api.get(`${base}/issues/${issue.id}`);
    return [body.title, body.description];
  }, ["Cart empties itself", "A long and careful text"]);
  await eventually(() => storedDrafts(page), []);
  await page.leave();
});

test("text typed while the description is being saved stays in the field", async () => {
  const issue = await create<Issue>("/issues", { title: "Slow", description: "One" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  const { promise: typed, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(`**/issues/${issue.id}`, async (route) => {
    if (route.request().method() === "PATCH") await typed;
    await route.continue();
  });
  await page.getByRole("button", { name: "Edit description" }).click();
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("One two");
  const saving = page.waitForRequest((request) => request.method() === "PATCH");
  await description.press("Control+Enter");
  await saving;
  await description.fill("One two three");
  goOn();
  await eventually(
    async () => (await site.api.get(`${base}/issues/${issue.id}`)).body.description,
    "One two",
  );
  await page.locator('[aria-label="Edit description"][aria-busy]').waitFor({ state: "detached" });
  await eventually(() => description.inputValue(), "One two three");
  await page.leave();
});

test("an unsaved comment edit is open again after a reload, and Esc and Undo work there, too", async () => {
  const issue = await create<Issue>("/issues", { title: "Discussed" });
  await create(`/issues/${issue.id}/comments`, { content: "First version" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  await page
    .getByRole("article", { name: /Comment by/ })
    .getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const edit = page.getByRole("form", { name: "Edit comment" }).getByRole("textbox");
  await edit.fill("Second version");
  await page.reload();
  await eventually(() => edit.inputValue(), "Second version");
  await edit.press("Escape");
  await edit.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => edit.inputValue(), "Second version");
  await edit.press("Control+Enter");
  await page.getByText("Second version").and(page.locator("p")).waitFor();
  await page.leave();
});

test("an epic that is being edited survives a reload and says if someone else has changed it", async () => {
  const epic = await create<Epic>("/epics", { title: "Checkout", description: "Old" });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  const open = async () => {
    await page.getByRole("button", { name: "Actions for Checkout" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Edit epic" });
  await open();
  await dialog.getByLabel("Description").fill("Two pages of text");
  await dialog.getByLabel("Ends on").fill("2026-12-24");
  await site.api.patch(`${base}/epics/${epic.id}`, { starts_on: "2026-12-01" });
  await page.reload();
  await open();
  await dialog.getByText("Your unsaved changes were restored. Someone else has changed it since.").waitFor();
  await eventually(() => dialog.getByLabel("Description").inputValue(), "Two pages of text");
  await dialog.getByLabel("Title").press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  const { body } = await site.api.get(`${base}/epics/${epic.id}`);
  assert.deepEqual(
    [body.description, body.starts_on, body.ends_on],
    ["Two pages of text", "2026-12-01", "2026-12-24"],
  );
  await eventually(() => storedDrafts(page), []);
  await page.leave();
});

test("a promotion in progress survives a reload, and signing out deletes the person's drafts", async () => {
  const queue = await openReportQueue(site, "Cart empties");
  const page = await queue.open();
  const dialog = page.getByRole("dialog", { name: "Promote to issue" });
  await page.getByRole("button", { name: "All fields" }).click();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Seen by three customers");
  await page.reload();
  await page.getByRole("button", { name: "All fields" }).click();
  await eventually(
    () => dialog.getByRole("textbox", { name: "Description" }).inputValue(),
    "Seen by three customers",
  );
  await page.keyboard.press("Escape");
  await dialog.getByText("Discard your changes?").waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Create issue" }).waitFor();
  assert.equal((await storedDrafts(page)).length, 1);
  await page.reload();
  await page.evaluate(() => localStorage.setItem("draft:987654:issue:1", '"Another person"'));
  await signOut(page);
  await eventually(() => storedDrafts(page), ["draft:987654:issue:1"]);
  await page.leave();
});

test("leaving a settings form with changes asks first, also in a dialog and when the tab is closed", async () => {
  const page = await site.open("/projects/WEB/settings?section=general");
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("Sells shoes.");
  const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
  await page.getByRole("link", { name: "Lanes" }).click();
  await question.waitFor();
  await focusOn(page, "button", "Keep editing");
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "hidden" });
  await eventually(() => description.inputValue(), "Sells shoes.");

  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await eventually(() => Promise.resolve(asked), ["beforeunload"]);
  page.removeAllListeners("dialog");

  await page.getByRole("link", { name: "Lanes" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Add lane" }).click();
  const dialog = page.getByRole("dialog", { name: "Add lane" });
  await dialog.getByLabel("Name").fill("Review");
  await page.goBack();
  await question.waitFor();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByLabel("Name").press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.goBack();
  await eventually(() => description.inputValue(), "");
  await description.fill("Sells boots.");
  await description.press("Control+Enter");
  await page.getByText("Saved").waitFor();
  await page.getByRole("link", { name: "Lanes" }).click();
  await page.getByRole("button", { name: "Add lane" }).waitFor();
  await page.leave();
});
