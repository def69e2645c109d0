import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import type { Notification } from "../../src/shared/notifications.ts";
import type { Report } from "../../src/shared/reports.ts";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { createBoard, created } from "./board-page.ts";
import { sendEvent } from "./error-list.ts";
import { chooseInMenu, focusOn, pressUntil, tabTo } from "./focus.ts";
import { openBox } from "./inbox-page.ts";
import type { TestPage } from "./test-page.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

/* Journeys with the keyboard only, through several parts of the app: the tests do not click, fill or focus anything. */

const site = await useTestSite({ LIMIT_API: "100000" });

const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);

/** Opens the picker of the focused button, types and takes what is found. */
async function pick(page: TestPage, words: string, option: string) {
  await page.keyboard.press("Enter");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.type(words);
  await takeOption(page, option);
}

test("an issue with labels and a due date is created, opened and given a sub-issue", async () => {
  const board = await createBoard(site);
  const label = await created(site, `${board.url}/labels`, { name: "payments", color: "#b14101" });
  const page = await site.open(`/projects/${board.key}/issues`);
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  await focusOn(page, "textbox", "Title");
  await page.keyboard.type("Gift cards");
  await tabTo(page, "button", /^Labels/);
  await pick(page, "pay", "payments");
  await page.keyboard.press("Escape");
  await focusOn(page, "button", /^Labels.*payments/);
  await tabTo(page, "textbox", /^Due/);
  await page.keyboard.type("24 Dec 2040");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: `Open ${board.key}-1` }).waitFor();
  await page.keyboard.press("F6");
  await tabTo(page, "button", `Open ${board.key}-1`);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/issues/${board.key}-1`);
  await tabTo(page, "button", `Add to ${board.key}-1`);
  await chooseInMenu(page, "Sub-issue");
  await focusOn(page, "textbox", `Title of the new sub-issue in ${board.key}-1`);
  await page.keyboard.type("Print them");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Sub-issues" })
    .getByRole("link", { name: /Print them/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", `Add sub-issue to ${board.key}-1`);
  await page.checkAccessibility();
  const { body: issue } = await site.api.get(`${board.url}/issues/${board.key}-1`);
  assert.deepEqual(
    [issue.title, issue.label_ids, issue.due_on],
    ["Gift cards", [(label as { id: number }).id], "2040-12-24"],
  );
  await eventually(async () => {
    const { body: part } = await site.api.get(`${board.url}/issues/${board.key}-2`);
    return [part.title, part.parent_id];
  }, ["Print them", issue.id]);
  await page.leave();
});

test("a report is read in the queue, given a type in the preview, and promoted", async () => {
  const board = await createBoard(site);
  for (const title of ["Cart empties", "Totals are wrong"])
    await created(site, `${board.url}/reports`, { title, description: `Seen today: ${title}.` });
  const page = await site.open(`/projects/${board.key}/triage`);
  await page.getByRole("link", { name: "Cart empties" }).waitFor();
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Totals are wrong");
  await page.keyboard.press("Enter");
  await page.getByText("Seen today: Totals are wrong.").last().waitFor();
  await tabTo(page, "button", /^Type/);
  await pick(page, "bug", "Bug");
  await focusOn(page, "button", /^Type.*Bug/);
  await page.keyboard.press("e");
  await page.getByText(`${board.key}-1 created`).first().waitFor();
  const { body: issue } = await site.api.get(`${board.url}/issues/${board.key}-1`);
  assert.deepEqual([issue.title, issue.type], ["Totals are wrong", 1]);
  const { body: reports } = await site.api.get(`${board.url}/reports?view=active`);
  assert.deepEqual(
    (reports as Report[]).map(({ title }) => title),
    ["Cart empties"],
  );
  await page.checkAccessibility();
  await page.leave();
});

test("an error is opened from the list, resolved, and reopened", async () => {
  const board = await createBoard(site);
  const project = (await site.api.get(board.url)).body as { id: number };
  const sender = site.t.http.as(await makeProjectToken(site.t.db, project.id, site.owner.id));
  await sendEvent(sender, `${board.url}/error-events`, anEvent({ exception_class: "CartError" }));
  const page = await site.open(`/projects/${board.key}/errors`);
  await page
    .getByRole("list", { name: /errors/i })
    .getByRole("link")
    .first()
    .waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/errors\/\d+$/);
  const status = async () => (await site.api.get(`${board.url}/error-groups`)).body.data[0].status as number;
  await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  await page.keyboard.press("e");
  await eventually(status, 1);
  await page.getByRole("button", { name: "Reopen" }).waitFor();
  await page.keyboard.press("u");
  await eventually(status, 0);
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/errors$/);
  await page.leave();
});

test("a notification is snoozed until a date that is typed", async () => {
  const box = await openBox(site, "Stays", "Later");
  const page = await box.open();
  await page.getByRole("list", { name: "Notifications" }).getByRole("link", { name: /Later/ }).waitFor();
  await page.keyboard.press("z");
  const [date] = [page.getByRole("textbox", { name: "Date", exact: true })];
  await date.waitFor();
  await tabTo(page, "textbox", "Date");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2 Jan 2040");
  await tabTo(page, "textbox", "Time");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1430");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  const snoozed = async () =>
    ((await box.client.get("/api/notifications?snoozed=true")).body as Notification[]).map(
      ({ message, snoozed_until }) => [message, new Date(snoozed_until ?? 0).toISOString()],
    );
  await eventually(snoozed, [["Later", "2040-01-02T14:30:00.000Z"]]);
  await page.leave();
});

test("a sprint is created and planned", async () => {
  const board = await createBoard(site);
  for (const title of ["One", "Two", "Three"]) await board.make(title);
  const page = await site.open(`/projects/${board.key}/sprints`);
  await page.getByText("No sprints yet").waitFor();
  await tabTo(page, "button", "New sprint");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Name");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("First");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { level: 1, name: "First" }).waitFor();
  await tabTo(page, "link", "Plan");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/plan$/);
  await tabTo(page, "link", "One");
  for (const key of ["Space", "ArrowRight", "Space"]) await page.keyboard.press(key);
  const sprint = (await site.api.get(`${board.url}/sprints`)).body.data[0].id as number;
  const planned = async () =>
    ((await site.api.get(`${board.url}/issues?sprint_id=${sprint}`)).body.data as Issue[])
      .map(({ title }) => title)
      .toSorted();
  await eventually(planned, ["One"]);
  await page.getByRole("region", { name: "First" }).getByRole("link", { name: "One" }).waitFor();
  await pressUntil(page, "Shift+Tab", "link", "Two");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("2 issues selected").waitFor();
  await tabTo(page, "button", "Add to First");
  await page.keyboard.press("Enter");
  await eventually(planned, ["One", "Three", "Two"]);
  await page.checkAccessibility();
  await page.leave();
});
