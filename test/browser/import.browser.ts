import assert from "node:assert/strict";
import { test } from "node:test";
import { runImports } from "../../src/server/integrations/transfer/import/runs/run-imports.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** What the background job does. */
const work = () =>
  runImports({ db: site.t.db, storage: site.t.storage, retentionDays: 90 }, new AbortController().signal);

const CSV = "No,Headline,Who\n1,Coupons fail,Octo Cat\n2,,Octo Cat\n3,Slow start,Grace\n";

const upload = (page: TestPage, name: string, content = CSV) =>
  page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });

/** Chooses an option of a picker. */
async function choose(page: TestPage, label: string, option: string) {
  await page.getByRole("button", { name: label }).first().click();
  await page.getByRole("option", { name: option }).click();
}

test("a file is uploaded, mapped, checked and imported, and its issues say where they came from", async () => {
  const page = await site.open("/projects/WEB/settings?section=import");
  await page.getByText("No imports yet.").waitFor();
  await upload(page, "tasks.csv");
  const panel = page.getByRole("region", { name: "tasks.csv" });
  await panel.getByText("Checking the file…").waitFor();
  await work();
  await panel.getByText(/^Name the column with the titles/).waitFor();
  await choose(page, "Title", "Headline");
  await choose(page, "Assignee", "Who");
  await page.checkAccessibility();
  await panel.getByRole("button", { name: "Check again" }).click();
  await panel.getByText("Checking the file…").waitFor();
  await work();
  await panel.getByText("Will import 2 issues.").waitFor();
  await panel.getByRole("button", { name: "1 row is left out" }).click();
  await panel.getByText("It has no title.").waitFor();
  await panel.getByText("Grace", { exact: true }).waitFor();
  await page.checkAccessibility();
  await panel.getByRole("button", { name: "Start import" }).press("Enter");
  await panel.getByText("Importing…").waitFor();
  await work();
  await panel.getByText("Imported 2 issues.").waitFor();
  await page.getByRole("list", { name: "Imports" }).getByText(/Done/).waitFor();

  const { data } = (await site.api.get(`/api/projects/${site.project.id}/issues`)).body;
  const issue = data.find(({ title }: { title: string }) => title === "Coupons fail");
  await page.goto(`${site.url}/projects/WEB/issues/${issue.key}`);
  await page.getByText("Imported from a CSV file, assigned to Octo Cat").waitFor();
  await page.leave();
});

test("a member is chosen for a person without an account, and becomes the assignee", async () => {
  const member = await site.member("Member");
  await site.t.db
    .updateTable("users")
    .set({ first_name: "Grace", last_name: "Hopper" })
    .where("id", "=", member.id)
    .execute();
  const page = await site.open("/projects/WEB/settings?section=import");
  await upload(page, "people.csv", "id,title,assignee\np1,Move the logo,ghopper\np2,,Nobody imported\n");
  const panel = page.getByRole("region", { name: "people.csv" });
  await panel.getByText("Checking the file…").waitFor();
  await work();
  await panel.getByText("Will import 1 issue.").waitFor();
  const people = panel.getByRole("group", { name: "People without an account" });
  await eventually(() => people.getByRole("button").allTextContents(), ["Keep as text"]);
  await choose(page, "ghopper", "Grace Hopper");
  await panel.getByRole("button", { name: "Check again" }).click();
  await panel.getByText("Checking the file…").waitFor();
  await work();
  await panel.getByText("Will import 1 issue.").waitFor();
  await panel.getByRole("button", { name: "Start import" }).click();
  await panel.getByText("Importing…").waitFor();
  await work();
  await panel.getByText("Imported 1 issue.").waitFor();
  const issues = `/api/projects/${site.project.id}/issues?assignee_id=${member.id}`;
  const { data } = (await site.api.get(issues)).body;
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ["Move the logo"],
  );
  await page.leave();
});

test("an import can be opened again on a phone, mapped and started", async () => {
  const page = await site.open("/projects/WEB/settings?section=import", PHONE);
  await upload(page, "phone.csv", "Headline\nTap the card\nZoom in\n");
  await page.getByRole("region", { name: "phone.csv" }).waitFor();
  await work();
  await page.reload();
  await page.getByRole("button", { name: "Show phone.csv" }).tap();
  const panel = page.getByRole("region", { name: "phone.csv" });
  await panel.getByText(/^Name the column with the titles/).waitFor();
  await page.getByRole("button", { name: "Title" }).first().tap();
  await page.getByRole("option", { name: "Headline" }).tap();
  await page.checkAccessibility();
  await panel.getByRole("button", { name: "Check again" }).tap();
  await panel.getByText("Checking the file…").waitFor();
  await work();
  await panel.getByText("Will import 2 issues.").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await panel.getByRole("button", { name: "Start import" }).tap();
  await panel.getByText("Importing…").waitFor();
  await work();
  await panel.getByText("Imported 2 issues.").waitFor();
  await page.leave();
});

test("members who may not change the project do not see the section", async () => {
  const member = await site.member("Member");
  const page = await site.open("/projects/WEB/settings", { as: member });
  await page.getByRole("link", { name: "Labels" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Import" }).count(), 0);
  await page.leave();
});
