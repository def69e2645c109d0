import assert from "node:assert/strict";
import { test } from "node:test";
import { runImports } from "../../src/server/integrations/transfer/import/runs/run-imports.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** What the background job does. */
const work = () =>
  runImports({ db: site.t.db, storage: site.t.storage, retentionDays: 90 }, new AbortController().signal);

const CSV = "No,Headline,Who\n1,Coupons fail,Octo Cat\n2,,Octo Cat\n3,Slow start,Grace\n";

const upload = (page: TestPage, name: string) =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(CSV) });

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

test("an import can be opened again on a phone", async () => {
  const page = await site.open("/projects/WEB/settings?section=import", PHONE);
  await upload(page, "phone.csv");
  await page.getByRole("region", { name: "phone.csv" }).waitFor();
  await work();
  await page.reload();
  await page.getByRole("button", { name: "Show phone.csv" }).tap();
  await page
    .getByRole("region", { name: "phone.csv" })
    .getByText(/^Name the column with the titles/)
    .waitFor();
  await page.leave();
});

test("members who may not change the project do not see the section", async () => {
  const member = await site.member("Member");
  const page = await site.open("/projects/WEB/settings", { as: member });
  await page.getByRole("link", { name: "Labels" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Import" }).count(), 0);
  await page.leave();
});
