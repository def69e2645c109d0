import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;
const issue = await site.create("/issues", { title: "Oil the turntable" });
await site.create("/epics", { title: "Trains" });

/** Opens a page as a new manager of the project, who has no favorites or views. */
const openAsManager = async (path: string) => site.open(path, { as: await site.member("Manager") });

const favorites = (page: TestPage) => page.getByRole("region", { name: "Favorites" });
const shared = (page: TestPage) => page.getByRole("region", { name: "Shared views" });

/** Opens the dialog that saves the page as a view, and returns its name field. */
async function startSaving(page: TestPage) {
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  return page.getByRole("textbox", { name: "Name" });
}

test("a starred issue appears among the favorites in the sidebar", async () => {
  const page = await openAsManager(`/projects/WEB/issues/${issue.key}`);
  const star = page.getByRole("button", { name: "Favorite" });
  await star.click();
  await favorites(page).getByRole("link", { name: "Oil the turntable" }).waitFor();
  await page
    .locator("button[aria-pressed=true]", { has: page.locator("svg") })
    .and(star)
    .waitFor();
  await page.leave();
});

test("a saved view appears among the favorites, as the current page", async () => {
  const page = await openAsManager("/projects/WEB/errors?environment=staging");
  await (await startSaving(page)).fill("Staging");
  await page.keyboard.press("Enter");
  await favorites(page).getByRole("link", { name: "Staging" }).waitFor();
  const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
  await eventually(() => current.allTextContents(), ["Staging"]);
  await page.leave();
});

test("a view shared with the project appears among its shared views", async () => {
  const page = await openAsManager("/projects/WEB/errors?environment=staging");
  await (await startSaving(page)).fill("Staging for all");
  await page.getByRole("checkbox", { name: "Share with everyone in Web shop" }).check();
  await page.getByRole("button", { name: "Save view" }).click();
  await shared(page).getByRole("link", { name: "Staging for all" }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

for (const [path, name] of [
  ["board?priority=0", "Urgent cards"],
  ["epics?view=timeline", "Timeline"],
] as const)
  test(`a view saved on ${path} links to it`, async () => {
    const page = await openAsManager(`/projects/WEB/${path}`);
    await (await startSaving(page)).fill(name);
    await page.keyboard.press("Enter");
    const link = favorites(page).getByRole("link", { name });
    await link.waitFor();
    await eventually(() => link.getAttribute("href"), `/projects/WEB/${path}`);
    await page.leave();
  });

test("a saved search is named after its words and links to them with their filters", async () => {
  const page = await openAsManager("/search?query=oil&kind=issue");
  await page.getByRole("main").getByRole("link", { name: "Oil the turntable" }).first().waitFor();
  const name = await startSaving(page);
  await eventually(() => name.inputValue(), "oil");
  await page.keyboard.press("Enter");
  const search = favorites(page).getByRole("link", { name: "oil", exact: true });
  await search.waitFor();
  await eventually(() => search.getAttribute("href"), "/search?kind=issue&query=oil");
  await page.leave();
});

test("a search of a project is shared with the project", async () => {
  const page = await openAsManager("/search?query=oil&project=WEB");
  await startSaving(page);
  await page.getByRole("checkbox", { name: "Share with everyone in Web shop" }).check();
  await page.keyboard.press("Enter");
  await shared(page).getByRole("link", { name: "oil", exact: true }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("favorites are moved by keyboard", async () => {
  const user = await site.member("Manager");
  const client = await site.clientOf(user);
  const project_id = site.project.id;
  for (const view of [
    { page: "issue", project_id, issue_id: issue.id },
    { page: "errors", project_id, name: "Staging", search: "environment=staging" },
    { page: "board", project_id, name: "Urgent cards", search: "priority=0" },
    { page: "epics", project_id, name: "Timeline", search: "view=timeline" },
    { page: "search", name: "oil", search: "kind=issue&query=oil" },
  ])
    assert.equal((await client.post("/api/profile/views", view)).status, 201);
  const page = await site.open("/projects/WEB/triage", { as: user });
  await page.getByRole("button", { name: "Manage: Favorites" }).click();
  const dialog = page.getByRole("dialog", { name: "Favorites and views" });
  await dialog.getByRole("group", { name: "Staging", exact: true }).focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press(" ");
  const order = async () =>
    (await client.get("/api/profile/views")).body.data.map(({ name }: { name: string }) => name);
  const sorted = ["Staging", "Oil the turntable", "Urgent cards", "Timeline", "oil"];
  await eventually(order, sorted);
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await eventually(() => favorites(page).getByRole("link").allTextContents(), sorted);
  await page.leave();
});

test("a shared view links to its list, for people who can read that list", async () => {
  const { body: board } = await site.api.post(`${p}/views`, {
    page: "board",
    name: "By epic",
    search: "group=epic",
  });
  assert.equal(board.search, "group=epic");
  await site.create("/views", { page: "errors", name: "Regressed errors", search: "" });
  const page = await site.open("/projects/WEB/triage", { as: await site.member("Reporter") });
  await shared(page).getByRole("link", { name: "By epic" }).click();
  await page.waitForURL("**/projects/WEB/board?group=epic");
  await eventually(() => page.getByRole("link", { name: "Regressed errors" }).count(), 0);
  await page.leave();
});
