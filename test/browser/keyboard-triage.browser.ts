import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Report } from "../../src/shared/reports.ts";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { focusOn, pressUntil, tabTo } from "./focus.ts";
import type { TestPage } from "./test-page.ts";
import { takeOption } from "./pick-option.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";
import { pastePicture } from "./paste-picture.ts";

/*
 * Journeys with the keyboard only: the tests do not click, fill or focus anything. The tests of setup, sign-in, issue
 * lists, error pages, the inbox and search contain further ones.
 */

const site = await useTestSite({ LIMIT_API: "100000" });

async function created<T>(path: string, body: Record<string, unknown>): Promise<T> {
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as T;
}

/** Creates a project with reports. */
async function openQueue(key: string, ...titles: string[]) {
  const { id } = await created<{ id: number }>("/api/projects", { key, name: `Project ${key}` });
  const path = `/api/projects/${id}/reports`;
  for (const title of titles) await created(path, { title, description: `What is seen: ${title}.` });
  const page = await site.open(`/projects/${key}/triage`);
  const reports = async () => (await site.api.get(path)).body as Report[];
  return { id, page, reports, order: async () => (await reports()).map(({ title }) => title) };
}

const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);

test("a report is written with a pasted image", async () => {
  const { page, reports } = await openQueue("KEYR", "Cart empties");
  await page.getByRole("link", { name: "Cart empties" }).waitFor();
  await page.keyboard.press("Shift+R");
  await focusOn(page, "textbox", "Title");
  await page.keyboard.type("Prices without tax");
  await tabTo(page, "textbox", "Description");
  await page.keyboard.type("The basket shows **net** prices.");
  await pastePicture(page.locator(":focus"), "basket.png");
  await page.getByRole("list", { name: "Images" }).getByText("basket.png").waitFor();
  await tabTo(page, "button", "Create report");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Prices without tax" }).waitFor();
  await eventually(async () => {
    const [, made] = await reports();
    return [made?.title, made?.description, made?.attachments_count];
  }, ["Prices without tax", "The basket shows **net** prices.", 1]);
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Prices without tax");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", /^View basket\.webp/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "basket.webp" }).waitFor();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", /^View basket\.webp/);
  await page.leave();
});

test("reports are moved up and down, and the focus follows the moved report", async () => {
  const { page, order } = await openQueue("KEYO", "One", "Two", "Three");
  await page.getByRole("link", { name: "Three" }).waitFor();
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Two");
  await page.keyboard.press("Alt+ArrowDown");
  await eventually(order, ["One", "Three", "Two"]);
  await eventually(() => focused(page), "Two");
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(order, ["Two", "One", "Three"]);
  await eventually(() => focused(page), "Two");
  await page.leave();
});

test("two reports are promoted to one issue, which is opened from the toast", async () => {
  const { id, page, reports } = await openQueue("KEYP", "Login loops", "Login hangs", "Other");
  await page.getByRole("link", { name: "Other" }).waitFor();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("toolbar").getByText("2 reports selected").waitFor();
  await page.keyboard.press("e");
  await focusOn(page, "textbox", "Title");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Login does not end");
  await tabTo(page, "button", /^Type/);
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Bug" }).waitFor();
  await page.keyboard.type("bug");
  await takeOption(page, "Bug");
  await focusOn(page, "button", /^Type.*Bug/);
  await tabTo(page, "button", "Create issue");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("KEYP-1 created").waitFor();
  await eventually(() => focused(page), "Other");
  await page.keyboard.press("F6");
  await tabTo(page, "button", "Open KEYP-1");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/KEYP/issues/KEYP-1");
  const [first, second] = await reports();
  assert.ok(first?.promoted_issue_id);
  assert.equal(second?.promoted_issue_id, first.promoted_issue_id);
  const { body: issue } = await site.api.get(`/api/projects/${id}/issues/${first.promoted_issue_id}`);
  assert.deepEqual([issue.title, issue.type], ["Login does not end", 1]);
  await page.leave();
});

test("a dismissal is undone with F6 and Enter, and the focus returns to the report", async () => {
  const { page, reports } = await openQueue("KEYD", "Spam", "Real");
  const spam = page.getByRole("link", { name: "Spam" });
  await spam.waitFor();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await focusOn(page, "radio", /./);
  await page.keyboard.press("4");
  await eventually(() => focused(page), "Real");
  await spam.waitFor({ state: "detached" });
  await page.keyboard.press("F6");
  await focusOn(page, "button", "Undo");
  await page.keyboard.press("Enter");
  await spam.waitFor();
  await eventually(() => focused(page), "Spam");
  await eventually(async () => (await reports())[0]?.dismissed_at, null);
  await page.keyboard.press("h");
  await focusOn(page, "radio", /./);
  await tabTo(page, "textbox", /Note/);
  await page.keyboard.type("Nothing in it");
  await pressUntil(page, "Shift+Tab", "radio", /./);
  await page.keyboard.press("1");
  await eventually(() => focused(page), "Real");
  await pressSequence(page, "g", "b");
  await page.waitForURL("**/projects/KEYD/board");
  // Leaving the page sends actions that could still be undone.
  await eventually(async () => {
    const [report] = await reports();
    return [report?.dismissed_at !== null, report?.dismiss_reason_note];
  }, [true, "Nothing in it"]);
  await page.leave();
});

/** Opens the errors Alpha, Beta and Gamma of a new project; Alpha and Beta are as `done` says. */
async function openErrors(key: string, done?: "resolve" | "ignore") {
  const { id } = await created<{ id: number }>("/api/projects", { key, name: `Errors ${key}` });
  const path = `/api/projects/${id}/error-groups`;
  const sender = site.t.http.as(await makeProjectToken(site.t.db, id, site.owner.id));
  for (const name of ["Gamma", "Beta", "Alpha"]) {
    const sent = await sender.post(`/api/projects/${id}/error-events`, anEvent({ exception_class: name }));
    assert.equal(sent.status, 202, sent.text);
  }
  const groups = async () => (await site.api.get(path)).body.data as ErrorGroup[];
  if (done)
    for (const group of await groups())
      if (group.exception_class !== "Gamma")
        assert.equal((await site.api.post(`${path}/${group.id}/${done}`)).status, 200);
  const page = await site.open(`/projects/${key}/errors`);
  const error = (name: string) => page.getByRole("link", { name, exact: true });
  await error("Gamma").waitFor();
  return {
    page,
    error,
    /** Name, status and whether it is linked to an issue, of each error. */
    summary: async () =>
      (await groups())
        .map(({ exception_class, status, linked_issue_id }) => [
          exception_class,
          status,
          linked_issue_id !== null,
        ])
        .toSorted(),
    selectTwo: async () => {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText("2 errors selected").waitFor();
    },
    goTo: async (tab: RegExp) => {
      await pressUntil(page, "Shift+Tab", "link", tab);
      await page.keyboard.press("Enter");
    },
  };
}

test("selected errors are resolved together, and the next error gets the focus", async () => {
  const { page, selectTwo, summary } = await openErrors("KEYE");
  await selectTwo();
  await page.keyboard.press("e");
  await page.getByText("2 resolved").waitFor();
  await eventually(() => focused(page), "Gamma");
  await eventually(summary, [
    ["Alpha", 1, false],
    ["Beta", 1, false],
    ["Gamma", 0, false],
  ]);
  await page.leave();
});

test("the focused error is promoted to an issue", async () => {
  const { page, summary } = await openErrors("KEYI");
  for (const name of ["Alpha", "Beta", "Gamma"]) {
    await page.keyboard.press("j");
    await eventually(() => focused(page), name);
  }
  await page.keyboard.press("Shift+p");
  await page.getByRole("dialog", { name: "Promote Gamma to an issue" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText("From Gamma").waitFor();
  await eventually(summary, [
    ["Alpha", 0, false],
    ["Beta", 0, false],
    ["Gamma", 0, true],
  ]);
  await page.leave();
});

test("selected resolved errors are ignored together", async () => {
  const { page, error, goTo, selectTwo, summary } = await openErrors("KEYH", "resolve");
  await goTo(/^Resolved/);
  await error("Alpha").waitFor();
  await selectTwo();
  await page.keyboard.press("h");
  await page.getByText("No resolved errors").waitFor();
  await eventually(summary, [
    ["Alpha", 2, false],
    ["Beta", 2, false],
    ["Gamma", 0, false],
  ]);
  await page.leave();
});

test("selected ignored errors are reopened together", async () => {
  const { page, error, goTo, selectTwo, summary } = await openErrors("KEYU", "ignore");
  await goTo(/^Ignored/);
  await error("Alpha").waitFor();
  await selectTwo();
  await page.keyboard.press("u");
  await page.getByText("2 reopened").waitFor();
  await eventually(summary, [
    ["Alpha", 0, false],
    ["Beta", 0, false],
    ["Gamma", 0, false],
  ]);
  await page.leave();
});
