import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { Locator } from "playwright-core";
import type { Issue } from "../../src/shared/issues.ts";
import { card, created, createBoard } from "./board-page.ts";
import { openErrorList } from "./error-list.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Elements on one line share a vertical center, and elements in one column share a left edge. */

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;

/** Fails unless there are this many elements, and their words and icons share a vertical center. */
async function checkMiddle(elements: Locator, count: number): Promise<void> {
  await elements.nth(count - 1).waitFor();
  const middles = await elements.evaluateAll((all) =>
    all.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { top, bottom } = range.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  assert.equal(middles.length, count);
  assert.ok(spread(middles) <= 1, `the middles are ${middles.join(", ")}`);
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

/** The left edges of text in these elements. */
async function edges(elements: Locator): Promise<number[]> {
  return elements.evaluateAll((all) =>
    all.map((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      while (walker.nextNode()) {
        const { currentNode } = walker;
        if (currentNode.parentElement?.closest(".sr-only, [aria-hidden=true], svg")) continue;
        range.selectNodeContents(currentNode);
        break;
      }
      return Math.round(range.getBoundingClientRect().left);
    }),
  );
}

test("the names of all entries of the palette begin at the same edge", async () => {
  await created(site, `${p}/issues`, { title: "Opened before" });
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("link", { name: "Opened before" }).click();
  await page.getByRole("heading", { level: 1, name: /Opened before/ }).waitFor();
  await page.getByRole("link", { name: "Epics" }).click();
  await page.getByRole("heading", { level: 1, name: "Epics" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /Opened before/ }).waitFor();
  const found = await edges(page.getByRole("option").filter({ hasNotText: "Opened before" }));
  const recent = page.getByRole("option", { name: /Opened before/ });
  assert.deepEqual(new Set([...found, ...(await edges(recent))]).size, 1);
  await page.leave();
});

test("the palette shows no keys on a phone", async () => {
  const page = await site.open("/projects/WEB/issues", PHONE);
  await page.getByRole("button", { name: "Menu" }).tap();
  await page.getByRole("button", { name: "Search" }).tap();
  await page.getByRole("option", { name: "Go to home" }).waitFor();
  await eventually(() => page.getByRole("listbox").locator("kbd:visible").count(), 0);
  await page.leave();
});

test("the editor's tools are vertically centered on its tabs", async () => {
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("button", { name: "New issue" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByRole("button", { name: "Bold" }).waitFor();
  const tabs = dialog.getByRole("button", { name: /^(Write|Preview|Bold)/ });
  await checkMiddle(tabs, 3);
  await page.leave();
});

test("a dialog's close button is vertically centered on its title", async () => {
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("button", { name: "New issue" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  const title = dialog.getByRole("heading", { name: "New issue" });
  await checkMiddle(title.or(dialog.getByRole("button", { name: "Close" })), 2);
  await page.leave();
});

test("a due date without room for other numbers is vertically centered in its line", async () => {
  const board = await createBoard(site);
  const { id } = await board.make("Due", { due_on: "2025-03-14" });
  await created(site, `${board.url}/issues/${id}/comments`, { content: "Why?" });
  const page = await site.open(`/projects/${board.key}/board`, { width: 1024 });
  const item = page.getByRole("listitem").filter({ has: card(page, "Due") });
  await item.waitFor();
  await checkMiddle(item.getByText(/^BD\d+-1$/).or(item.getByRole("time")), 2);
  await page.leave();
});

test("the values of an issue's properties begin at the same edge, with and without a person", async () => {
  for (const assignee_id of [site.owner.id, null]) {
    const { key } = (await created(site, `${p}/issues`, { title: "Any", assignee_id })) as Issue;
    const page = await site.open(`/projects/WEB/issues/${key}`);
    const rail = page.getByRole("complementary", { name: "Properties" });
    await rail.getByRole("button", { name: /^Priority:/ }).waitFor();
    const values = rail.getByRole("button", { name: /^(Lane|Priority|Assignee|Type):/ });
    await eventually(() => values.count(), 4);
    const found = await edges(values);
    assert.ok(spread(found) <= 1, String(found));
    await page.leave();
  }
});

test("the progress of an error fits into one line on a phone", async () => {
  const errors = await openErrorList(site);
  await errors.send("Ay", { release: "1.0.0" });
  const error_group_ids = [(await errors.group("Ay")).id];
  await site.api.post("/api/error-groups/bulk-assign", { error_group_ids, assignee_id: site.owner.id });
  const page = await errors.openPageOf("Ay", { width: 390 });
  const steps = page.getByRole("list", { name: "Progress" }).getByRole("listitem");
  await checkMiddle(steps, 5);
  await page.leave();
});

test("each line of an error's progress is between two steps of the same row", async () => {
  const errors = await openErrorList(site);
  await errors.send("Wraps", { release: "1.0.0" });
  const { id } = await errors.group("Wraps");
  await site.api.post(`/api/projects/${errors.project.id}/error-groups/${id}/promote`, {});
  const page = await errors.openPageOf("Wraps", { width: 1024 });
  const list = page.getByRole("list", { name: "Progress" });
  await list.getByText("In progress").waitFor();
  const rows = await list.evaluate((element) => {
    const rows = new Map<number, { steps: number; lines: number }>();
    for (const step of element.children) {
      const { top } = step.getBoundingClientRect();
      const row = rows.get(top) ?? { steps: 0, lines: 0 };
      rows.set(top, row);
      row.steps++;
      for (const line of step.querySelectorAll("[data-line]")) {
        const { left, top, width } = line.getBoundingClientRect();
        if (document.elementFromPoint(left + width / 2, top) === line) row.lines++;
      }
    }
    return [...rows.values()];
  });
  assert.ok(rows.length > 1, "the list does not wrap");
  for (const { steps, lines } of rows) assert.equal(lines, steps - 1);
  await page.leave();
});
