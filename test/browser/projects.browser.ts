import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken, makeUser, makeWorkspaceMember } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { sendEvent } from "./error-list.ts";
import { useTestSite } from "./test-site.ts";
import { makeVoucherShop } from "./voucher-shop.ts";

const site = await useTestSite();
await makeVoucherShop(site);

test("the page of all errors says so if someone has no projects", async () => {
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
  await page.getByRole("heading", { name: "Worst errors" }).waitFor();
  await page.getByRole("link", { name: "Voucher campaign" }).waitFor();
  await page.leave();
  const reporter = await site.member("Reporter");
  const less = await site.open("/projects/WEB", { as: reporter });
  await less.getByRole("heading", { name: "Issues: 2 open" }).waitFor();
  await eventually(() => less.getByRole("heading", { name: "Worst errors" }).count(), 0);
  await eventually(() => less.getByRole("heading", { name: "Open epics" }).count(), 0);
  await less.leave();
});

test("the overview says that nothing is open or active only if that was loaded", async () => {
  const { id } = (await site.api.post("/api/projects", { key: "CALM", name: "Calm" })).body;
  const sender = site.t.http.as(await makeProjectToken(site.t.db, id, site.owner.id));
  await sendEvent(sender, "/api/projects/CALM/error-events", anEvent());
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
