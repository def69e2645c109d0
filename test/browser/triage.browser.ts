import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { ranksBehind } from "../../src/server/work/ranks/rank.ts";
import type { Report } from "../../src/shared/reports.ts";
import type { Client } from "../support/client.ts";
import { png } from "../support/images.ts";
import { makeMember, makeProject, type RoleName, type TestUser } from "../support/make.ts";
import { upload } from "../support/multipart.ts";
import { eventually, openStage, type Stage, type TestPage } from "./support.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.close());

/** A project of its own with reports, and somebody who triages them. */
type Queue = {
  key: string;
  id: number;
  reports: Report[];
  user: TestUser;
  client: Client;
  path: string;
  open(
    search?: string,
    options?: { as?: TestUser; theme?: "light" | "dark"; width?: number },
  ): Promise<TestPage>;
  somebody(role: RoleName): Promise<TestUser>;
  /** The titles in the order the server has them. */
  order(): Promise<string[]>;
  one(index: number): Promise<Report>;
};

async function openQueue(...titles: string[]): Promise<Queue> {
  const { id, key } = await makeProject(stage.t.db, stage.workspaceId);
  const user = await makeMember(stage.t.db, id, { role: "Manager" });
  const client = await stage.clientOf(user);
  const path = `/api/projects/${id}/reports`;
  const reports: Report[] = [];
  for (const title of titles) {
    const answer = await client.post(path, { title, description: `What is seen: ${title.toLowerCase()}.` });
    assert.equal(answer.status, 201, answer.text);
    reports.push(answer.body);
  }
  return {
    id,
    key,
    reports,
    user,
    client,
    path,
    open: (search = "", options = {}) =>
      stage.open(`/projects/${key}/triage${search}`, { as: user, ...options }),
    somebody: (role) => makeMember(stage.t.db, id, { role }),
    order: async () => ((await client.get(path)).body as Report[]).map(({ title }) => title),
    one: async (index) => (await client.get(`${path}/${reports[index]?.id}`)).body,
  };
}

const rows = (page: TestPage) => page.getByRole("list", { name: /reports$/ }).getByRole("listitem");
const row = (page: TestPage, title: string) => rows(page).filter({ hasText: title });
const preview = (page: TestPage) => page.getByRole("region", { name: "Report", exact: true });
const titlesShown = async (page: TestPage) => {
  const links = rows(page).getByRole("link");
  const all = await links.evaluateAll((found) =>
    found.map((link) => ({
      text: link.textContent,
      place: Number(link.closest("[role=listitem]")?.getAttribute("aria-posinset")),
    })),
  );
  return all.toSorted((a, b) => a.place - b.place).map(({ text }) => text);
};

const pastePicture = async (target: Locator, name: string) => {
  const bytes = [...(await png(60, 40))];
  await target.evaluate(
    (element, { bytes, name }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }));
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { bytes, name },
  );
};

test("⇧R opens a report from anywhere; a picture is pasted into it, and it stands at the end of the queue", async () => {
  const queue = await openQueue("Cart empties");
  const page = await queue.open();
  await row(page, "Cart empties").waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "New report" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Prices without tax");
  const description = dialog.getByRole("textbox", { name: "Description" });
  await description.fill("The basket shows **net** prices.");
  await pastePicture(description, "basket.png");
  await dialog.getByRole("list", { name: "Images" }).getByText("basket.png").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Create report" }).click();
  await dialog.waitFor({ state: "hidden" });
  await row(page, "Prices without tax").getByRole("link").click();
  await preview(page).getByRole("button", { name: "Look at basket.webp" }).click();
  await page.getByRole("dialog", { name: "basket.webp" }).getByRole("img", { name: "basket.webp" }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await eventually(() => queue.order(), ["Cart empties", "Prices without tax"]);
  await page.leave();
});

test("what was written for a report survives a reload; what the server refuses stands under its field", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  await page.getByText("Queue clear").waitFor();
  await page.getByRole("button", { name: "New report", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "New report" });
  const title = dialog.getByRole("textbox", { name: "Title" });
  await title.fill("x".repeat(256));
  await page.reload();
  await page.getByText("Queue clear").waitFor();
  await page.keyboard.press("Shift+R");
  await eventually(() => title.inputValue(), "x".repeat(256));
  await dialog.getByRole("button", { name: "Create report" }).click();
  await dialog.getByText("Must be at most 255 characters.").waitFor();
  await dialog.getByText("Must not be blank.").waitFor();
  await dialog.getByRole("button", { name: "Clear" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.leave();
});

test("a file that is no image, or too large, is refused before anything is sent", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  await page.getByText("Queue clear").waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "New report" });
  await dialog.getByLabel(/Drop files here/).setInputFiles([
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a") },
    { name: "large.png", mimeType: "image/png", buffer: Buffer.alloc(3 * 1_048_576 + 1) },
    { name: "small.png", mimeType: "image/png", buffer: await png() },
  ]);
  await dialog.getByText("notes.txt is not an image").waitFor();
  await dialog.getByText("large.png has 3 MB; the limit is 3 MB.").waitFor();
  await dialog.getByText("1 of 5").waitFor();
  await page.leave();
});

test("a report is moved by drag, by its menu and by keyboard, among those that are not in the queue", async () => {
  const queue = await openQueue("One", "Two", "Three", "Four");
  await queue.client.post(`${queue.path}/${queue.reports[1]?.id}/dismiss`, { category: "invalid" });
  const page = await queue.open();
  await row(page, "Four").waitFor();
  await row(page, "Four").dragTo(row(page, "One"), { targetPosition: { x: 200, y: 60 } });
  await eventually(() => titlesShown(page), ["One", "Four", "Three"]);
  await eventually(queue.order, ["One", "Four", "Two", "Three"]);

  await row(page, "Three").getByRole("button", { name: "Actions for Three" }).click();
  await page.getByRole("menuitem", { name: "Move", exact: true }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await eventually(() => titlesShown(page), ["Three", "One", "Four"]);
  await eventually(queue.order, ["Three", "One", "Four", "Two"]);

  await row(page, "Three").getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await eventually(() => titlesShown(page), ["One", "Four", "Three"]);
  await eventually(queue.order, ["One", "Four", "Three", "Two"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Three");
  await page.leave();
});

test("a report is moved to a position by its number", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await row(page, "One").getByRole("button", { name: "Actions for One" }).press("ArrowDown");
  await page.getByRole("menuitem", { name: "Move", exact: true }).press("ArrowRight");
  await page.getByRole("menuitem", { name: "Move to position…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Move to position" });
  await dialog.getByRole("spinbutton", { name: "Position" }).fill("4");
  await page.keyboard.press("Enter");
  await dialog.getByText("A number from 1 to 3.").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("spinbutton", { name: "Position" }).fill("3");
  await page.keyboard.press("Enter");
  await eventually(() => titlesShown(page), ["Two", "Three", "One"]);
  await eventually(queue.order, ["Two", "Three", "One"]);
  await page.leave();
});

test("a move beside a report that was deleted meanwhile shows the true order and says why", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await row(page, "Three").waitFor();
  await page.route("**/api/events", (route) => route.abort());
  // Deleted where this page does not hear of it in time.
  await page.route("**/reports/reorder", async (route) => {
    await queue.client.delete(`${queue.path}/${queue.reports[0]?.id}`);
    await route.continue();
  });
  await row(page, "Three").getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByText("The report was not moved").waitFor();
  await eventually(() => titlesShown(page), ["Two", "Three"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Three");
  await page.leave();
});

test("two reports are ticked and promoted as one issue, by keyboard alone", async () => {
  const queue = await openQueue("Login loops", "Login hangs", "Other");
  const page = await queue.open();
  await row(page, "Other").waitFor();
  await page.keyboard.press("j");
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
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(`2 reports promoted to ${queue.key}-1`).waitFor();
  await eventually(() => titlesShown(page), ["Other"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Other");
  const [first, second] = [await queue.one(0), await queue.one(1)];
  assert.ok(first.promoted_issue_id !== null);
  assert.equal(first.promoted_issue_id, second.promoted_issue_id);
  const issue = (await queue.client.get(`/api/projects/${queue.id}/issues/${first.promoted_issue_id}`)).body;
  assert.equal(issue.title, "Login does not end");
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
  await dialog.getByRole("button", { name: `Leave out #${queue.reports[1]?.id}` }).click();
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
  await dialog.getByRole("textbox", { name: "Estimate in minutes" }).fill("90");
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.waitFor({ state: "hidden" });
  const { promoted_issue_id } = await queue.one(0);
  const issue = (await queue.client.get(`/api/projects/${queue.id}/issues/${promoted_issue_id}`)).body;
  assert.deepEqual(
    [issue.priority, issue.type, issue.estimated_minutes, issue.label_ids],
    [0, 1, 90, [label.id]],
  );
  await eventually(async () => (await queue.one(1)).promoted_at, null);
  await page.leave();
});

test("a report somebody else dismissed meanwhile is named in the promote dialog", async () => {
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
  await dialog.getByRole("button", { name: `Leave out #${queue.reports[1]?.id}` }).click();
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.waitFor({ state: "hidden" });
  await eventually(async () => (await queue.one(0)).promoted_at !== null, true);
  await page.leave();
});

test("with one report ticked the command names the one it promotes", async () => {
  const queue = await openQueue("Ticked", "Focused");
  const page = await queue.open();
  await page.getByRole("checkbox", { name: "Select Ticked" }).click();
  await row(page, "Focused").getByRole("link").focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: new RegExp(`Promote report #${queue.reports[0]?.id}`) }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to an issue" });
  await eventually(() => dialog.getByRole("textbox", { name: "Title" }).inputValue(), "Ticked");
  await page.leave();
});

test("a promotion under way cannot be called back, and what was chosen is not lost by Escape", async () => {
  const queue = await openQueue("First", "Second", "Third");
  const page = await queue.open();
  for (const title of ["First", "Second"])
    await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: /^Promote/ });
  await dialog.getByRole("button", { name: `Leave out #${queue.reports[1]?.id}` }).click();
  await page.keyboard.press("Escape");
  await dialog.getByText("Discard what was entered?").waitFor();
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
  await page.getByText(`Promoted to ${queue.key}-1`).waitFor();
  await eventually(() => titlesShown(page), ["Second", "Third"]);
  await page.leave();
});

test("a report begins at its top, however far down the one before it was read", async () => {
  const queue = await openQueue();
  for (const title of ["Long", "Longer"]) {
    const description = Array.from({ length: 80 }, (_, line) => `Line ${line}.`).join("\n\n");
    assert.equal((await queue.client.post(queue.path, { title, description })).status, 201);
  }
  const page = await queue.open();
  await row(page, "Longer").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
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

test("a page that the browser brings back shows what became of a dismissal that was sent when it was left", async () => {
  const queue = await openQueue("Wish", "Real");
  const page = await queue.open();
  await row(page, "Real").waitFor();
  await page.route("**/dismiss", (route) => route.fulfill({ status: 409, json: { message: "Not now." } }));
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss the report" }).waitFor();
  await page.keyboard.press("4");
  await eventually(() => titlesShown(page), ["Real"]);
  const asked = page.waitForResponse("**/dismiss");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await asked;
  await eventually(() => titlesShown(page), ["Real"]);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await eventually(() => titlesShown(page), ["Wish", "Real"]);
  await page.leave();
});

test("H and a digit dismiss; Undo puts the report back and nothing is sent", async () => {
  const queue = await openQueue("Spam", "Real");
  const page = await queue.open();
  await row(page, "Real").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Dismiss the report" });
  await dialog.waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("4");
  await eventually(() => titlesShown(page), ["Real"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Real");
  await page.getByRole("link", { name: "Dismissed 1" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => titlesShown(page), ["Spam", "Real"]);
  await eventually(async () => (await queue.one(0)).dismissed_at, null);
  await page.leave();
});

test("a dismissal with a note is sent when the page is left, and is listed with its reason", async () => {
  const queue = await openQueue("Wish", "Real");
  const page = await queue.open("?report=0");
  await preview(page).getByText("There is no such report").waitFor();
  await row(page, "Wish").getByRole("link").click();
  await preview(page).getByRole("button", { name: "Dismiss" }).click();
  const dialog = page.getByRole("dialog", { name: "Dismiss the report" });
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.getByText("Choose a reason.").waitFor();
  await dialog.getByRole("radio", { name: /Already shipped/ }).click();
  await dialog.getByRole("textbox", { name: /Note/ }).fill("Since 2.1");
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  // On to the next one.
  await preview(page).getByRole("heading", { name: "Real" }).waitFor();
  await page.getByRole("link", { name: "Report #" }).click();
  await page.waitForURL(/\/reports\/\d+$/);
  await eventually(async () => {
    const { dismiss_reason, dismiss_reason_note } = await queue.one(0);
    return [dismiss_reason, dismiss_reason_note];
  }, ["already-shipped", "Since 2.1"]);
  await page.getByRole("link", { name: "Triage" }).last().click();
  await page.getByRole("link", { name: /^Dismissed/ }).click();
  await row(page, "Wish").getByText("Already shipped").waitFor();
  await page.leave();
});

test("a report somebody else promoted first is shown as it is", async () => {
  const queue = await openQueue("Contested", "Other");
  const page = await queue.open();
  await row(page, "Contested").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss the report" }).waitFor();
  const { id, title } = await queue.one(0);
  await queue.client.post(`${queue.path}/promote`, { report_ids: [id], title, description: "x" });
  await page.keyboard.press("1");
  await page.getByText("“Contested” was not dismissed").waitFor();
  await page.getByRole("link", { name: "Promoted 1" }).click();
  await row(page, "Contested").waitFor();
  await page.leave();
});

test("tabs and search are in the address, and a search without a hit is cleared at once", async () => {
  const queue = await openQueue("Red door", "Blue door", "Window");
  await queue.client.post(`${queue.path}/${queue.reports[2]?.id}/dismiss`, { category: "invalid" });
  const page = await queue.open("?query=door");
  await eventually(() => titlesShown(page), ["Red door", "Blue door"]);
  await page.getByRole("searchbox", { name: "Search the reports" }).fill("blue");
  await page.waitForURL(/query=blue/);
  await eventually(() => titlesShown(page), ["Blue door"]);
  await page.getByRole("link", { name: "Dismissed 1" }).click();
  await page.waitForURL(/view=dismissed/);
  await page.getByText("No report found").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "Window").waitFor();
  await eventually(() => page.getByRole("searchbox", { name: "Search the reports" }).inputValue(), "");
  await page.goBack();
  await page.leave();
});

test("J and K carry the focus and what is open; Escape closes it and leaves the focus on its row", async () => {
  const queue = await openQueue("One", "Two", "Three");
  const page = await queue.open();
  await row(page, "Three").waitFor();
  await page.keyboard.press("j");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "One");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await preview(page).getByRole("heading", { name: "Two" }).waitFor();
  await page.keyboard.press("j");
  await preview(page).getByRole("heading", { name: "Three" }).waitFor();
  await page.waitForURL(new RegExp(`report=${queue.reports[2]?.id}$`));
  await page.keyboard.press("k");
  await preview(page).getByRole("heading", { name: "Two" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(/triage$/);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Two");
  await page.leave();
});

test("a file is attached by button and by paste; one of a wrong type is refused and can be taken off", async () => {
  const queue = await openQueue("With files");
  const page = await queue.open(`?report=${queue.reports[0]?.id}`);
  const files = preview(page).getByLabel(/Drop files here/);
  await files.setInputFiles([
    { name: "log.txt", mimeType: "text/plain", buffer: Buffer.from("a line") },
    { name: "run.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await preview(page)
    .getByRole("link", { name: /log\.txt/ })
    .waitFor();
  await preview(page).getByText("run.exe is of a type that cannot be attached.").waitFor();
  await page.checkAccessibility();
  await preview(page).getByRole("button", { name: "Cancel run.exe" }).click();
  await pastePicture(page.getByRole("heading", { name: "With files" }), "pasted.png");
  await preview(page).getByRole("button", { name: "Look at pasted.webp" }).waitFor();
  await eventually(async () => (await queue.one(0)).attachments_count, 2);
  await page.leave();
});

test("a report is deleted once one is sure, and the last one leaves the queue clear", async () => {
  const queue = await openQueue("Only");
  await upload(queue.client, `${queue.path}/${queue.reports[0]?.id}/attachments`, [
    { name: "file", filename: "a.txt", content: "a" },
  ]);
  const page = await queue.open();
  await row(page, "Only").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Backspace");
  const dialog = page.getByRole("alertdialog", { name: /^Delete report/ });
  await dialog.getByText("Its file goes with it").waitFor();
  await dialog.getByRole("button", { name: "Delete report" }).click();
  await page.getByText("Queue clear").waitFor();
  await eventually(() => queue.order(), []);
  await page.leave();
});

test("the bell says whether one is told of new reports", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  const bell = page.getByRole("button", { name: "Tell me about new reports" });
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

test("somebody who may not update reports is offered no verbs, and their keys do nothing", async () => {
  const queue = await openQueue("Look only");
  const reporter = await queue.somebody("Reporter");
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

test("where reports are switched off the page says so", async () => {
  const workspace = (await stage.api.post("/api/workspaces", { name: "Quiet", features: { reports: false } }))
    .body;
  await stage.api.post("/api/projects", { key: "QUIET", name: "Quiet", workspace_id: workspace.id });
  const page = await stage.open("/projects/QUIET/triage");
  await page.getByRole("heading", { name: "Switched off" }).waitFor();
  await page.goto("/projects/QUIET/reports/1");
  await page.getByRole("heading", { name: "Switched off" }).waitFor();
  await page.leave();
});

test("a report has a page of its own, with the same verbs", async () => {
  const queue = await openQueue("On its own");
  const page = await stage.open(`/projects/${queue.key}/reports/${queue.reports[0]?.id}`, { as: queue.user });
  await page.getByRole("heading", { level: 1, name: "On its own" }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "Promote to an issue" });
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await page.getByRole("link", { name: `${queue.key}-1 On its own` }).waitFor();
  await eventually(() => page.getByRole("button", { name: "Promote" }).count(), 0);
  await page.goto(`/projects/${queue.key}/reports/999999`);
  await page.getByText("There is nothing at this address").waitFor();
  await page.leave();
});

test("a thousand reports scroll with a few rows in the page, and the last is reached and moved to the top", async () => {
  const queue = await openQueue();
  const ranks = ranksBehind(null, 1_000);
  await stage.t.db
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

test("the queue, its dialogs and a report have no accessibility violation in both themes, and fit a phone", async () => {
  const queue = await openQueue(
    "A title that goes on for so long that it cannot fit one line of a phone",
    "Second",
  );
  for (const theme of ["light", "dark"] as const) {
    const page = await queue.open("", { theme });
    await row(page, "Second").waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await preview(page)
      .getByRole("heading", { name: /A title/ })
      .waitFor();
    await page.checkAccessibility();
    for (const [key, name] of [
      ["e", "Promote to an issue"],
      ["h", "Dismiss the report"],
      ["Shift+R", "New report"],
    ] as const) {
      await page.keyboard.press(key);
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
  await phone.getByRole("button", { name: "Close the report" }).click();
  await row(phone, "Second").waitFor();
  await eventually(() => isWide(), false, "the queue scrolls sideways");
  await phone.leave();
});
