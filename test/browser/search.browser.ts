import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken, makeUser, makeWorkspaceMember } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const create = async (path: string, body: object) => {
  const answer = await site.api.post(`/api/projects/${site.project.id}${path}`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { id: number };
};
await create("/issues", { title: "Voucher is taken twice", description: "At the checkout." });
await create("/issues", { title: "Postage to islands" });
const { id: epicId } = await create("/epics", { title: "Voucher campaign" });

test("Ctrl K searches across kinds, and Enter opens the chosen result", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.waitFor();
  await page.keyboard.type("voucher");
  await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
  await page.getByRole("option", { name: /WEB-1 Voucher is taken twice/ }).waitFor();
  const chosen = page.getByRole("option", { selected: true });
  for (let press = 0; press < 10; press++) {
    if (/Voucher is taken twice/.test((await chosen.textContent()) ?? "")) break;
    await page.keyboard.press("ArrowDown");
  }
  const wanted = page.getByRole("option", { name: /Voucher is taken twice/ });
  await eventually(
    async () => (await field.getAttribute("aria-activedescendant")) === (await wanted.getAttribute("id")),
    true,
  );
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEB/issues/WEB-1");
  await field.waitFor({ state: "hidden" });
  await page.leave();
});

test("Enter opens a result for the current query, not for an earlier one", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/search?query=islands*", async (route) => {
    await answered;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.fill("voucher");
  await page.getByRole("option", { name: /Voucher is taken twice/ }).waitFor();
  const asked = page.waitForRequest("**/api/search?query=islands*");
  await field.fill("islands");
  await asked;
  await page.keyboard.press("Enter");
  answer();
  await page.waitForURL("**/projects/WEB/issues/WEB-2");
  await page.leave();
});

test("slash opens the palette too, and an issue key opens the issue if its project exists", async () => {
  const page = await site.open("/");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
  await page.keyboard.type("nope-2");
  await page.getByRole("option", { name: /All results/ }).waitFor();
  await eventually(() => page.getByRole("group", { name: "Jump to" }).count(), 0);
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("web-2");
  await page.getByRole("group", { name: "Jump to" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEB/issues/WEB-2");
  await page.leave();
});

test("keys typed while the palette loads go to the palette and do nothing on the page", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/assets/palette-*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  const asked = page.waitForRequest("**/assets/palette-*.js");
  await page.reload();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("/");
  await asked;
  await page.keyboard.type("cx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ampaign");
  await eventually(() => page.getByRole("dialog").count(), 0);
  arrive();
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.and(page.locator(":focus")).waitFor();
  await eventually(() => field.inputValue(), "campaign");
  await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
  await page.leave();
});

test("Escape cancels a dialog that is still loading", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.route("**/assets/palette-*.js", () => {});
  const asked = page.waitForRequest("**/assets/palette-*.js");
  await page.reload();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("/");
  await asked;
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.leave();
});

test("a page command is run with the mouse, and what it opens gets the focus", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("option", { name: "New epic" }).click();
  const dialog = page.getByRole("dialog", { name: "New epic" });
  await dialog.getByLabel("Title").waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
  await page.leave();
});

test("synonyms find commands, and the palette changes the theme", async () => {
  const page = await site.open("/projects/WEB/epics");
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await field.fill("log out");
  await page.getByRole("option", { name: "Sign out" }).waitFor();
  await field.fill("night");
  await page.getByRole("option", { name: "Use the dark theme", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("html[data-theme=dark]").waitFor();
  await eventually(async () => (await site.api.get("/api/profile")).body.theme, "dark");
  assert.equal((await site.api.patch("/api/profile", { theme: "system" })).status, 200);
  await page.leave();
});

test("recently opened items are offered before anything is typed", async () => {
  const page = await site.open(`/projects/WEB/epics/${epicId}`);
  await page.getByRole("heading", { level: 1, name: "Voucher campaign" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.waitForURL("**/my-issues");
  await page.keyboard.press("Control+k");
  await page
    .getByRole("group", { name: "Recent" })
    .getByRole("option", { name: /Voucher campaign/ })
    .click();
  await page.waitForURL(`**/epics/${epicId}`);
  await page.leave();
});

test("recent items are still there after a reload, except those the person may no longer read", async () => {
  const secret = await create("/epics", { title: "Secret campaign" });
  const page = await site.open(`/projects/WEB/epics/${secret.id}`);
  await page.getByRole("heading", { level: 1, name: "Secret campaign" }).waitFor();
  await page.goto("/projects/WEB/issues/WEB-2");
  await page.getByRole("heading", { level: 1, name: "Postage to islands" }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!kept.includes("Secret campaign") && !kept.includes("Postage"), kept);
  assert.equal((await site.api.delete(`/api/projects/${site.project.id}/epics/${secret.id}`)).status, 204);
  await page.goto("/my-issues");
  await page.getByRole("heading", { level: 1, name: "My issues" }).waitFor();
  await page.keyboard.press("Control+k");
  const recent = page.getByRole("group", { name: "Recent" });
  await recent.getByRole("option", { name: /WEB-2 Postage to islands/ }).waitFor();
  await eventually(() => recent.getByRole("option", { name: /campaign/ }).count(), 0);
  await page.leave();
});

test("the search page keeps query and kind in the URL and follows changes of it", async () => {
  const page = await site.open("/search");
  await page.getByRole("searchbox", { name: "Search" }).fill("voucher");
  await page.waitForURL("**/search?query=voucher");
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor();
  await page.getByRole("link", { name: "Epics", exact: true }).last().click();
  await page.waitForURL(/kind=epic/);
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("islands");
  await page.getByRole("option", { name: /All results for “islands”/ }).click();
  await page.getByRole("link", { name: "Postage to islands" }).waitFor();
  await eventually(() => page.getByRole("searchbox", { name: "Search" }).inputValue(), "islands");

  await page.getByRole("searchbox", { name: "Search" }).fill("zzzzz");
  await page.getByText("No results for “zzzzz”").waitFor();
  await page.leave();
});

test("results are marked and dated, filters narrow them, and the arrow leaves the box for J and K", async () => {
  const page = await site.open("/search?query=voucher");
  const results = page.getByRole("list", { name: "Results" });
  const row = results.getByRole("listitem").filter({ hasText: "WEB-1" });
  await eventually(() => row.locator("mark").allTextContents(), ["Voucher"]);
  await row.getByText("Web shop").waitFor();
  await row.locator("time").waitFor();
  await page.checkAccessibility();
  const box = page.getByRole("searchbox", { name: "Search" });
  await box.press("ArrowDown");
  await results.getByRole("link").first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("j");
  await results.getByRole("link").nth(1).and(page.locator(":focus")).waitFor();
  await page.goto("/search?query=voucher&state=closed");
  await page.getByText("No results for “voucher”").waitFor();
  await page.goto("/search?query=voucher&author=me");
  await row.waitFor();
  await page.leave();
});

test("J moves through the results, and Enter opens one", async () => {
  const page = await site.open("/search?query=voucher&kind=issue");
  await page.getByRole("link", { name: "Voucher is taken twice" }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).blur();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/issues/WEB-1");
  await page.leave();
});

test("someone without projects is told so on the page of all errors, too", async () => {
  const newcomer = await makeWorkspaceMember(site.t.db, site.workspaceId);
  const page = await site.open("/errors", { as: newcomer });
  await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
  await page.getByText("No projects yet").waitFor();
  await page.getByRole("button", { name: "New project" }).waitFor();
  await page.leave();
});

test("the first project is created from the empty home page; the key is derived from the name, and a taken key is rejected under its field", async () => {
  const newcomer = await makeWorkspaceMember(site.t.db, site.workspaceId);
  const page = await site.open("/", { as: newcomer });
  await page.getByText("No projects yet").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByLabel("Name").fill("Warehouse east branch");
  await eventually(() => dialog.getByLabel("Key").inputValue(), "WEB");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await dialog.getByLabel("Key").and(page.locator("[aria-invalid]")).waitFor();
  await page.checkAccessibility();
  await dialog.getByLabel("Key").fill("weast");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEAST");
  await page.getByRole("heading", { level: 1, name: "Warehouse east branch" }).waitFor();
  await page.leave();
});

test("users without a workspace see whom to ask, and no actions that would be rejected", async () => {
  const nobody = await makeUser(site.t.db);
  const page = await site.open("/", { as: nobody });
  await page.getByText("Ask an administrator to add you to one.").waitFor();
  await eventually(() => page.getByRole("button", { name: "New project" }).count(), 0);
  await page.leave();
});

test("the home page filters projects, Enter opens one, and an empty result can be cleared", async () => {
  const page = await site.open("/");
  const filter = page.getByRole("searchbox", { name: "Filter projects" });
  await filter.fill("zzz");
  await page.getByText("No projects match this filter.").waitFor();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await filter.fill("shop");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/WEB");
  await page.leave();
});

test("the overview of a project shows only what the user may read", async () => {
  const page = await site.open("/projects/WEB");
  await page.getByRole("heading", { name: "Issues: 2 open" }).waitFor();
  await page.getByRole("heading", { name: "Open errors" }).waitFor();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.leave();
  const reporter = await site.member("Reporter");
  const less = await site.open("/projects/WEB", { as: reporter });
  await less.getByRole("heading", { name: "Issues: 2 open" }).waitFor();
  await eventually(() => less.getByRole("heading", { name: "Open errors" }).count(), 0);
  await eventually(() => less.getByRole("heading", { name: "Open epics" }).count(), 0);
  await less.leave();
});

test("the overview says that nothing is open or active only if that was loaded", async () => {
  const { id } = (await site.api.post("/api/projects", { key: "CALM", name: "Calm" })).body;
  const sender = site.t.http.as(await makeProjectToken(site.t.db, id, site.owner.id));
  assert.equal((await sender.post("/api/projects/CALM/error-events", anEvent())).status, 202);
  const { data } = (await site.api.get(`/api/projects/${id}/error-groups`)).body;
  const resolved = await site.api.post(`/api/projects/${id}/error-groups/${data[0].id}/resolve`);
  assert.equal(resolved.status, 200, resolved.text);
  const page = await site.open("/projects/CALM");
  await page.getByText("No open errors.").waitFor();
  await page.getByText("No active sprint.").waitFor();
  await page.getByText("No open epics.").waitFor();
  await page.leave();

  const failing = await site.open("/");
  await failing.route(/\/api\/projects\/\d+\/(sprints|epics|error-groups)/, (route) =>
    route.fulfill({ status: 400, json: { message: "Not now." } }),
  );
  await failing.getByRole("list").getByRole("link", { name: "Calm" }).click();
  await failing.getByRole("heading", { name: "Active sprint", exact: true }).waitFor();
  await failing.getByText("Not now.").nth(1).waitFor();
  await eventually(() => failing.getByText("No active sprint.").count(), 0);
  await eventually(() => failing.getByText("No open epics.").count(), 0);
  await failing.leave();
});

test("an unknown URL inside the app shows the not-found page with a link home", async () => {
  const page = await site.open("/projects/WEB/nothing");
  await page.getByText("Page not found").waitFor();
  await page.getByRole("link", { name: "Go home" }).click();
  await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
  await page.leave();
});

test("palette, search page, home and overview have no accessibility violations in both themes and do not scroll horizontally", async () => {
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open("/", { theme, width: theme === "light" ? 1280 : 320 });
    await page.getByRole("link", { name: "Web shop" }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    await page.checkAccessibility();
    await page.keyboard.type("voucher");
    await page.getByRole("option", { name: /Voucher campaign/ }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    for (const [path, text] of [
      ["/search?query=voucher", "Voucher is taken twice"],
      ["/projects/WEB", "Voucher campaign"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("link", { name: text }).waitFor();
      await page.checkAccessibility();
      await eventually(
        () =>
          page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
        false,
        `${path} scrolls sideways`,
      );
    }
    await page.leave();
  }
});
