import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../support/images.ts";
import { upload } from "../support/multipart.ts";
import { eventually } from "../support/eventually.ts";
import { pastePicture } from "./paste-picture.ts";
import { useTestSite } from "./test-site.ts";
import { openReportQueue, preview, row, shownTitles } from "./report-queue.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);

test("two reports are ticked and promoted as one issue, by keyboard alone", async () => {
  const queue = await openQueue("Login loops", "Login hangs", "Other");
  const page = await queue.open();
  await row(page, "Other").waitFor();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("toolbar").getByText("2 reports selected").waitFor();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "Promote 2 reports to one issue" });
  await eventually(() => dialog.getByRole("textbox", { name: "Title" }).inputValue(), "Login loops");
  assert.match(
    await dialog.getByRole("textbox", { name: "Description" }).inputValue(),
    /^- \*\*Login loops\*\*[^]*- \*\*Login hangs\*\*/,
  );
  await page.checkAccessibility();
  await dialog.getByRole("textbox", { name: "Title" }).fill("Login does not end");
  const description = dialog.getByRole("textbox", { name: "Description" });
  await dialog.getByRole("button", { name: "Attach files" }).waitFor();
  await pastePicture(description, "login.png");
  await eventually(async () => /\/attachments\/\d+\/download\)/.test(await description.inputValue()), true);
  await dialog.getByRole("textbox", { name: "Title" }).focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  // A message stays while the pointer is on it.
  await page.getByText(`${queue.key}-1 created`).hover();
  await eventually(() => shownTitles(page), ["Other"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Other");
  const [first, second] = [await queue.read(0), await queue.read(1)];
  assert.ok(first.promoted_issue_id !== null);
  assert.equal(first.promoted_issue_id, second.promoted_issue_id);
  const issue = (await queue.client.get(`/api/projects/${queue.id}/issues/${first.promoted_issue_id}`)).body;
  assert.deepEqual([issue.title, issue.attachments.length], ["Login does not end", 1]);
  await page.getByRole("button", { name: `Open ${queue.key}-1` }).click();
  await page.waitForURL(`**/projects/${queue.key}/issues/${queue.key}-1`);
  await page.leave();
});

test("the issue has what the dialog said, and a report left out stays in the queue", async () => {
  const queue = await openQueue("Slow", "Slower", "Slowest");
  const label = (
    await queue.client.post(`/api/projects/${queue.id}/labels`, { name: "speed", color: "#1f6feb" })
  ).body;
  const page = await queue.open();
  for (const title of ["Slow", "Slower"])
    await page.getByRole("checkbox", { name: `Select ${title}`, exact: true }).click();
  await page.getByRole("button", { name: "Promote 2 as one issue" }).click();
  const dialog = page.getByRole("dialog", { name: /^Promote/ });
  await dialog.getByRole("button", { name: `Remove #${queue.reports[1]?.id}` }).click();
  await eventually(
    () => dialog.getByRole("textbox", { name: "Description" }).inputValue(),
    "What is seen: slow.",
  );
  const pick = async (field: string, choice: string) => {
    await dialog.getByRole("button", { name: new RegExp(`^${field}`) }).click();
    await page.getByRole("option", { name: choice }).click();
    if (field === "Labels") await page.keyboard.press("Escape");
  };
  await pick("Priority", "Highest");
  await pick("Type", "Bug");
  await pick("Lane", "In progress");
  await pick("Labels", "speed");
  await dialog.getByRole("textbox", { name: "Estimate" }).fill("1h 30m");
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.waitFor({ state: "hidden" });
  const { promoted_issue_id } = await queue.read(0);
  const issue = (await queue.client.get(`/api/projects/${queue.id}/issues/${promoted_issue_id}`)).body;
  assert.deepEqual(
    [issue.priority, issue.type, issue.estimated_minutes, issue.label_ids],
    [0, 1, 90, [label.id]],
  );
  await eventually(async () => (await queue.read(1)).promoted_at, null);
  await page.leave();
});

test("the promote dialog names a report that another user has dismissed since", async () => {
  const queue = await openQueue("First", "Second");
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: /^Promote/ });
  await dialog.waitFor();
  await queue.client.post(`${queue.path}/${queue.reports[1]?.id}/dismiss`, { category: "duplicate" });
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.getByText("Is already dismissed.").waitFor();
  await dialog.getByRole("button", { name: `Remove #${queue.reports[1]?.id}` }).click();
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.waitFor({ state: "hidden" });
  await eventually(async () => (await queue.read(0)).promoted_at !== null, true);
  await page.leave();
});

test("E promotes the open report with the fields beside the queue, and the next report opens", async () => {
  const queue = await openQueue("Slow", "Next");
  const page = await queue.open();
  const fields = preview(page).getByRole("form", { name: "New issue" });
  await fields.getByRole("textbox", { name: "Title of the issue" }).fill("Slow on Mondays");
  await fields.getByRole("button", { name: /^Priority/ }).click();
  await page.getByRole("option", { name: "Highest" }).click();
  await fields.getByRole("button", { name: /^Priority.*Highest/ }).waitFor();
  await row(page, "Slow").getByRole("link").focus();
  await page.keyboard.press("e");
  await page.getByText(`${queue.key}-1 created`).waitFor();
  await preview(page).getByRole("heading", { name: "Next" }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Next");
  const { promoted_issue_id } = await queue.read(0);
  const issue = (await queue.client.get(`/api/projects/${queue.id}/issues/${promoted_issue_id}`)).body;
  assert.deepEqual(
    [issue.title, issue.priority, issue.description],
    ["Slow on Mondays", 0, "What is seen: slow."],
  );

  // The server rejects a report that someone else dismissed first; the page then shows its current state.
  await page.route("**/reports/promote", async (route) => {
    await queue.client.post(`${queue.path}/${queue.reports[1]?.id}/dismiss`, { category: "invalid" });
    await route.continue();
  });
  await page.keyboard.press("e");
  await page.getByText("“Next” could not be promoted.").waitFor();
  await page.getByRole("link", { name: "Dismissed 1" }).waitFor();
  await page.leave();
});

test("a row shows the first image and words of its report, and the promote dialog all images", async () => {
  const queue = await openQueue("Broken layout", "Plain");
  const path = `${queue.path}/${queue.reports[0]?.id}/attachments`;
  for (const filename of ["one.png", "two.png"])
    await upload(queue.client, path, [{ name: "file", filename, content: await png() }]);
  const page = await queue.open();
  await row(page, "Broken layout").getByText("What is seen: broken layout.").waitFor();
  const image = row(page, "Broken layout").locator("img[src*=download]");
  await eventually(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth > 0), true);
  await eventually(() => row(page, "Plain").locator("img[src*=download]").count(), 0);
  await preview(page).getByRole("button", { name: "All fields" }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to issue" });
  await dialog.getByRole("button", { name: /^View two\.webp/ }).click();
  await page.getByRole("dialog", { name: "two.webp" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "two.webp" }).waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Create issue" }).waitFor();
  await page.leave();
});

test("with one report ticked the command names the one it promotes", async () => {
  const queue = await openQueue("Ticked", "Focused");
  const page = await queue.open();
  await page.getByRole("checkbox", { name: "Select Ticked" }).click();
  await row(page, "Focused").getByRole("link").focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: new RegExp(`Promote report #${queue.reports[0]?.id}`) }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to issue" });
  await eventually(() => dialog.getByRole("textbox", { name: "Title" }).inputValue(), "Ticked");
  await page.leave();
});

test("a promotion in flight cannot be canceled, and Escape keeps the chosen values", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: /^Promote/ });
  await dialog.getByRole("button", { name: `Remove #${queue.reports[1]?.id}` }).click();
  await page.keyboard.press("Escape");
  await dialog.getByText("Discard your changes?").waitFor();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/reports/promote", async (route) => {
    await answered;
    await route.continue();
  });
  const asked = page.waitForRequest("**/reports/promote");
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await asked;
  await eventually(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled(), true);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await dialog.getByRole("button", { name: "Create issue" }).waitFor();
  answer();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(`${queue.key}-1 created`).waitFor();
  await eventually(() => shownTitles(page), ["Second", "Third"]);
  await page.leave();
});

test("a report that another user promoted first is shown as promoted", async () => {
  const queue = await openQueue("Contested", "Other");
  const page = await queue.open();
  await row(page, "Contested").waitFor();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  const { id, title } = await queue.read(0);
  await queue.client.post(`${queue.path}/promote`, { report_ids: [id], title, description: "x" });
  await page.keyboard.press("1");
  await page.getByText("“Contested” could not be dismissed.").waitFor();
  await page.getByRole("link", { name: "Promoted 1" }).click();
  await row(page, "Contested").waitFor();
  await page.leave();
});
