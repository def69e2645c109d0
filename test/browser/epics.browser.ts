import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, waitUntil } from "../support/eventually.ts";
import { focusOn, pressUntil } from "./focus.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const lanes = await site.laneIds();

const url = (path: string) => `/api/projects/${site.project.id}${path}`;

test("an epic gets new and existing issues, and its progress follows them", async () => {
  const old = await site.create("/issues", { title: "Totals are wrong" });
  const page = await site.open("/projects/WEB/epics");
  await page.getByText("No epics yet").waitFor();
  await page.getByRole("button", { name: "New epic" }).click();
  const dialog = page.getByRole("dialog", { name: "New epic" });
  await dialog.getByLabel("Title").fill("Checkout in two steps");
  await dialog.getByLabel("Starts on").fill("2026-11-02");
  await dialog.getByLabel("Ends on").fill("2026-11-01");
  // The browser validates the dates itself; remove that to test the server's error.
  await dialog.locator("form").evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await dialog.getByRole("button", { name: "Create epic" }).click();
  await dialog.getByLabel("Ends on").and(page.locator("[aria-invalid]")).waitFor();
  await dialog.getByLabel("Ends on").fill("2026-11-03");
  await dialog.getByRole("button", { name: "Create epic" }).click();

  await page.getByRole("heading", { level: 1, name: "Checkout in two steps" }).waitFor();
  await page.getByText("Overdue").waitFor();
  await page.getByRole("button", { name: "Add existing" }).click();
  await page.getByRole("option", { name: /Totals are wrong/ }).click();
  await page.getByRole("link", { name: "Totals are wrong" }).waitFor();
  await page.getByRole("img", { name: "0 of 1 done, 1 in the backlog" }).waitFor();

  await site.api.patch(url(`/issues/${old.id}`), { lane_id: lanes["done"] });
  await page.getByRole("img", { name: "1 of 1 done" }).waitFor();
  await page.leave();
});

test("pressing the submit button twice sends the form once", async () => {
  const page = await site.open("/projects/WEB/epics");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.getByRole("button", { name: "New epic" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New epic" });
  await dialog.getByLabel("Title").fill("Only once");
  // The second press comes before any timer fires, as on a page that was busy during both.
  await dialog.getByRole("button", { name: "Create epic" }).evaluate(async (button: HTMLButtonElement) => {
    button.click();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    button.click();
  });
  await dialog.waitFor({ state: "hidden" });
  assert.equal(sent.length, 1);
  await page.leave();
});

test("an epic is opened, marked as done and found under Done with the keyboard only", async () => {
  const epic = await site.create("/epics", { title: "Faster search", ends_on: "2026-11-01" });
  const page = await site.open("/projects/WEB/epics");
  const link = page.getByRole("link", { name: "Faster search" });
  await link.waitFor();
  await pressUntil(page, "j", "link", "Faster search");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/epics/${epic.id}`);
  await page.getByRole("button", { name: "Mark as done" }).focus();
  await focusOn(page, "button", "Mark as done");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Reopen" }).waitFor();
  await pressSequence(page, "g", "p");
  await page.waitForURL("**/projects/WEB/epics");
  const tab = page.getByRole("link", { name: /^Done/ });
  await tab.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/epics?state=done");
  await page.getByRole("link", { name: "Faster search" }).waitFor();
  await page.leave();
});

test("an epic gets an owner, is found by owner, and is only marked as done after a warning about open issues", async () => {
  const epic = await site.create("/epics", { title: "Postcards" });
  await site.create("/epics", { title: "Nobody’s epic" });
  await site.create("/issues", { title: "Choose a picture", epic_id: epic.id });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  await page.getByRole("button", { name: "Owner: Nobody" }).click();
  await page.getByRole("option", { name: /Ada/ }).click();
  await page.getByRole("button", { name: /^Owner: Ada/ }).waitFor();
  await page.getByRole("button", { name: "Mark as done" }).click();
  const question = page.getByRole("alertdialog", { name: "Mark “Postcards” as done?" });
  await question.getByText("1 of its issues is still open and will remain open.").waitFor();
  await page.checkAccessibility();
  await question.getByRole("button", { name: "Mark as done" }).click();
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByRole("button", { name: "Mark as done" }).waitFor();
  await page.goto("/projects/WEB/epics?owner=me");
  await page.getByRole("link", { name: "Postcards" }).waitFor();
  await page.getByRole("img", { name: /^Ada/ }).first().waitFor();
  await eventually(() => page.getByRole("link", { name: "Nobody’s epic" }).count(), 0);
  await page.leave();
});

test("the timeline lists epics with their dates and progress, and the keyboard opens one", async () => {
  const epic = await site.create("/epics", {
    title: "Winter sale",
    starts_on: "2026-11-02",
    ends_on: "2027-01-15",
  });
  await site.create("/issues", { title: "Snow on the banner", epic_id: epic.id });
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Timeline" }).click();
  const timeline = page.getByRole("list", { name: "Timeline of open epics" });
  const link = timeline.getByRole("link", { name: /^Winter sale, 2 Nov 2026 to 15 Jan 2027, 0 of 1 done/ });
  await link.waitFor();
  await page.checkAccessibility();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/epics/${epic.id}`);
  await page.leave();
});

test("on a phone, the timeline opens at today", async () => {
  const day = (month: number) => {
    const date = new Date();
    date.setUTCMonth(date.getUTCMonth() + month, 1);
    return date.toISOString().slice(0, 10);
  };
  await site.create("/epics", { title: "Long project", starts_on: day(-9), ends_on: day(9) });
  const page = await site.open("/assets/none.txt");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/projects/WEB/epics?view=timeline");
  const row = page.getByRole("listitem").filter({ hasText: "Long project" });
  const isInView = async () => {
    const today = await row.locator("[data-today]").boundingBox();
    return today !== null && today.x > 144 && today.x < 390;
  };
  await waitUntil(isInView, "today is not in view");
  await page.leave();
});

test("deleting an epic keeps its issues, and the dialog says so", async () => {
  const epic = await site.create("/epics", { title: "Old newsletter" });
  const issue = await site.create("/issues", { title: "Unsubscribe link", epic_id: epic.id });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  await page.getByRole("link", { name: "Unsubscribe link" }).waitFor();
  await page.getByRole("button", { name: "Actions for Old newsletter" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete “Old newsletter”?" });
  await dialog.getByText("Its issue is kept, without an epic.").waitFor();
  await dialog.getByRole("button", { name: "Delete epic" }).click();
  await page.waitForURL("**/projects/WEB/epics");
  await page.getByRole("heading", { level: 1, name: "Epics" }).waitFor();
  await eventually(() => page.getByRole("link", { name: "Old newsletter" }).count(), 0);
  const { body } = await site.api.get(url(`/issues/${issue.id}`));
  assert.equal(body.epic_id, null);
  await page.leave();
});

test("an epic has comments", async () => {
  const epic = await site.create("/epics", { title: "Gift cards" });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  await page.getByRole("textbox", { name: "Write a comment" }).fill("Do we need this in spring?");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByRole("region", { name: "Comments" }).getByText("Do we need this in spring?").waitFor();
  await page.leave();
});

test("an unsent comment is kept with its epic", async () => {
  const [ours, other] = [
    await site.create("/epics", { title: "Parcel lockers" }),
    await site.create("/epics", { title: "Return labels" }),
  ];
  const page = await site.open(`/projects/WEB/epics/${other.id}`);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const field = page.getByRole("textbox", { name: "Write a comment" });
  const recent = async (name: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("group", { name: "Recent" }).getByRole("option", { name }).click();
    await heading(name).waitFor();
  };
  await heading("Return labels").waitFor();
  await pressSequence(page, "g", "p");
  await page.getByRole("link", { name: "Parcel lockers" }).click();
  await heading("Parcel lockers").waitFor();
  assert.match(page.url(), new RegExp(`/${ours.id}$`));
  await field.fill("Which sizes?");
  await recent("Return labels");
  await eventually(() => field.inputValue(), "");
  await recent("Parcel lockers");
  await eventually(() => field.inputValue(), "Which sizes?");
  await page.leave();
});

test("the epic dialog sends only the edited fields and keeps concurrent changes to others; texts are edited in place", async () => {
  const epic = await site.create("/epics", { title: "Loyalty card", ends_on: "2026-12-01" });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  await page.getByRole("button", { name: "Actions for Loyalty card" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit epic" });
  await dialog.getByLabel("Title").fill("Loyalty app");
  await site.api.patch(url(`/epics/${epic.id}`), { ends_on: "2026-12-24" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const { body } = await site.api.get(url(`/epics/${epic.id}`));
  assert.deepEqual([body.title, body.ends_on], ["Loyalty app", "2026-12-24"]);

  await page.getByRole("button", { name: "Edit title" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("Loyalty program");
  await title.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Loyalty program" }).waitFor();
  await page.getByRole("button", { name: "Edit description" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("Points for **everyone**");
  await page.getByRole("textbox", { name: "Description" }).press("Control+Enter");
  await page.getByText("everyone", { exact: true }).and(page.locator("strong")).waitFor();
  await eventually(async () => {
    const { body: edited } = await site.api.get(url(`/epics/${epic.id}`));
    return [edited.title, edited.description];
  }, ["Loyalty program", "Points for **everyone**"]);
  await page.leave();
});

test("an issue of an epic counts as blocked only by open issues, in the epic or elsewhere", async () => {
  const epic = await site.create("/epics", { title: "Customs forms" });
  const open = await site.create("/issues", { title: "Ask the office" });
  const over = await site.create("/issues", { title: "Read the rules", lane_id: lanes["done"] });
  await site.create("/issues", { title: "Print the form", epic_id: epic.id, blocked_by_ids: [open.id] });
  await site.create("/issues", { title: "Fill in the form", epic_id: epic.id, blocked_by_ids: [over.id] });
  const page = await site.open(`/projects/WEB/epics/${epic.id}`);
  const issues = page.getByRole("list", { name: "Issues" });
  const line = (title: string) => issues.getByRole("listitem").filter({ hasText: title });
  await line("Print the form").getByText("Blocked").waitFor();
  await eventually(() => line("Fill in the form").getByText("Blocked").count(), 0);
  await page.leave();
});

test("users with read access see no controls to change epics, and users without it see why", async () => {
  await site.create("/epics", { title: "Read me" });
  const viewer = await site.member("Viewer");
  const page = await site.open("/projects/WEB/epics", { as: viewer });
  await page.getByRole("link", { name: "Read me" }).waitFor();
  await eventually(() => page.getByRole("button", { name: "New epic" }).count(), 0);
  await eventually(() => page.getByRole("button", { name: /^Actions for/ }).count(), 0);
  await page.leave();
  const reporter = await site.member("Reporter");
  const refused = await site.open("/projects/WEB/epics", { as: reporter });
  await refused.getByText("Page not found").waitFor();
  await refused.leave();
});

test("an unknown epic shows the not-found page", async () => {
  const page = await site.open("/projects/WEB/epics/999999");
  await page.getByText("Page not found").waitFor();
  await page.leave();
});

test("list, page and dialogs have no accessibility violations in both themes and do not scroll horizontally at 320 px", async () => {
  const epic = await site.create("/epics", {
    title: "A very long title ".repeat(12),
    description: "# Why\n\nBecause.",
    ends_on: "2026-11-01",
  });
  await site.create("/issues", { title: "Long ".repeat(40), epic_id: epic.id, lane_id: lanes["doing"] });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open("/projects/WEB/epics", { theme, width: theme === "light" ? 1280 : 320 });
    await page.getByRole("link", { name: /A very long title/ }).waitFor();
    await page.checkAccessibility();
    await page.getByRole("button", { name: "New epic" }).click();
    await page.getByRole("dialog", { name: "New epic" }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.goto(`/projects/WEB/epics/${epic.id}`);
    await page.getByRole("link", { name: /Long Long/ }).waitFor();
    await page.getByRole("heading", { name: "Why" }).waitFor();
    await page.checkAccessibility();
    await eventually(
      () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
      false,
      "the page scrolls sideways",
    );
    await page.getByRole("button", { name: /^Actions for A very long/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("a bar of the timeline moves by drag and by keys, and Ctrl+Z restores its dates", async () => {
  const dates = { starts_on: "2026-12-01", ends_on: "2026-12-31" };
  const { id } = await site.create("/epics", { title: "Movable feast", ...dates });
  const read = async (): Promise<typeof dates> => {
    const { starts_on, ends_on } = (await site.api.get(`/api/projects/${site.project.id}/epics/${id}`)).body;
    return { starts_on, ends_on };
  };
  const page = await site.open("/projects/WEB/epics?view=timeline");
  const row = page.getByRole("listitem").filter({ hasText: "Movable feast" });
  await row.getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowRight");
  await eventually(read, { starts_on: "2026-12-02", ends_on: "2027-01-01" });
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await page.keyboard.press("Control+z");
  await eventually(read, dates);

  const bar = await row.locator("[data-bar]").boundingBox();
  assert.ok(bar);
  const [x, y] = [bar.x + bar.width / 3, bar.y + bar.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 3 });
  await page.mouse.up();
  await eventually(async () => {
    const moved = await read();
    return moved.starts_on > dates.starts_on && moved.ends_on > dates.ends_on;
  }, true);
  await page.leave();
});
