import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { card, createBoard } from "./board-page.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { hold } from "./hold.ts";
import { openBox, rows as inboxRows } from "./inbox-page.ts";
import { issueLists, row as issueRow } from "./issue-list.ts";
import { openReportQueue, row as reportRow, shownTitles } from "./report-queue.ts";
import { useTestSite } from "./test-site.ts";

/* A key that is held repeats. What changes something must happen once. */

const site = await useTestSite({ LIMIT_API: "100000" });
const { ownProject } = issueLists(site);

test("holding E promotes one report", async () => {
  const queue = await openReportQueue(site, "First", "Second", "Third");
  const page = await queue.open();
  await reportRow(page, "First").waitFor();
  await page.getByRole("heading", { name: "New issue" }).waitFor();
  await hold(page, "e");
  await page.getByText(/created/).waitFor();
  await eventually(() => shownTitles(page), ["Second", "Third"]);
  const promoted = (await queue.client.get(`${queue.path}?view=promoted`)).body;
  assert.equal(promoted.length, 1);
  await page.leave();
});

test("holding H opens the dismissal without writing a note, and holding a digit dismisses one report", async () => {
  const queue = await openReportQueue(site, "First", "Second");
  const page = await queue.open();
  await reportRow(page, "First").waitFor();
  await hold(page, "h");
  const dialog = page.getByRole("dialog", { name: "Dismiss report" });
  await eventually(() => dialog.getByRole("textbox", { name: "Note" }).inputValue(), "");
  await hold(page, "1");
  await dialog.waitFor({ state: "hidden" });
  await eventually(() => shownTitles(page), ["Second"]);
  await page.leave();
});

for (const [key, what, done] of [
  ["e", "resolves", "resolved"],
  ["h", "ignores", "ignored"],
] as const)
  test(`holding ${key.toUpperCase()} ${what} one error`, async () => {
    const list = await openErrorList(site);
    for (const name of ["Aaa", "Bbb", "Ccc"]) await list.send(name);
    const page = await site.open(list.url);
    await rowLink(page, "Ccc").waitFor();
    await page.keyboard.press("j");
    await hold(page, key);
    await eventually(() => page.getByRole("list", { name: "Errors" }).getByRole("listitem").count(), 2);
    // The row disappears before the server has answered, the message comes after that.
    await page.getByRole("group", { name: new RegExp(` ${done}$`) }).waitFor();
    const open = (await site.api.get(`/api/projects/${list.project.id}/error-groups?status=0`)).body;
    assert.equal(open.data.length, 2);
    await page.leave();
  });

test("holding E reads one entry of the inbox, and holding Backspace deletes one", async () => {
  const box = await openBox(site, "One", "Two", "Three", "Four");
  const page = await box.open();
  await eventually(() => inboxRows(page).count(), 4);
  await inboxRows(page).first().getByRole("link").focus();
  await hold(page, "e");
  await eventually(() => inboxRows(page).count(), 3);
  await inboxRows(page).getByRole("link").and(page.locator(":focus")).waitFor();
  await hold(page, "Backspace");
  await eventually(() => inboxRows(page).count(), 2);
  await page.leave();
  await eventually(async () => (await box.entries()).length, 3);
});

test("holding I assigns one issue of the list, and holding J goes on to the last one", async () => {
  const project = await ownProject();
  for (const title of ["Alpha", "Beta", "Gamma"]) await project.make(title);
  const page = await site.open(`/projects/${project.key}/issues`);
  await issueRow(page, "Alpha").waitFor();
  await page.keyboard.press("j");
  await hold(page, "i");
  const assigned = async () =>
    ((await site.api.get(`${project.url}/issues`)).body.data as Issue[]).filter(
      ({ assignee_id }) => assignee_id !== null,
    ).length;
  await eventually(assigned, 1);
  const last = (await page.getByRole("list", { name: "Issues" }).getByRole("link").allTextContents()).at(-1);
  await hold(page, "j");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), last);
  await page.leave();
});

test("holding Space lifts a card of the board without dropping it", async () => {
  const board = await createBoard(site);
  await board.make("Only");
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "Only").focus();
  await hold(page, " ");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await board.order(board.lanes.todo), [], "it is still lifted");
  await page.keyboard.press(" ");
  await eventually(() => board.order(board.lanes.todo), ["Only"]);
  await page.leave();
});

test("holding Ctrl+Enter or Enter in a dialog creates one issue", async () => {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("heading", { name: "Issues", exact: true }).waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New issue" });
  const title = dialog.getByRole("textbox", { name: "Title" });
  await title.fill("Once");
  await page.keyboard.down("Control");
  await hold(page, "Enter");
  await page.keyboard.up("Control");
  await dialog.waitFor({ state: "hidden" });
  assert.equal((await site.api.get(`${project.url}/issues`)).body.data.length, 1);
  await page.leave();
});
