import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createBoard } from "./board-page.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key. */

const site = await useTestSite();

const navigation = (page: TestPage) => page.getByRole("navigation", { name: "Main" });
const openNavigation = (page: TestPage) => page.getByRole("button", { name: "Menu" }).tap();

test("a project token is created", async () => {
  const { key } = await createBoard(site);
  const page = await site.open(`/projects/${key}/board`, PHONE);
  await openNavigation(page);
  await navigation(page).getByRole("link", { name: "Settings" }).tap();
  await page.getByRole("link", { name: "Tokens", exact: true }).tap();
  await page.getByRole("button", { name: "New token" }).tap();
  await page.getByLabel("Name", { exact: true }).tap();
  await page.keyboard.insertText("Shop server");
  await page.getByRole("button", { name: "Create token" }).tap();
  const shown = page.getByRole("dialog", { name: "Copy the token now" });
  const token = await shown.getByLabel("Token", { exact: true }).inputValue();
  const read = () => site.t.http.as(token).get(`/api/projects/${key}/reports`);
  await eventually(async () => (await read()).status, 200);
  await shown.getByRole("button", { name: "Done" }).tap();
  await page.getByText("Does not expire").waitFor();
  await page.leave();
});

test("a person is invited", async () => {
  const page = await site.open("/", PHONE);
  await openNavigation(page);
  await page.getByRole("button", { name: /Ada Moss/ }).tap();
  await page.getByRole("menuitem", { name: "Workspace settings" }).tap();
  await page.getByRole("link", { name: "Invitations" }).tap();
  await page.getByRole("button", { name: "Invite", exact: true }).tap();
  const dialog = page.getByRole("dialog", { name: "Invite" });
  await dialog.getByLabel("Email").tap();
  await page.keyboard.insertText("grace@example.com");
  await dialog.getByRole("button", { name: "Invite", exact: true }).tap();
  const done = page.getByRole("dialog", { name: "grace@example.com is invited" });
  await done.getByRole("button", { name: "Done" }).tap();
  await page.getByRole("list", { name: "Invitations" }).getByText("grace@example.com").waitFor();
  await page.leave();
});

test("something is found, made a favorite, and opened from the navigation", async () => {
  const board = await createBoard(site);
  const issue = await board.make("Oil the turntable");
  const page = await site.open("/", PHONE);
  await openNavigation(page);
  await navigation(page).getByRole("button", { name: "Search" }).tap();
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("turntable");
  await page.getByRole("option", { name: /Oil the turntable/ }).tap();
  await page.getByRole("button", { name: "Favorite" }).tap();
  await page.goto("/");
  await openNavigation(page);
  const favorites = page.getByRole("region", { name: "Favorites" });
  await favorites.getByRole("link", { name: "Oil the turntable" }).tap();
  await page.waitForURL(`**/issues/${issue.key}`);
  await page.leave();
});

test("a filtered list is saved as a view and opened again", async () => {
  const board = await createBoard(site);
  await board.make("Urgent", { priority: 0 });
  const page = await site.open(`/projects/${board.key}/issues?priority=0`, PHONE);
  await page.getByRole("button", { name: "Views", exact: true }).tap();
  await page.getByRole("menuitem", { name: "Save view" }).tap();
  await page.getByRole("textbox", { name: "Name" }).tap();
  await page.keyboard.insertText("Urgent ones");
  await page.getByRole("button", { name: "Save view" }).tap();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.goto("/");
  await openNavigation(page);
  await navigation(page).getByRole("link", { name: "Urgent ones" }).tap();
  await page.waitForURL(`**/projects/${board.key}/issues?priority=0`);
  await page.leave();
});
