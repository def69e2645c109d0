import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { issueLists, row } from "./issue-list.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

test("people who have left a project keep their names there, and their issues until somebody else gets them", async () => {
  const project = await ownProject();
  const lin = await site.member("Member");
  const { data: roles } = (await site.api.get(`/api/workspaces/${site.workspaceId}/roles`)).body;
  const role_id = roles.find(({ name }: { name: string }) => name === "Member").id;
  await created(`${project.url}/members`, { user_id: lin.id, role_id });
  await site.t.db
    .updateTable("users")
    .set({ first_name: "Lin", last_name: "Osei" })
    .where("id", "=", lin.id)
    .execute();
  const { id, key } = await project.make("Gift cards", { assignee_id: lin.id });
  await (await site.clientOf(lin)).post(`${project.url}/issues/${id}/comments`, { content: "On it." });
  await site.api.delete(`${project.url}/members/${lin.id}`);

  const page = await site.open(`/projects/${project.key}/issues/${key}`);
  const assignee = page.getByRole("button", { name: /^Assignee:/ });
  await page.getByRole("button", { name: "Assignee: Lin Osei · no access" }).waitFor();
  await page
    .getByRole("article", { name: /Lin Osei/ })
    .getByText("On it.")
    .waitFor();
  await page.keyboard.press("a");
  await page.getByRole("option", { name: "Lin Osei", selected: true }).waitFor();
  await takeOption(page, "Lin Osei");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await eventually(async () => (await project.read(id)).assignee_id, lin.id);

  await page.goto(`/projects/${project.key}/issues?group=assignee`);
  await row(page, "Gift cards").waitFor();
  await page.getByText("Lin Osei").first().waitFor();
  await page.goBack();
  await assignee.click();
  await page.getByRole("option", { name: "Nobody" }).click();
  await page.getByRole("button", { name: "Assignee: Nobody" }).waitFor();
  await page.leave();
});

test("issues can be filtered by an assignee who has left", async () => {
  const project = await ownProject();
  const lin = await site.member("Member");
  const { data: roles } = (await site.api.get(`/api/workspaces/${site.workspaceId}/roles`)).body;
  const role_id = roles.find(({ name }: { name: string }) => name === "Member").id;
  await created(`${project.url}/members`, { user_id: lin.id, role_id });
  await project.make("Gift cards", { assignee_id: lin.id });
  await project.make("Pay later");
  await site.api.delete(`${project.url}/members/${lin.id}`);

  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Pay later").waitFor();
  const filters = page.getByRole("group", { name: "Filters" });
  await filters.getByRole("button", { name: "Assignee" }).click();
  await page.getByRole("option").filter({ hasText: "no access" }).click();
  await row(page, "Pay later").waitFor({ state: "detached" });
  await row(page, "Gift cards").waitFor();

  await page.goto(`/projects/${project.key}/issues?query=none&assignee=${lin.id}`);
  await filters.getByRole("button", { name: /^Assignee: [A-Z]/ }).waitFor();
  await page.leave();
});

test("open pages of a project close when their user loses access to it", async () => {
  const project = await ownProject();
  const lin = await site.member("Member");
  const { data: roles } = (await site.api.get(`/api/workspaces/${site.workspaceId}/roles`)).body;
  const role_id = roles.find(({ name }: { name: string }) => name === "Member").id;
  await created(`${project.url}/members`, { user_id: lin.id, role_id });
  await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues`, { as: lin });
  await row(page, "Gift cards").waitFor();
  // Shows that live updates arrive.
  await project.make("Pay later");
  await row(page, "Pay later").waitFor();
  await site.api.delete(`${project.url}/members/${lin.id}`);
  await page.getByText("Page not found").waitFor();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  await page.leave();
});
