import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntil } from "../support/eventually.ts";
import { startServer, stopServer } from "./site-server.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const PAGES = {
  Inbox: "/notifications",
  "My issues": "/my-issues",
  "All errors": "/errors",
  Triage: "/projects/WEB/triage",
  Errors: "/projects/WEB/errors",
  Board: "/projects/WEB/board",
  Issues: "/projects/WEB/issues",
  Sprints: "/projects/WEB/sprints",
  Epics: "/projects/WEB/epics",
  Settings: "/projects/WEB/settings",
};

const notice = (page: TestPage) => page.getByText("No connection to the server.");
const link = (page: TestPage, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

const hasStreams = async (count: number) => {
  const { text } = await site.t.http.get("/api/metrics");
  return new RegExp(`^signalbox_live_streams(?:\\{.*\\})? ${count}$`, "m").test(text);
};

/**
 * Opens a page and waits for its stream of live updates: the code that notices a lost connection is loaded after the page,
 * with the stream. The stream of the test before must have ended, because it would count as this page's.
 */
async function openWithStream(path: string): Promise<TestPage> {
  await waitUntil(() => hasStreams(0));
  const page = await site.open(path);
  await waitUntil(() => hasStreams(1));
  return page;
}

/** Opens the project's home page, where no other page, dialog or picker is loaded, and marks its document. */
async function openHome(): Promise<TestPage> {
  const page = await openWithStream("/projects/WEB");
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  return page;
}

const isSameDocument = (page: TestPage) => page.evaluate(() => "sameDocument" in window);

test("clicks on ten pages that are not loaded while the server restarts stay in the app, and the last page opens", async () => {
  const page = await openHome();
  await stopServer(site);
  for (const name of Object.keys(PAGES)) await link(page, name).click();
  await notice(page).waitFor();
  assert.equal(await isSameDocument(page), true);
  await startServer(site);
  await page.getByRole("heading", { name: /settings/i, level: 1 }).waitFor();
  await notice(page).waitFor({ state: "hidden" });
  for (const [name, path] of Object.entries(PAGES)) {
    await link(page, name).click();
    await page.waitForURL(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  assert.equal(await isSameDocument(page), true);
  page.complaints.splice(0);
  await page.leave();
});

test("a dialog or menu that is not loaded while the server restarts says so, and opens afterwards", async () => {
  const page = await openHome();
  const failure = page.getByText("This part of the app could not be loaded.");
  const openMenu = () => page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await stopServer(site);
  await page.keyboard.press("c");
  await failure.first().waitFor();
  await openMenu();
  await notice(page).waitFor();
  await startServer(site);
  await notice(page).waitFor({ state: "hidden" });
  await openMenu();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).waitFor();
  assert.equal(await isSameDocument(page), true);
  page.complaints.splice(0);
  await page.leave();
});

test("going offline shows the notice at once, and going online removes it and loads what was missed", async () => {
  const issue = (await site.api.post("/api/projects/WEB/issues", { title: "Before" })).body as { id: number };
  const page = await openWithStream("/projects/WEB/issues");
  await page.getByRole("link", { name: "Before", exact: true }).waitFor();
  await page.context().setOffline(true);
  await notice(page).waitFor();
  await site.api.patch(`/api/projects/WEB/issues/${issue.id}`, { title: "After" });
  await page.context().setOffline(false);
  await notice(page).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "After", exact: true }).waitFor();
  page.complaints.splice(0);
  await page.leave();
});
