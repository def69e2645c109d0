import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import type { Issue } from "../../src/shared/issues.ts";
import type { Notification } from "../../src/shared/notifications.ts";
import { eventually } from "../support/eventually.ts";
import { createBoard, inLane } from "./board-page.ts";
import { openBox, preview, row } from "./inbox-page.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** Whether a field has the focus that opens the keyboard of a phone. */
const hasKeyboard = (page: TestPage) =>
  page.evaluate(() => document.activeElement?.matches("input[type=text], input:not([type]), textarea"));

/** Whether touches at these distances from the center of an element hit it, or the label around it. */
const isHit = (element: Locator, x: number, y: number) =>
  element.evaluate(
    (element, [x, y]) => {
      const { left, width, top, height } = element.getBoundingClientRect();
      const target = element.closest("label") ?? element;
      return [-1, 1].every((sign) =>
        target.contains(document.elementFromPoint(left + width / 2 + sign * x, top + height / 2 + sign * y)),
      );
    },
    [x, y] as const,
  );

test("a card is moved to another lane with two taps, by its menu", async () => {
  const board = await createBoard(site);
  await board.make("One");
  const page = await site.open(`/projects/${board.key}/board`, PHONE);
  await page.getByRole("button", { name: `Actions for ${board.key}-1` }).tap();
  await page.getByRole("menuitem", { name: "In progress" }).tap();
  await eventually(() => board.order(board.lanes.doing), ["One"]);
  await inLane(page, "In progress", "One").waitFor();
  await page.leave();
});

test("a long press on a card opens the same menu", async () => {
  const board = await createBoard(site);
  await board.make("One");
  const page = await site.open(`/projects/${board.key}/board`, PHONE);
  // The board has taken its place once a tap would hit the card.
  await inLane(page, "Backlog", "One").tap({ trial: true });
  const { x, y } = (await inLane(page, "Backlog", "One").boundingBox()) ?? { x: 0, y: 0 };
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setEmitTouchEventsForMouse", { enabled: true, configuration: "mobile" });
  const finger = { x: x + 20, y: y + 5, button: "left", clickCount: 1 } as const;
  // It is answered only if the page takes the press as a click.
  void devTools.send("Input.dispatchMouseEvent", { type: "mousePressed", ...finger }).catch(() => {});
  const target = page.getByRole("menuitem", { name: "To do" });
  await target.waitFor();
  await devTools.send("Emulation.setEmitTouchEventsForMouse", { enabled: false });
  await target.tap();
  await eventually(() => board.order(board.lanes.todo), ["One"]);
  await page.leave();
});

test("a tap on the due date opens the calendar, which does not open the keyboard", async () => {
  const board = await createBoard(site);
  const issue = await board.make("One");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  await page.getByRole("button", { name: "All properties" }).tap();
  await page.getByRole("button", { name: /^Due:/ }).tap();
  const calendar = page.getByRole("dialog", { name: "Calendar" });
  await calendar.getByRole("button", { name: "Next month" }).tap();
  await calendar
    .getByRole("button", { name: /^15 |\b15 / })
    .first()
    .tap();
  await calendar.waitFor({ state: "hidden" });
  const due = async () => ((await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue).due_on;
  await eventually(async () => (await due())?.slice(-3), "-15");
  assert.equal(await hasKeyboard(page), false);
  await page.leave();
});

test("a picker opens without the keyboard, and a choice is saved", async () => {
  const board = await createBoard(site);
  const issue = await board.make("One");
  const page = await site.open(`/projects/${board.key}/issues/${issue.key}`, PHONE);
  await page.getByRole("button", { name: /^Priority:/ }).tap();
  await page.getByRole("option", { name: "Highest" }).waitFor();
  assert.equal(await hasKeyboard(page), false);
  await page.getByRole("option", { name: "Highest" }).tap();
  const priority = async () =>
    ((await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue).priority;
  await eventually(priority, 0);
  await page.leave();
});

test("a notification is snoozed until a time that is typed with the number pad", async () => {
  const box = await openBox(site, "Later");
  const page = await site.open("/notifications", { as: box.user, ...PHONE });
  await row(page, "Later").getByRole("link").tap();
  await preview(page).getByRole("button", { name: "Snooze" }).tap();
  const time = page.getByLabel("Time", { exact: true });
  await time.waitFor();
  await eventually(() => time.getAttribute("inputmode"), "numeric");
  await page.getByLabel("Date", { exact: true }).fill("2 Jan 2040");
  await time.fill("1430");
  await page.getByRole("dialog").getByRole("button", { name: "Snooze" }).tap();
  const snoozed = async () =>
    ((await box.client.get("/api/notifications?snoozed=true")).body as Notification[]).map(
      ({ snoozed_until }) => new Date(snoozed_until ?? 0).toISOString(),
    );
  await eventually(snoozed, ["2040-01-02T14:30:00.000Z"]);
  await page.leave();
});

test("on a touch screen, buttons are 44 px high even if they look smaller", async () => {
  await site.api.post(`/api/projects/${site.project.id}/issues`, { title: "Touched" });
  const page = await site.open("/projects/WEB/issues", PHONE);
  await page.getByRole("link", { name: "Touched" }).waitFor();
  for (const name of ["Menu", "New issue"]) {
    const button = page.getByRole("button", { name, exact: true });
    assert.ok(await isHit(button, 0, 21), name);
  }
  await page.leave();
});

test("tap targets in a row of issues are as high as the row", async () => {
  const board = await createBoard(site);
  await board.make("Touched");
  const page = await site.open(`/projects/${board.key}/issues`, PHONE);
  await page.getByRole("link", { name: "Touched" }).waitFor();
  for (const target of [
    page.getByRole("checkbox", { name: `Select ${board.key}-1` }),
    page.getByRole("button", { name: /^Priority: / }),
    page.getByRole("button", { name: /^Lane: / }),
    page.getByRole("button", { name: /^Assignee: / }),
  ])
    assert.ok(await isHit(target, 0, 18), String(target));
  await page.leave();
});

test("the tap target that collapses a lane is 44 px wide and as high as the head of the lane", async () => {
  const board = await createBoard(site);
  const page = await site.open(`/projects/${board.key}/board`, PHONE);
  const collapse = page.getByRole("button", { name: "Collapse Backlog" });
  await collapse.waitFor();
  assert.ok(await isHit(collapse, 21, 0));
  assert.ok(await isHit(collapse, 0, 17));
  await page.leave();
});

test("on a tablet, a search field and the tabs beside it are 44 px high", async () => {
  const page = await site.open("/projects/WEB/triage", { touch: true, width: 1024, height: 768 });
  const active = page.getByRole("link", { name: /^Active/ });
  await active.waitFor();
  for (const target of [active, page.getByRole("searchbox")])
    assert.equal((await target.boundingBox())?.height, 44);
  await page.leave();
});

test("on a touch screen, tabs and a collapsed search field are 44 px high", async () => {
  const page = await site.open("/projects/WEB/triage", PHONE);
  const active = page.getByRole("link", { name: /^Active/ });
  await active.waitFor();
  assert.equal((await active.boundingBox())?.height, 44);
  const field = page.getByRole("searchbox");
  const { width, height } = (await field.boundingBox()) ?? {};
  assert.deepEqual([width, height], [44, 44]);
  const icon = await page.locator("search svg").boundingBox();
  const box = await field.boundingBox();
  assert.ok(
    icon && box && icon.x + icon.width / 2 === box.x + box.width / 2,
    "the icon is not in the middle",
  );
  await field.tap();
  await eventually(async () => ((await field.boundingBox())?.width ?? 0) > 300, true);
  await page.leave();
});
