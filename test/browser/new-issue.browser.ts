import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, waitUntil } from "../support/eventually.ts";
import { issueLists, row, titles } from "./issue-list.ts";
import { pastePicture } from "./paste-picture.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

/** Opens the dialog for a new issue on the empty list of a new project. */
async function startIssue() {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New issue" });
  const field = (name: string) => dialog.getByRole("textbox", { name });
  return {
    project,
    page,
    dialog,
    field,
    /** Pastes a picture, and returns once its upload is in the description "Sold by *mail*". */
    pasteCard: async () => {
      await field("Description").fill("Sold by *mail* ");
      await dialog.getByRole("button", { name: "Attach files" }).waitFor();
      await pastePicture(field("Description"), "card.png");
      await eventually(async () => WITH_CARD.test(await field("Description").inputValue()), true);
    },
  };
}

const WITH_CARD = /^Sold by \*mail\* !\[card\.webp\]\(\/api\/projects\/\d+\/attachments\/\d+\/download\)$/;

test("the draft of a new issue and its picture survive a reload", async () => {
  const { page, field, pasteCard } = await startIssue();
  await field("Title").fill("Gift cards");
  await pasteCard();
  await page.reload();
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  await eventually(() => field("Title").inputValue(), "Gift cards");
  assert.match(await field("Description").inputValue(), WITH_CARD);
  await page.leave();
});

test("Ctrl Enter creates an issue with its picture, and the toast leads to it", async () => {
  const { project, page, dialog, field, pasteCard } = await startIssue();
  await field("Title").fill("Gift cards");
  await pasteCard();
  await field("Estimate").fill("1h 30m");
  await dialog.getByRole("button", { name: /Priority/ }).click();
  await page.getByRole("option", { name: "Highest" }).click();
  await field("Description").press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: `Open ${project.key}-1` }).click();
  await page.waitForURL(`**/issues/${project.key}-1`);
  const { body } = await site.api.get(`${project.url}/issues/${project.key}-1`);
  const [picture] = body.attachments;
  const address = `/api/projects/${body.project_id}/issues/${body.id}/attachments/${picture.id}/download`;
  assert.deepEqual(
    [body.title, body.description, body.priority, body.estimated_minutes, body.type],
    ["Gift cards", `Sold by *mail* ![card.webp](${address})`, 0, 90, 0],
  );
  await page.leave();
});

test("a new issue gets the due date and the parent that were chosen", async () => {
  const { project, page, dialog, field } = await startIssue();
  const parent = await project.make("Gift cards");
  await field("Title").fill("Print them");
  await dialog.getByLabel("Due").fill("2026-12-24");
  await dialog.getByRole("button", { name: /Parent/ }).click();
  await page.getByRole("option", { name: "Gift cards" }).click();
  await field("Title").press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  const { body } = await site.api.get(`${project.url}/issues/${project.key}-2`);
  assert.deepEqual([body.due_on, body.parent_id], ["2026-12-24", parent.id]);
  await page.leave();
});

test("a filter shows the sub-issues of a parent", async () => {
  const project = await ownProject();
  const parent = await project.make("Gift cards");
  await project.make("Print them", { parent_id: parent.id });
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Gift cards").waitFor();
  await page.getByRole("button", { name: /^More filters/ }).click();
  await page.getByRole("menuitem", { name: "Parent" }).click();
  await page.getByRole("option", { name: "Gift cards" }).click();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  await eventually(() => titles(page), ["Print them"]);
  assert.match(page.url(), /[?&]parent=\d+/);
  await page.leave();
});

test("an empty title and an estimate that is not a time are rejected under their fields", async () => {
  const { page, dialog, field } = await startIssue();
  await dialog.getByRole("button", { name: /Create issue/ }).click();
  await dialog.getByText("Enter a title.").waitFor();
  await field("Title").fill("Gift cards");
  await field("Estimate").fill("soon");
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("Enter a time such as").waitFor();
  await page.leave();
});

test("closing the dialog before the response still shows the created issue and clears the draft", async () => {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  const { promise: closed, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/issues", async (route) => {
    await closed;
    await route.continue();
  });
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Gift cards");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  answer();
  await page.getByRole("button", { name: `Open ${project.key}-1` }).waitFor();
  await row(page, "Gift cards").waitFor();
  await page.keyboard.press("c");
  await eventually(() => dialog.getByRole("textbox", { name: "Title" }).inputValue(), "");
  await page.leave();
});

test("several issues are created in a row", async () => {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`);
  await page
    .getByRole("button", { name: /New issue/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByRole("checkbox", { name: "Create another" }).check();
  for (const title of ["One", "Two"]) {
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await page.keyboard.press("Enter");
    await eventually(() => dialog.getByRole("textbox", { name: "Title" }).inputValue(), "");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await eventually(() => titles(page), ["Two", "One"]);
  await page.leave();
});

test("a template fills a new issue, and replaces what was written only after a confirmation", async () => {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/settings?section=templates`);
  await page.getByRole("button", { name: "Add template" }).first().click();
  const editor = page.getByRole("dialog", { name: "Add template" });
  await editor.getByRole("textbox", { name: "Name" }).fill("Bug report");
  await editor.getByRole("textbox", { name: "Title of the issue" }).fill("Bug: ");
  await editor.getByRole("textbox", { name: "Description of the issue" }).fill("## Steps");
  await editor.getByRole("button", { name: /Type/ }).click();
  await page.getByRole("option", { name: "Bug" }).click();
  await editor.getByRole("checkbox", { name: /Use by default/ }).check();
  await page.checkAccessibility();
  await editor.getByRole("textbox", { name: "Name" }).press("Control+Enter");
  await editor.waitFor({ state: "hidden" });
  const list = page.getByRole("list", { name: "Issue templates" });
  await list.getByText("Default", { exact: true }).waitFor();
  await created(`${project.url}/issue-templates`, { name: "Idea", title: "Idea: ", description: "## Why" });
  await list.getByText("Idea", { exact: true }).waitFor();
  await page.checkAccessibility();

  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New issue" });
  const title = dialog.getByRole("textbox", { name: "Title" });
  const description = dialog.getByRole("textbox", { name: "Description" });
  await eventually(() => title.inputValue(), "Bug: ");
  await eventually(() => description.inputValue(), "## Steps");
  await title.fill("Bug: no postage");
  const choose = async (name: string) => {
    await dialog.getByRole("button", { name: /Template/ }).click();
    await page.getByRole("option", { name }).click();
  };
  const confirm = page.getByRole("alertdialog", { name: "Replace what you wrote?" });
  await choose("Idea");
  await page.checkAccessibility();
  await confirm.getByRole("button", { name: "Keep my text" }).click();
  await confirm.waitFor({ state: "hidden" });
  assert.deepEqual([await title.inputValue(), await description.inputValue()], ["Bug: no postage", "## Why"]);
  await choose("Bug report");
  await confirm.getByRole("button", { name: "Replace" }).click();
  await confirm.waitFor({ state: "hidden" });
  await eventually(() => title.inputValue(), "Bug: ");
  await title.fill("Bug: stamps");
  await title.press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: `Open ${project.key}-1` }).waitFor();
  const { body } = await site.api.get(`${project.url}/issues/${project.key}-1`);
  assert.deepEqual([body.title, body.description, body.type], ["Bug: stamps", "## Steps", 1]);
  await page.leave();
});

test("neither list nor dialog scrolls horizontally at 320 pixels", async () => {
  const page = await site.open("/projects/WEB/issues", { width: 320 });
  await page.getByRole("heading", { name: "Issues", exact: true }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "New issue" }).waitFor();
  await eventually(
    () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
    false,
  );
  await page.leave();
});

test("in a small window the dialog takes the available height; its fields scroll, its buttons stay in view", async () => {
  const project = await ownProject();
  for (const [width, height] of [
    [1024, 600],
    [390, 700],
  ] as const) {
    const page = await site.open(`/projects/${project.key}/issues`, { width, height });
    await page.getByRole("heading", { name: "No open issues" }).waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New issue" });
    const create = dialog.getByRole("button", { name: /Create issue/ });
    await create.waitFor();
    await waitUntil(async () => ((await dialog.boundingBox())?.height ?? 0) >= height * 0.9);
    const parent = dialog.getByLabel("Parent").last();
    // Fields that are still loading move the last one.
    await waitUntil(async () => {
      await parent.scrollIntoViewIfNeeded();
      const [field, button] = [await parent.boundingBox(), await create.boundingBox()];
      return field !== null && button !== null && field.y + field.height < button.y;
    }, "the last field is hidden");
    await waitUntil(async () => {
      const button = await create.boundingBox();
      return button !== null && button.y + button.height <= height;
    }, "the button is cut");
    await page.leave();
  }
});
