import assert from "node:assert/strict";
import { test } from "node:test";
import { ranksBehind } from "../../src/server/work/ranks/rank.ts";
import { upload } from "../support/multipart.ts";
import { eventually, waitUntil } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { openReportQueue, preview, row, rows, shownTitles } from "./report-queue.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);

test("text of a row can be selected, without opening or moving the report", async () => {
  const queue = await openQueue("Gift cards for friends", "Second");
  const page = await queue.open("?report=0");
  await preview(page).getByText("Report not found").waitFor();
  const text = row(page, "Gift cards").getByRole("link").locator("[data-row-text]");
  const box = (await text.boundingBox()) ?? assert.fail("the row is not visible");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, middle);
  await page.mouse.down();
  // The code that selects inside a link loads with the first press.
  await waitUntil(async () => {
    await page.mouse.move(box.x + box.width - 1, middle, { steps: 5 });
    return /^.?ift cards for frien/.test((await page.evaluate(() => getSelection()?.toString())) ?? "");
  });
  await page.mouse.up();
  await preview(page).getByText("Report not found").waitFor();
  await eventually(() => shownTitles(page), ["Gift cards for friends", "Second"]);
  await page.leave();
});

test("each report starts scrolled to its top", async () => {
  const queue = await openQueue();
  for (const title of ["Long", "Longer"]) {
    const description = Array.from({ length: 80 }, (_, line) => `Line ${line}.`).join("\n\n");
    assert.equal((await queue.client.post(queue.path, { title, description })).status, 201);
  }
  const page = await queue.open();
  await row(page, "Longer").waitFor();
  await preview(page).getByText("Line 79.").waitFor();
  await preview(page).getByText("Line 79.").scrollIntoViewIfNeeded();
  await eventually(() => preview(page).evaluate((element) => element.scrollTop > 100), true);
  await page.keyboard.press("j");
  await preview(page).getByRole("heading", { name: "Longer" }).waitFor();
  await preview(page).getByText("Line 79.").waitFor();
  await page.waitForURL(/report=\d+$/);
  await eventually(() => preview(page).evaluate((element) => element.scrollTop), 0);
  await page.leave();
});

test("tab and search are kept in the URL, and a search without results can be cleared", async () => {
  const queue = await openQueue("Red door", "Blue door", "Window");
  await queue.client.post(`${queue.path}/${queue.reports[2]?.id}/dismiss`, { category: "invalid" });
  const page = await queue.open("?query=door");
  await eventually(() => shownTitles(page), ["Red door", "Blue door"]);
  await page.getByRole("searchbox", { name: "Search reports" }).fill("blue");
  await page.waitForURL(/query=blue/);
  await eventually(() => shownTitles(page), ["Blue door"]);
  await page.getByRole("link", { name: "Dismissed 1" }).click();
  await page.waitForURL(/view=dismissed/);
  await page.getByText("No matching reports").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "Window").waitFor();
  await eventually(() => page.getByRole("searchbox", { name: "Search reports" }).inputValue(), "");
  await page.goBack();
  await page.leave();
});

test("the first report opens by itself; J and K move the focus and the preview; Escape closes it for good", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await preview(page).getByRole("heading", { name: "One" }).waitFor();
  await page.waitForURL(new RegExp(`report=${queue.reports[0]?.id}$`));
  await page.keyboard.press("j");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Two");
  await preview(page).getByRole("heading", { name: "Two" }).waitFor();
  await page.keyboard.press("j");
  await preview(page).getByRole("heading", { name: "Three" }).waitFor();
  await page.waitForURL(new RegExp(`report=${queue.reports[2]?.id}$`));
  await page.keyboard.press("k");
  await preview(page).getByRole("heading", { name: "Two" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(/triage$/);
  await preview(page).getByText("No report open").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Two");
  await page.leave();
});

test("on a phone the list comes first, below a header row of one line", async () => {
  const queue = await openQueue("One", "Two");
  const page = await queue.open("", { width: 390 });
  await row(page, "One").getByText("What is seen: one.").waitFor();
  await eventually(() => preview(page).count(), 0);
  assert.ok(!page.url().includes("report="));
  await page.getByRole("button", { name: "Notify me about new reports and errors" }).waitFor();
  const header = page.locator("#main [data-header-row]").first();
  await eventually(() => header.evaluate(({ clientHeight }) => clientHeight), 48);
  await row(page, "One").getByRole("link").click();
  await preview(page).getByRole("heading", { name: "One" }).waitFor();
  await page.leave();
});

test("deleting a report asks for confirmation, and deleting the last one shows the empty queue", async () => {
  const queue = await openQueue("Only");
  await upload(queue.client, `${queue.path}/${queue.reports[0]?.id}/attachments`, [
    { name: "file", filename: "a.txt", content: "a" },
  ]);
  const page = await queue.open();
  await row(page, "Only").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Backspace");
  const dialog = page.getByRole("alertdialog", { name: /^Delete report/ });
  await dialog.getByText("Its file will also be deleted.").waitFor();
  await dialog.getByRole("button", { name: "Delete report" }).click();
  await page.getByText("Queue clear").waitFor();
  await eventually(() => queue.order(), []);
  await page.leave();
});

test("the bell turns notifications about new reports on and off", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  const bell = page.getByRole("button", { name: "Notify me about new reports" });
  const pressed = async () => await bell.getAttribute("aria-pressed");
  await eventually(pressed, "false");
  await bell.click();
  await eventually(pressed, "true");
  await eventually(
    async () => (await queue.client.get(`${queue.path}/watch`)).body.report_watcher_ids,
    [queue.user.id],
  );
  await page.reload();
  await eventually(pressed, "true");
  await page.leave();
});

test("users who may not update reports see no actions, and the shortcuts do nothing", async () => {
  const queue = await openQueue("Look only");
  const reporter = await queue.makeMember("Reporter");
  const page = await queue.open(`?report=${queue.reports[0]?.id}`, { as: reporter });
  await preview(page).getByRole("heading", { name: "Look only" }).waitFor();
  for (const name of ["Promote", "Dismiss"])
    await eventually(() => page.getByRole("button", { name }).count(), 0);
  await eventually(() => page.getByRole("checkbox").count(), 0);
  await eventually(() => page.getByLabel(/Drop files here/).count(), 0);
  await page.keyboard.press("e");
  await page.keyboard.press("h");
  await page.keyboard.press("Backspace");
  await eventually(() => page.getByRole("dialog").count(), 0);
  await eventually(() => page.getByRole("alertdialog").count(), 0);
  await row(page, "Look only").getByRole("button", { name: "Actions for Look only" }).click();
  await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
  await eventually(() => page.getByRole("menuitem").count(), 1);
  await page.leave();
});

test("the page says so if reports are turned off", async () => {
  const workspace = (await site.api.post("/api/workspaces", { name: "Quiet", features: { reports: false } }))
    .body;
  await site.api.post("/api/projects", { key: "QUIET", name: "Quiet", workspace_id: workspace.id });
  const page = await site.open("/projects/QUIET/triage");
  await page.getByRole("heading", { name: "Turned off" }).waitFor();
  await page.goto("/projects/QUIET/reports/1");
  await page.getByRole("heading", { name: "Turned off" }).waitFor();
  await page.leave();
});

test("a report has its own page with the same actions, and is printed without them", async () => {
  const queue = await openQueue("On its own");
  const page = await site.open(`/projects/${queue.key}/reports/${queue.reports[0]?.id}`, { as: queue.user });
  const title = page.getByRole("heading", { level: 1, name: "On its own" });
  await title.waitFor();
  await page.checkAccessibility();
  await page.emulateMedia({ media: "print" });
  await title.waitFor();
  for (const name of ["Promote", "Dismiss"])
    await eventually(() => page.getByRole("button", { name }).isVisible(), false);
  for (const text of ["Skip to content", "Drop files here"])
    await eventually(() => page.getByText(text).isVisible(), false);
  await page.emulateMedia({ media: null });
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "Promote to issue" });
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await page.getByRole("link", { name: `${queue.key}-1 On its own` }).waitFor();
  await eventually(() => page.getByRole("button", { name: "Promote" }).count(), 0);
  await page.goto(`/projects/${queue.key}/reports/999999`);
  await page.getByText("Page not found").waitFor();
  await page.leave();
});

test("a list of a thousand reports renders few rows, and the last report can be reached and moved to the top", async () => {
  const queue = await openQueue();
  const ranks = ranksBehind(null, 1_000);
  await site.t.db
    .insertInto("reports")
    .values(
      ranks.map((rank, index) => ({
        project_id: queue.id,
        title: `Report ${index + 1}`,
        description: "Text",
        source: 0,
        rank,
        created_by: queue.user.id,
      })),
    )
    .execute();
  const page = await queue.open();
  await row(page, "Report 1").first().waitFor();
  await eventually(async () => (await rows(page).count()) < 60, true);
  await page.getByRole("list", { name: "Active reports" }).evaluate((list) => {
    list.parentElement?.scrollTo(0, list.scrollHeight);
  });
  await row(page, "Report 1000").getByRole("link").click();
  await preview(page).getByRole("heading", { name: "Report 1000" }).waitFor();
  await eventually(async () => (await rows(page).count()) < 60, true);
  await row(page, "Report 1000").getByRole("button", { name: "Actions for Report 1000" }).click();
  await page.getByRole("menuitem", { name: "Move", exact: true }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await eventually(async () => (await queue.order())[0], "Report 1000");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Report 1000");
  await page.leave();
});

test("the queue, its dialogs and a report have no accessibility violations in both themes and fit a phone", async () => {
  const queue = await openQueue(
    "A title that goes on for so long that it cannot fit one line of a phone",
    "Second",
  );
  for (const theme of ["light", "dark"] as const) {
    const page = await queue.open("", { theme });
    await row(page, "Second").waitFor();
    await preview(page)
      .getByRole("heading", { name: /A title/ })
      .waitFor();
    await preview(page).getByRole("button", { name: "All fields" }).waitFor();
    await page.checkAccessibility();
    for (const [key, name] of [
      [null, "Promote to issue"],
      ["h", "Dismiss report"],
      ["Shift+R", "New report"],
    ] as const) {
      if (key === null) await preview(page).getByRole("button", { name: "All fields" }).click();
      else await page.keyboard.press(key);
      const dialog = page.getByRole("dialog", { name });
      await dialog.waitFor();
      await page.checkAccessibility();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }
    await page.leave();
  }
  const phone = await queue.open(`?report=${queue.reports[0]?.id}`, { width: 320 });
  await preview(phone)
    .getByRole("heading", { name: /A title/ })
    .waitFor();
  const isWide = () =>
    phone.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  await eventually(() => isWide(), false, "the report scrolls sideways");
  await phone.getByRole("button", { name: "Close preview" }).click();
  await row(phone, "Second").waitFor();
  await eventually(() => isWide(), false, "the queue scrolls sideways");
  await phone.leave();
});

test("the sections of the preview have headings below the report's title", async () => {
  const queue = await openQueue("One");
  const page = await queue.open();
  await preview(page).getByRole("heading", { name: "Comments" }).waitFor();
  await preview(page).getByRole("heading", { name: "New issue" }).waitFor();
  const headings = preview(page).getByRole("heading");
  await eventually(
    () => headings.evaluateAll((all) => all.map((one) => `${one.tagName} ${one.textContent}`)),
    ["H2 One", "H3 New issue", "H3 Files ", "H3 Comments "],
  );
  await page.leave();
});
