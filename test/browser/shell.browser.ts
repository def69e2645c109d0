import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("a visitor is sent to the sign-in page and then back to the requested page", async () => {
  const page = await site.open("/projects/WEB/board", { as: null });
  await page.waitForURL(/\/sign-in\?return_to=%2Fprojects%2FWEB%2Fboard$/);
  await page.leave();
});

test("the navigation shows what the project has and the user may access", async () => {
  const viewer = await site.member("Reporter");
  const page = await site.open("/projects/WEB/settings", { as: viewer });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Triage" }).waitFor();
  await eventually(() => main.getByRole("link", { name: "Epics" }).count(), 0);
  await eventually(() => main.getByRole("link", { name: "Errors", exact: true }).count(), 0);
  await page.leave();
});

test("g then b opens the board, and ? shows all shortcuts", async () => {
  const page = await site.open("/");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await pressSequence(page, "g", "b");
  await page.waitForURL("**/projects/WEB/board");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Go to the inbox").waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await page.leave();
});

test("g and a letter that is pressed soon after it open a page, even if the page is too busy to handle it soon", async () => {
  const page = await site.open("/my-issues");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board" }).waitFor();
  await page.evaluate(() => {
    const press = (key: string) => new KeyboardEvent("keydown", { key, bubbles: true });
    document.body.dispatchEvent(press("g"));
    const pressed = press("b");
    // Longer than a second press may take.
    while (performance.now() < pressed.timeStamp + 1_500);
    document.body.dispatchEvent(pressed);
  });
  await page.waitForURL("**/projects/WEB/board");
  await page.leave();
});

test("single-key shortcuts can be turned off", async () => {
  const quiet = await site.member("Member");
  await (await site.clientOf(quiet)).patch("/api/profile", { single_keys: false });
  const page = await site.open("/my-issues", { as: quiet });
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").first().waitFor();
  await eventually(() => page.getByRole("dialog", { name: "Keyboard shortcuts" }).count(), 0);
  await page.leave();
});

test("shortcuts do nothing behind a dialog, and its text is kept", async () => {
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  const title = page.getByRole("dialog", { name: "New issue" }).getByRole("textbox", { name: "Title" });
  await title.fill("Half written");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("!");
  await eventually(() => title.inputValue(), "Half written!");
  await eventually(() => page.getByRole("dialog").count(), 1);
  await page.leave();
});

test("g followed by an unassigned letter does nothing, not even what the letter does alone", async () => {
  const plain = await site.member("Reporter");
  const page = await site.open("/projects/WEB/board", { as: plain });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Triage" }).waitFor();
  await pressSequence(page, "g", "?");
  await pressSequence(page, "g", "i");
  await page.waitForURL("**/notifications");
  await eventually(() => page.getByRole("dialog").count(), 0);
  await page.leave();
});

test("hovering over a project does not make it the last opened one", async () => {
  const answer = await site.api.post("/api/projects", { key: "YARD", name: "Yard" });
  assert.equal(answer.status, 201, answer.text);
  const page = await site.open("/projects/WEB/board");
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await page.goto("/");
  const link = page.getByRole("main").getByRole("link", { name: /Yard/ }).first();
  const preloaded = page.waitForRequest(/project-home-page/);
  await link.hover();
  await preloaded;
  await page.reload();
  await link.waitFor();
  await pressSequence(page, "g", "b");
  await page.waitForURL("**/projects/WEB/board");
  await page.leave();
});

test("[ collapses the sidebar to icons, and a reload keeps it so", async () => {
  const page = await site.open("/my-issues");
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Inbox" }).waitFor();
  const width = async () => (await main.boundingBox())?.width ?? 0;
  const wide = await width();
  await page.keyboard.press("[");
  await main.getByRole("button", { name: "Expand sidebar", expanded: false }).waitFor();
  await eventually(async () => (await width()) < wide / 2, true);
  await page.checkAccessibility();
  await page.reload();
  await main.getByRole("link", { name: "Inbox" }).waitFor();
  await eventually(async () => (await width()) < wide / 2, true);
  await main.getByRole("button", { name: "Expand sidebar" }).click();
  await eventually(width, wide);
  await page.leave();
});

test("the first tab stop skips the navigation", async () => {
  const page = await site.open("/my-issues");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("Tab");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Skip to content");
  await page.leave();
});

test("an unknown URL shows a not-found page without accessibility violations in both themes", async () => {
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open("/no/such/page", { theme });
    await page.getByText("Page not found").waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("unknown and inaccessible projects show the not-found page", async () => {
  const stranger = await site.member("Member");
  const page = await site.open("/projects/NOPE/board", { as: stranger });
  await page.getByText("Page not found").waitFor();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.leave();
});

test("on a narrow screen a button opens the navigation; Escape and opening a page close it", async () => {
  const page = await site.open("/my-issues", { width: 360 });
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  await menu.click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board" }).click();
  await page.waitForURL("**/projects/WEB/board");
  await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  await eventually(
    () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
    false,
    "the page scrolls sideways",
  );
  await page.leave();
});

test("the tab's title names the section of settings, and follows a rename by someone else", async () => {
  const { body: issue } = await site.api.post("/api/projects/WEB/issues", { title: "Old name" });
  const page = await site.open("/projects/WEB/settings?section=labels");
  await eventually(() => page.title(), "Project settings: Labels · Signalbox");
  await page.goto(`/projects/WEB/issues/${issue.key}`);
  await eventually(() => page.title(), `${issue.key} Old name · Signalbox`);
  await site.api.patch(`/api/projects/WEB/issues/${issue.key}`, { title: "New name" });
  await eventually(() => page.title(), `${issue.key} New name · Signalbox`);
  await page.leave();
});

test("pages cannot be framed by other sites, and only the app's own scripts run", async () => {
  const answer = await fetch(`${site.url}/projects/WEB/board`, { headers: { accept: "text/html" } });
  assert.equal(answer.status, 200);
  const policy = answer.headers.get("content-security-policy") ?? "";
  assert.match(policy, /script-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(answer.headers.get("cache-control"), "no-cache");
});

test("hashed files are cached for a year and precompressed; a missing file returns 404, not the page", async () => {
  const html = await (await fetch(site.url)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? assert.fail("no script in the page");
  const answer = await fetch(site.url + script, { headers: { "accept-encoding": "br" } });
  assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(answer.headers.get("content-encoding"), "br");
  assert.equal((await fetch(`${site.url}/assets/none.js`)).status, 404);
  assert.equal((await fetch(`${site.url}/.vite/manifest.json`)).status, 404);
  const missing = await fetch(`${site.url}/api/none`);
  assert.equal(missing.headers.get("content-type"), "application/json; charset=utf-8");
});

test("a tooltip opens on hover and keyboard focus, and Escape closes it", async () => {
  const page = await site.open("/projects/WEB/triage");
  const bell = page.getByRole("button", { name: "Notify me about new reports" });
  const tooltip = page.locator("[data-tooltip-box]", { hasText: "Notify me about new reports" });
  await bell.hover();
  await tooltip.waitFor();
  await tooltip.hover();
  await eventually(() => tooltip.isVisible(), true);
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "hidden" });

  await page.mouse.move(0, 0);
  await bell.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await tooltip.waitFor();
  await page.keyboard.press("Tab");
  await tooltip.waitFor({ state: "hidden" });
  await page.leave();
});

test("the API reference finds an operation by keyboard, shows its requests, and sends one with the session", async () => {
  const page = await site.open("/api/docs");
  await page.getByRole("heading", { name: "API reference", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Create a project", exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("create epic");
  await page.getByRole("link", { name: "Create a project", exact: true }).waitFor({ state: "hidden" });
  await page.keyboard.press("ArrowDown");
  await page.locator("nav [data-row='0']:focus").waitFor();
  await page.getByRole("link", { name: "Create an epic", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "Create an epic", level: 2 }).waitFor();
  await page.getByRole("textbox", { name: "projectId" }).fill("WEB");
  await page.getByRole("textbox", { name: "Body to send" }).fill('{"title": "From the reference"}');
  const curl = page.getByRole("region", { name: "curl", exact: true });
  await curl.getByText(`'{"title":"From the reference"}'`).waitFor();
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByRole("region", { name: "Response: 201 Created" }).getByText("From the reference").waitFor();
  await page.leave();
});
