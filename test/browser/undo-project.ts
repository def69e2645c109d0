import assert from "node:assert/strict";
import type { Issue } from "../../src/shared/issues.ts";
import type { TestPage } from "./test-page.ts";
import type { TestSite } from "./test-site.ts";

let count = 0;

/** A project with issues. */
export async function makeIssues(site: TestSite, ...titles: string[]) {
  const key = `UN${++count}`;
  const url = `/api/projects/${key}`;
  const made = await site.api.post("/api/projects", { key, name: `Undo ${count}` });
  assert.equal(made.status, 201, made.text);
  const issues: Issue[] = [];
  for (const title of titles) issues.push((await site.api.post(`${url}/issues`, { title })).body);
  const read = async (index: number) =>
    (await site.api.get(`${url}/issues/${issues[index]?.id}`)).body as Issue;
  return { key, url, issues, read };
}

export const messages = (page: TestPage) => page.getByRole("log", { name: "Messages" });
export const link = (page: TestPage, title: string) => page.getByRole("link", { name: title, exact: true });
export const pickPriority = async (page: TestPage, priority: string) => {
  await page.keyboard.press("p");
  await page.getByRole("option", { name: priority, exact: true }).click();
  await page.getByRole("listbox").waitFor({ state: "hidden" });
};
