import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;

test("a starred issue, a shared view and a saved search appear in the sidebar, and the keyboard changes their order", async () => {
  const { body: issue } = await site.api.post(`${p}/issues`, { title: "Oil the turntable" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  const star = page.getByRole("button", { name: "Favorite" });
  await star.click();
  const favorites = page.getByRole("region", { name: "Favorites" });
  await favorites.getByRole("link", { name: "Oil the turntable" }).waitFor();
  await page
    .locator("button[aria-pressed=true]", { has: page.locator("svg") })
    .and(star)
    .waitFor();

  await page.goto("/projects/WEB/errors?environment=staging");
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Staging");
  await page.keyboard.press("Enter");
  await favorites.getByRole("link", { name: "Staging" }).waitFor();
  const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
  await eventually(() => current.allTextContents(), ["Staging"]);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Staging for all");
  await page.getByRole("checkbox", { name: "Share with everyone in Web shop" }).check();
  await page.getByRole("button", { name: "Save view" }).click();
  const shared = page.getByRole("region", { name: "Shared views" });
  await shared.getByRole("link", { name: "Staging for all" }).waitFor();
  await page.checkAccessibility();

  await site.api.post(`${p}/epics`, { title: "Trains" });
  for (const [path, name] of [
    ["board?priority=0", "Urgent cards"],
    ["epics?view=timeline", "Timeline"],
  ] as const) {
    await page.goto(`/projects/WEB/${path}`);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save view" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.keyboard.press("Enter");
    const link = favorites.getByRole("link", { name });
    await link.waitFor();
    assert.equal(await link.getAttribute("href"), `/projects/WEB/${path}`);
  }

  await page.goto("/search?query=oil&kind=issue");
  await page.getByRole("link", { name: "Oil the turntable" }).nth(1).waitFor();
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  await eventually(() => page.getByRole("textbox", { name: "Name" }).inputValue(), "oil");
  await page.keyboard.press("Enter");
  const search = favorites.getByRole("link", { name: "oil", exact: true });
  await search.waitFor();
  assert.equal(await search.getAttribute("href"), "/search?kind=issue&query=oil");
  await page.goto("/search?query=oil&project=WEB");
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  await page.getByRole("checkbox", { name: "Share with everyone in Web shop" }).check();
  await page.keyboard.press("Enter");
  await shared.getByRole("link", { name: "oil", exact: true }).waitFor();
  await page.checkAccessibility();

  await page.getByRole("button", { name: "Manage: Favorites" }).click();
  const dialog = page.getByRole("dialog", { name: "Favorites and views" });
  await dialog.getByRole("group", { name: "Staging", exact: true }).focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press(" ");
  const order = async () =>
    (await site.api.get("/api/profile/views")).body.data.map(({ name }: { name: string }) => name);
  const sorted = ["Staging", "Oil the turntable", "Urgent cards", "Timeline", "oil"];
  await eventually(order, sorted);
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await eventually(() => favorites.getByRole("link").allTextContents(), sorted);
  await page.leave();

  const reporter = await site.member("Reporter");
  const { body: board } = await site.api.post(`${p}/views`, {
    page: "board",
    name: "By epic",
    search: "group=epic",
  });
  assert.equal(board.search, "group=epic");
  const other = await site.open("/projects/WEB/triage", { as: reporter });
  await other.getByRole("region", { name: "Shared views" }).getByRole("link", { name: "By epic" }).click();
  await other.waitForURL("**/projects/WEB/board?group=epic");
  await eventually(() => other.getByRole("link", { name: "Staging for all" }).count(), 0);
  await other.leave();
});
