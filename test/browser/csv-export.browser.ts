import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { parseCsv } from "../support/parse-csv.ts";
import { issueLists, row } from "./issue-list.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

/** What is downloaded after the action. */
async function downloaded(page: TestPage, action: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  return text(await download.createReadStream());
}

const exportView = (page: TestPage) =>
  downloaded(page, async () => {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Export CSV" }).click();
  });

const cellsOf = (csv: string, column: string) => parseCsv(csv).map((cells) => cells[column]);

test("the CSV file of the issue list has the issues of a filter with several values, and of a text", async () => {
  const project = await ownProject();
  const label = await created<{ id: number }>(`${project.url}/labels`, { name: "Shop", color: "#1f6feb" });
  await project.make("Cart, with label", { label_ids: [label.id] });
  await project.make("Cart without");
  await project.make("Pay later", { priority: 0 });
  const other = await created<{ id: number }>(`${project.url}/labels`, { name: "Other", color: "#1f6feb" });
  await project.make("Other cart", { label_ids: [other.id] });

  const page = await site.open(`/projects/${project.key}/issues?label=${label.id},none&priority=2,3`);
  await row(page, "Cart without").waitFor();
  await row(page, "Pay later").waitFor({ state: "detached" });
  assert.deepEqual(cellsOf(await exportView(page), "title"), ["Cart without", "Cart, with label"]);

  await page.goto(`/projects/${project.key}/issues?query=cart&sort=title`);
  await row(page, "Other cart").waitFor();
  const saved = await exportView(page);
  assert.deepEqual(cellsOf(saved, "title").toSorted(), ["Cart without", "Cart, with label", "Other cart"]);
  const { text: sent } = await site.api.get(`${project.url}/issues?query=cart&format=csv`);
  assert.deepEqual(
    parseCsv(saved).toSorted(byId),
    parseCsv(sent).toSorted(byId),
    "the page writes the same file as the server",
  );
  await page.leave();
});

const byId = (a: Record<string, string>, b: Record<string, string>) => Number(a["id"]) - Number(b["id"]);

test("the CSV file of epics has those of the tab and of the owners", async () => {
  const project = await ownProject();
  const epic = (title: string, fields = {}) => created(`${project.url}/epics`, { title, ...fields });
  await epic("Open", { owner_id: site.owner.id });
  await epic("Nobody's");
  await epic("Finished", { state: "done", owner_id: site.owner.id });
  const page = await site.open(`/projects/${project.key}/epics`);
  await page.getByRole("link", { name: "Nobody's" }).waitFor();
  assert.deepEqual(cellsOf(await exportView(page), "title"), ["Open", "Nobody's"]);
  await page.goto(`/projects/${project.key}/epics?state=all&owner=me`);
  await page.getByRole("link", { name: "Finished" }).waitFor();
  assert.deepEqual(cellsOf(await exportView(page), "title"), ["Open", "Finished"]);
  await page.leave();
});

test("sprints and releases are exported with a button, also on a phone", async () => {
  const project = await ownProject();
  await created(`${project.url}/sprints`, { name: "Sprint 1" });
  await created(`${project.url}/releases`, { version: "1.4.2", environment: "production" });
  const page = await site.open(`/projects/${project.key}/sprints`);
  const link = page.getByRole("link", { name: "Export CSV" });
  assert.deepEqual(cellsOf(await downloaded(page, () => link.click()), "name"), ["Sprint 1"]);
  await page.leave();
  const phone = await site.open(`/projects/${project.key}/releases`, PHONE);
  await phone.getByRole("link", { name: "1.4.2" }).waitFor();
  const download = phone.getByRole("link", { name: "Export CSV" });
  assert.deepEqual(cellsOf(await downloaded(phone, () => download.tap()), "version"), ["1.4.2"]);
  await phone.checkAccessibility();
  await phone.leave();
});
