import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { openErrorList } from "./error-list.ts";
import { openReportQueue, preview, row, shownTitles, type ReportQueue } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);
const issuesOf = async ({ client, id }: ReportQueue): Promise<Issue[]> =>
  (await client.get(`/api/projects/${id}/issues`)).body.data;
const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);

test("Ctrl+Z takes back a promotion: the report is in its place and selected, and its issue is gone", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  await row(page, "Second").getByRole("link").click();
  await preview(page).getByRole("heading", { name: "Second" }).waitFor();
  await page.keyboard.press("e");
  await page.getByText(`${queue.key}-1 created`).waitFor();
  await eventually(() => shownTitles(page), ["First", "Third"]);
  await page.keyboard.press("Control+z");
  await page.getByText(`Report #${queue.reports[1]?.id} is back in the queue`).waitFor();
  await eventually(() => shownTitles(page), ["First", "Second", "Third"]);
  await preview(page).getByRole("heading", { name: "Second" }).waitFor();
  await eventually(() => focused(page), "Second");
  assert.deepEqual(await issuesOf(queue), []);
  await page.leave();
});

test("Undo returns all reports of an issue, and keeps the issue if it has changed", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.keyboard.press("e");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Control+Enter");
  // A message stays while the pointer is on it.
  await page.getByText(`${queue.key}-1 created`).hover();
  await queue.client.post(`/api/projects/${queue.id}/issues/${queue.key}-1/comments`, { content: "Noted" });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 reports are back in the queue").waitFor();
  await page.getByText(`${queue.key}-1 was kept because it has changed since.`).waitFor();
  await eventually(() => shownTitles(page), ["First", "Second", "Third"]);
  assert.equal((await issuesOf(queue)).length, 1);
  await page.leave();
});

test("a promoted report is returned to the queue, also if its issue was deleted", async () => {
  const queue = await openQueue("Kept", "Lost", "Other");
  for (const [index, { id }] of queue.reports.slice(0, 2).entries())
    await queue.client.post(`${queue.path}/promote`, {
      report_ids: [id],
      title: `Issue ${index}`,
      description: "What happened",
    });
  await queue.client.delete(`/api/projects/${queue.id}/issues/${queue.key}-2`);
  const page = await queue.open("?view=promoted");
  for (const title of ["Kept", "Lost"]) {
    await row(page, title).getByRole("link").click();
    await preview(page).getByRole("heading", { name: title }).waitFor();
    await preview(page).getByRole("button", { name: "Back to the queue" }).click();
    await row(page, title).waitFor({ state: "detached" });
  }
  await eventually(async () => (await queue.client.get(`${queue.path}?view=active`)).body.length, 3);
  assert.deepEqual(
    (await issuesOf(queue)).map(({ title }) => title),
    ["Issue 0"],
  );
  await page.leave();
});

test("reports are added to an existing issue, and Undo returns them", async () => {
  const queue = await openQueue("First", "Second");
  await queue.client.post(`/api/projects/${queue.id}/issues`, { title: "Known problem" });
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "Promote 2 reports to one issue" });
  await dialog.getByRole("button", { name: "Add to an existing issue…" }).click();
  await dialog.getByRole("button", { name: "Add to issue" }).click();
  await dialog.getByText("Choose an issue.").waitFor();
  await dialog.getByRole("button", { name: /^Issue/ }).click();
  await page.getByRole("option", { name: /Known problem/ }).click();
  await page.checkAccessibility();
  await page.keyboard.press("Control+Enter");
  // A message stays while the pointer is on it.
  await page.getByText(`2 reports added to ${queue.key}-1`).hover();
  const [issue] = await issuesOf(queue);
  assert.deepEqual(
    issue?.report_ids,
    queue.reports.map(({ id }) => id),
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => shownTitles(page), ["First", "Second"]);
  assert.equal((await issuesOf(queue)).length, 1);
  await page.leave();
});

test("the issue of an error is taken back with Ctrl+Z", async () => {
  const errors = await openErrorList(site);
  await errors.send("Broken");
  const page = await errors.openPageOf("Broken");
  await page.getByRole("button", { name: /^Promote/ }).waitFor();
  await page.keyboard.press("Shift+p");
  const dialog = page.getByRole("dialog", { name: "Promote Broken to an issue" });
  await dialog.getByRole("button", { name: /^Type.*Bug/ }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${errors.project.key}-1 created`).waitFor();
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("Control+z");
  await page.getByText("Broken is no longer promoted").waitFor();
  assert.equal((await errors.group("Broken")).linked_issue_id, null);
  assert.deepEqual((await site.api.get(`/api/projects/${errors.project.id}/issues`)).body.data, []);
  await page.leave();
});

test("Ctrl+Z after a dismissal selects the report that came back", async () => {
  const queue = await openQueue("First", "Second");
  const page = await queue.open();
  await row(page, "First").waitFor();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await page.keyboard.press("4");
  await preview(page).getByRole("heading", { name: "Second" }).waitFor();
  await page.keyboard.press("Control+z");
  await preview(page).getByRole("heading", { name: "First" }).waitFor();
  await eventually(() => focused(page), "First");
  await page.leave();
});

test("with several reports selected, only the bar below the list decides, on one line", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await eventually(
    () =>
      preview(page)
        .getByRole("button", { name: /^(Promote|Dismiss)/ })
        .count(),
    0,
  );
  const bar = page.getByRole("toolbar", { name: "Actions for selected items" });
  await eventually(() => bar.evaluate((element) => element.clientHeight < 60), true);
  await page.leave();
});

test("messages cover no row and no button, and the older ones are counted", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  const messages = page.getByRole("log", { name: "Messages" });
  for (const [index, title] of ["First", "Second"].entries()) {
    await preview(page).getByRole("heading", { name: title }).waitFor();
    await page.keyboard.press("e");
    await eventually(() => row(page, title).count(), 0);
    // A message stays while the pointer is on it.
    await messages.getByText(`${queue.key}-${index + 1} created`).hover();
  }
  await eventually(() => messages.getByRole("group").count(), 1);
  const more = page.getByRole("button", { name: "1 more message" });
  // The page leaves room for the messages once it has measured them.
  await eventually(async () => {
    const bottom = await preview(page).evaluate((element) => element.getBoundingClientRect().bottom);
    return bottom <= ((await more.boundingBox())?.y ?? 0);
  }, true);
  await more.click();
  await eventually(() => messages.getByRole("group").count(), 2);
  await page.leave();
});
