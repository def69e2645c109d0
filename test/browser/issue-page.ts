import type { Issue } from "../../src/shared/issues.ts";
import { pressInMenu } from "./choose-action.ts";
import type { TestPage } from "./test-page.ts";
import type { TestSite } from "./test-site.ts";

export const pageOf = ({ key }: Issue) => `/projects/WEB/issues/${key}`;

export const readIssue = async (site: TestSite, { id }: { id: number }): Promise<Issue> =>
  (await site.api.get(`/api/projects/${site.project.id}/issues/${id}`)).body;

export const createIssue = async (
  site: TestSite,
  title: string,
  fields: Record<string, unknown> = {},
): Promise<Issue> => readIssue(site, await site.create("/issues", { title, ...fields }));

/** The ids of a label "ui", an epic "Checkout" and a sprint "Week 12". */
export async function makeChoices(site: TestSite): Promise<{ label: number; epic: number; sprint: number }> {
  const label = await site.create("/labels", { name: "ui", color: "#336699" });
  const epic = await site.create("/epics", { title: "Checkout" });
  const sprint = await site.create("/sprints", { name: "Week 12" });
  return { label: label.id, epic: epic.id, sprint: sprint.id };
}

/** The properties beside the text of an issue. */
export const rail = (page: TestPage) => page.getByRole("complementary", { name: "Properties" });

/** Picks an option for a property of the issue on the page. */
export async function pick(page: TestPage, property: string, option: string | RegExp): Promise<void> {
  await rail(page)
    .getByRole("button", { name: new RegExp(`^${property}:`) })
    .click();
  await page.getByRole("option", { name: option }).click();
}

/** Chooses an entry of the menu that adds to an issue, by keyboard. */
export async function addToIssue(page: TestPage, entry: string): Promise<void> {
  await page.getByRole("button", { name: /^Add to / }).press("Enter");
  await pressInMenu(page, entry);
}
