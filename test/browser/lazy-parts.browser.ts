import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const BOARD = "**/assets/board-page-*.js";
const ISSUES = "**/assets/attached-issues-*.js";

const sprint = await site.create("/sprints", { name: "Autumn" });
const epic = await site.create("/epics", { title: "Autumn" });
await site.create("/issues", { title: "Guest form", sprint_id: sprint.id, epic_id: epic.id });

/** Opens the home page, where the code of the board is not loaded yet. */
async function openHome(): Promise<TestPage> {
  const page = await site.open("/projects/WEB");
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();
  return page;
}

const boardLink = (page: TestPage) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board", exact: true });

const boardHeading = (page: TestPage) => page.getByRole("heading", { name: "Board", level: 1 });

test("a page whose code cannot be fetched says so, and opens once the server answers again, without a reload", async () => {
  const page = await openHome();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.route(BOARD, (route) => route.abort());
  await page.route(
    (url) => url.pathname === "/",
    (route) => route.abort(),
  );
  await boardLink(page).click();
  await page.getByText("this page has not been opened on this device before").waitFor();
  assert.equal(new URL(page.url()).pathname, "/projects/WEB/board");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await boardHeading(page).waitFor();
  await eventually(() => page.evaluate(() => "sameDocument" in window), true);
  page.complaints.splice(0);
  await page.leave();
});

test("after an update of the server, opening a page whose code is gone loads the new version", async () => {
  const page = await openHome();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.route(BOARD, (route) => route.fulfill({ status: 404 }));
  await page.route(
    (url) => url.pathname === "/",
    (route) => route.fulfill({ body: '<script type="module" src="/assets/index-new.js"></script>' }),
  );
  // The document of the new version has code that can be loaded. Until then, a link that the pointer is over has tried once more.
  await page.route(
    (url) => url.pathname === "/projects/WEB/board",
    async (route) => {
      await page.unroute(BOARD);
      await route.continue();
    },
  );
  await boardLink(page).click();
  await boardHeading(page).waitFor();
  await eventually(() => page.evaluate(() => "sameDocument" in window), false);
  assert.equal(new URL(page.url()).pathname, "/projects/WEB/board");
  // React logs the error that led to the reload.
  page.complaints.splice(0);
  await page.leave();
});

for (const [name, path] of [
  ["a sprint", `sprints/${sprint.id}`],
  ["an epic", `epics/${epic.id}`],
])
  test(`an issue table on the page of ${name} appears once its code can be fetched, without a reload`, async () => {
    const page = await site.open("/assets/none.txt");
    await page.route(ISSUES, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("attached-issues"));
    await page.goto(`/projects/WEB/${path}`);
    await failed;
    await page.getByRole("heading", { name: "Autumn", level: 1 }).waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.getByRole("link", { name: "Guest form" }).waitFor();
    await eventually(() => page.evaluate(() => "sameDocument" in window), true);
    page.complaints.splice(0);
    await page.leave();
  });

test("an idle page loads the code of all others, so that they open while the server is away", async () => {
  const page = await site.open("/assets/none.txt", { preload: true });
  const names = new Set<string>();
  page.on("requestfinished", (request) => names.add(request.url()));
  await page.goto("/projects/WEB");
  const isLoaded = (part: string) => [...names].some((url) => url.includes(`/${part}-`));
  await eventually(async () => ["palette", "board-page", "promote-dialog"].every(isLoaded), true);
  await page.leave();
});
