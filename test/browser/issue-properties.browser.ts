import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { makeCookie } from "../support/make.ts";
import { launchChromium } from "./chromium.ts";
import { addToIssue, createIssue, makeChoices, pageOf, pick, rail, readIssue } from "./issue-page.ts";
import { takeOption } from "./pick-option.ts";
import { useSharedPage } from "./shared-page.ts";
import { createPage, type TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;
const ids = await makeChoices(site);

const makeIssue = (title: string, fields?: Record<string, unknown>) => createIssue(site, title, fields);
const read = (issue: { id: number }) => readIssue(site, issue);

/** Waits until the issue on the server satisfies the predicate, and returns it. */
async function waitForIssue(issue: Issue, is: (now: Issue) => boolean): Promise<Issue> {
  let now = await read(issue);
  await eventually(async () => is((now = await read(issue))), true, "the issue becomes what is expected");
  return now;
}

test("each property is changed with the mouse; a phone leaves out those without a value until all are shown", async () => {
  const issue = await makeIssue("Properties by mouse");
  const page = await site.open(pageOf(issue), { width: 390 });
  const sprint = rail(page).getByRole("button", { name: "Sprint: No sprint" });
  await rail(page).getByRole("button", { name: "Lane: Backlog" }).waitFor();
  await eventually(() => sprint.isVisible(), false);
  await rail(page).getByRole("button", { name: "All properties" }).click();
  await sprint.waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await pick(page, "Lane", "Done");
  await rail(page).getByRole("button", { name: "Lane: Done" }).waitFor();
  await pick(page, "Priority", "Highest");
  await pick(page, "Type", "Bug");
  await pick(page, "Assignee", /Ada Moss/);
  await pick(page, "Labels", "ui");
  await page.keyboard.press("Escape");
  await pick(page, "Sprint", /Week 12/);
  await pick(page, "Epic", "Checkout");
  await rail(page).getByRole("button", { name: "Estimate: No estimate" }).click();
  await page.getByRole("textbox", { name: "Estimate" }).fill("1h 30m");
  await page.keyboard.press("Enter");
  const now = await waitForIssue(issue, (one) => one.estimated_minutes === 90 && one.epic_id !== null);
  assert.equal(now.priority, 0);
  assert.equal(now.type, 1);
  assert.equal(now.assignee_id, site.owner.id);
  assert.deepEqual(now.label_ids, [ids.label]);
  assert.equal(now.sprint_id, ids.sprint);
  assert.equal(now.epic_id, ids.epic);
  assert.notEqual(now.closed_at, null);
  await page.leave();
});

describe("properties by keyboard", () => {
  let issue: Issue;
  const sharedPage = useSharedPage(async () => {
    issue = await makeIssue("Properties by keyboard");
    const page = await site.open(pageOf(issue));
    await property(page, "Lane").waitFor();
    return page;
  });

  const property = (page: TestPage, name: string) =>
    rail(page).getByRole("button", { name: new RegExp(`^${name}:`) });

  // A picker receives the keys until it has closed, which is after the rail shows what was chosen.
  const pickerIsClosed = (page: TestPage) => page.getByRole("option").first().waitFor({ state: "detached" });

  async function choose(page: TestPage, key: string, words: string) {
    await pickerIsClosed(page);
    await page.keyboard.press(key);
    await page.getByRole("dialog").or(page.getByRole("combobox")).first().waitFor();
    await page.keyboard.type(words);
    await takeOption(page, new RegExp(words, "i"));
  }

  test("S, P, A, I and L change properties", async () => {
    const page = sharedPage();
    await choose(page, "s", "progress");
    await rail(page).getByRole("button", { name: "Lane: In progress" }).waitFor();
    await choose(page, "p", "highest");
    await rail(page).getByRole("button", { name: "Priority: Highest" }).waitFor();
    await pickerIsClosed(page);
    await page.keyboard.press("i");
    await rail(page).getByRole("button", { name: "Assignee: Ada Moss" }).waitFor();
    await choose(page, "a", "nobody");
    await rail(page).getByRole("button", { name: "Assignee: Nobody" }).waitFor();
    await choose(page, "l", "ui");
    await page.keyboard.press("Escape");
    await rail(page).getByRole("button", { name: "Labels: ui" }).waitFor();
    const now = await waitForIssue(issue, ({ label_ids }) => label_ids.length > 0);
    assert.equal(now.priority, 0);
    assert.equal(now.assignee_id, null);
    assert.deepEqual(now.label_ids, [ids.label]);
  });

  test("Enter opens the picker of a focused property", async () => {
    const page = sharedPage();
    for (const [name, words, shown] of [
      ["Type", "bug", "Type: Bug"],
      ["Sprint", "week", "Sprint: Week 12"],
      ["Epic", "check", "Epic: Checkout"],
    ] as const) {
      await property(page, name).focus();
      await choose(page, "Enter", words);
      await rail(page).getByRole("button", { name: shown }).waitFor();
    }
    await waitForIssue(issue, ({ epic_id }) => epic_id !== null);
  });

  test("an estimate that is not a time is rejected", async () => {
    const page = sharedPage();
    await property(page, "Estimate").press("Enter");
    await page.keyboard.type("soon");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a time such as 45m, 2h or 1h 30m.").waitFor();
    await page.keyboard.press("Escape");
    await rail(page).getByRole("button", { name: "Estimate: No estimate" }).waitFor();
  });

  test("an estimate of no time is saved", async () => {
    const page = sharedPage();
    await property(page, "Estimate").press("Enter");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await waitForIssue(issue, ({ estimated_minutes }) => estimated_minutes === 0);
  });
});

test("people who may manage labels can create one where labels are picked", async () => {
  const issue = await makeIssue("New label");
  const page = await site.open(pageOf(issue));
  await rail(page)
    .getByRole("button", { name: /^Labels:/ })
    .click();
  const search = page.getByRole("combobox", { name: "Search: Labels" });
  await search.fill("fresh paint");
  await page.getByRole("option", { name: "Create “fresh paint”" }).click();
  // Closing at once still saves the label that is being created.
  await page.keyboard.press("Escape");
  await rail(page).getByText("fresh paint").waitFor();
  const now = await waitForIssue(issue, ({ label_ids }) => label_ids.length === 1);
  const { body } = await site.api.get(`${base}/labels`);
  assert.equal(body.data.find(({ id }: { id: number }) => id === now.label_ids[0]).name, "fresh paint");
  await page.leave();

  const other = await site.open(pageOf(issue), { as: await site.member("Member") });
  await rail(other)
    .getByRole("button", { name: /^Labels:/ })
    .click();
  await other.getByRole("combobox", { name: "Search: Labels" }).fill("another");
  await other.getByText("Nothing found").waitFor();
  await other.leave();
});

test("a rejected change is rolled back and shows the reason", async () => {
  const issue = await makeIssue("Refused");
  const page = await site.open(pageOf(issue));
  await page.route(`**/issues/${issue.id}`, (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 422, json: { message: "That cannot be.", errors: {} } })
      : route.continue(),
  );
  await pick(page, "Priority", "Lowest");
  await page.getByText("That cannot be.").waitFor();
  await rail(page).getByRole("button", { name: "Priority: Medium" }).waitFor();
  await page.leave();
});

test("relations are found by key or title, added and removed; a cycle is rejected under its field", async () => {
  const issue = await makeIssue("In the middle");
  const first = await makeIssue("Migrate the cellar database");
  const page = await site.open(pageOf(issue));
  const add = async (entry: string, words: string, option: Issue) => {
    await addToIssue(page, entry);
    await page.getByRole("combobox").fill(words);
    await takeOption(page, `${option.key} ${option.title}`);
  };
  await add("Blocking issue", first.key, first);
  const blockedBy = page.getByRole("list", { name: "Blocked by" });
  await blockedBy.getByRole("link", { name: first.key }).waitFor();
  await eventually(async () => (await read(issue)).blocked_by_ids, [first.id]);

  await add("Blocked issue", "cellar", first);
  await page.getByRole("alert").getByText("Would create a cycle of issues that block each other.").waitFor();
  await eventually(async () => (await read(issue)).blocks_ids, []);

  await page.getByRole("button", { name: `Remove ${first.key} from “Blocked by”` }).click();
  await blockedBy.waitFor({ state: "hidden" });
  await eventually(async () => (await read(issue)).blocked_by_ids, []);
  await page.leave();
});

/** Opens a page in a browser of its own: a browser has one clipboard, which tests of other files use at the same time. */
async function openAlone(path: string): Promise<TestPage> {
  const browser = await launchChromium();
  after(() => browser.close());
  const context = await browser.newContext({
    baseURL: site.url,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const [name = "", value = ""] = (await makeCookie(site.t.db, site.owner.id)).split("=");
  await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
  const page = await createPage(context, { release: () => browser.close() });
  await page.goto(path);
  return page;
}

test("an issue can be watched and unwatched, and its link copied", async () => {
  const issue = await makeIssue("Watched");
  const page = await openAlone(pageOf(issue));
  const before = await read(issue);
  assert.equal(before.watching, true);
  await page.getByRole("button", { name: "Watching" }).click();
  await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
  await waitForIssue(issue, ({ watching }) => !watching);
  await page.locator("#main").getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), `${site.url}${pageOf(issue)}`);
  // As over plain HTTP on another host than localhost.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.locator("#main").getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Copy key" }).click();
  await page.getByText(`${issue.key} copied`).waitFor();
  await page.getByRole("textbox", { name: "Write a comment" }).focus();
  await page.keyboard.press("Control+v");
  await eventually(() => page.getByRole("textbox", { name: "Write a comment" }).inputValue(), issue.key);
  await page.leave();
});
