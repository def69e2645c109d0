import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

/** Rows disappear silently: screen readers need a message. */

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

async function make(path: string, body: object): Promise<{ id: number; key: string }> {
  const answer = await site.api.post(path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

const said = (page: TestPage, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

test("a deletion in the settings is announced", async () => {
  await make(`${base}/labels`, { name: "bug", color: "#b3261e" });
  const page = await site.open("/projects/WEB/settings?section=labels");
  await page.getByRole("button", { name: "Actions for bug" }).click();
  await page.getByRole("menuitem", { name: "Delete label" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete label" }).click();
  await said(page, "Label bug deleted");
  await page.leave();
});

test("the deletion of a lane is announced", async () => {
  const page = await site.open("/projects/WEB/settings?section=lanes");
  await page.getByRole("button", { name: "Actions for Backlog" }).click();
  await page.getByRole("menuitem", { name: "Delete lane" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete lane" }).click();
  await said(page, "Lane Backlog deleted");
  await page.leave();
});

test("removing a relation of an issue is announced", async () => {
  const other = await make(`${base}/issues`, { title: "Blocks it" });
  const issue = await make(`${base}/issues`, { title: "Blocked", blocked_by_ids: [other.id] });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  await page.getByRole("button", { name: `Remove ${other.key} from “Blocked by”` }).click();
  await said(page, `${other.key} removed from “Blocked by”`);
  await page.leave();
});
