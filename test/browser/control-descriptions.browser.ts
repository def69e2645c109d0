import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { Locator } from "playwright-core";
import { issueLists, row } from "./issue-list.ts";
import { useTestSite } from "./test-site.ts";

/** Screen readers list controls without their surroundings, so equal names need descriptions that differ. */

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

/** What `aria-describedby` of each control refers to; the control itself if it refers to nothing. */
const descriptionsOf = (controls: Locator) =>
  controls.evaluateAll((all) =>
    all.map(
      (control) =>
        document.getElementById(control.getAttribute("aria-describedby") ?? "")?.textContent ??
        control.outerHTML,
    ),
  );

test("the cells of an issue's row are described by its title", async () => {
  const project = await ownProject();
  await project.make("Older");
  await project.make("Newer");
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Older").waitFor();
  const list = page.getByRole("list", { name: "Issues" });
  for (const name of [/^Lane:/, /^Priority:/, /^Assignee:/])
    await eventually(() => descriptionsOf(list.getByRole("button", { name })), ["Newer", "Older"]);
  await page.leave();
});

test("the buttons of a comment are described by its author", async () => {
  const issue = await created<{ id: number; key: string }>(`/api/projects/${site.project.id}/issues`, {
    title: "Discussed",
  });
  const bob = await site.member("Member");
  await site.t.db
    .updateTable("users")
    .set({ first_name: "Bob", last_name: "Reed" })
    .where("id", "=", bob.id)
    .execute();
  for (const by of [site.api, await site.clientOf(bob)])
    await by.post(`/api/projects/${site.project.id}/issues/${issue.id}/comments`, { content: "Agreed" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  await page.getByRole("article", { name: "Comment by Bob Reed" }).waitFor();
  for (const name of ["Like", "Reply", "More"]) {
    const buttons = page.getByRole("list", { name: "Threads" }).getByRole("button", { name, exact: true });
    const authors = async () =>
      (await descriptionsOf(buttons)).map((text) => /^(Ada Moss|Bob Reed)/.exec(text)?.[0]);
    await eventually(authors, ["Ada Moss", "Bob Reed"]);
  }
  await page.leave();
});

test("the buttons of a code block are described by its name", async () => {
  const page = await site.open("/projects/WEB/settings?section=ingestion");
  await page.getByRole("region", { name: "JavaScript with a Sentry SDK" }).waitFor();
  for (const name of ["Copy", "Wrap long lines"])
    await eventually(
      () => descriptionsOf(page.getByRole("button", { name, exact: true })),
      ["JavaScript with a Sentry SDK", "JavaScript with the reporter"],
    );
  await page.leave();
});

test("the button of a calendar is described by the label of its field", async () => {
  const page = await site.open(`/workspaces/${site.workspaceId}/settings?section=audit`);
  await page.getByRole("list", { name: "Events" }).or(page.getByText("No events")).first().waitFor();
  const buttons = page.getByRole("button", { name: "Choose from a calendar" });
  await eventually(() => descriptionsOf(buttons), ["From", "To"]);
  await page.leave();
});

test("the entries of a menu are grouped under their headings, with one choice in each group", async () => {
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("button", { name: "Display" }).click();
  const menu = page.getByRole("menu", { name: "Display" });
  await menu.waitFor();
  for (const [name, chosen] of [
    ["Group by", "No grouping"],
    ["Sort by", "Newest first"],
    ["Rows", "Comfortable"],
  ] as const) {
    const group = menu.getByRole("group", { name, exact: true });
    await eventually(() => group.getByRole("menuitemradio", { checked: true }).allTextContents(), [chosen]);
  }
  await eventually(() => menu.getByRole("menuitemcheckbox").count(), 0);
  await page.leave();
});

test("the forms of a settings page are named by their sections, and their Save buttons described by them", async () => {
  const page = await site.open("/projects/WEB/settings");
  const sections = ["General", "Source links", "Spikes"];
  for (const name of sections) await page.getByRole("form", { name }).waitFor();
  await eventually(() => descriptionsOf(page.getByRole("button", { name: "Save" })), sections);
  await page.leave();
});

test("neither a row of triage nor a figure is a group without a name", async () => {
  await site.create("/reports", { title: "Gate", description: "It squeaks." });
  for (const path of ["/projects/WEB/triage", "/projects/WEB/settings?section=usage"]) {
    const page = await site.open(path);
    await page.getByRole("link", { name: "Gate" }).or(page.getByRole("figure")).first().waitFor();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const unnamed = nodes.filter(
      ({ ignored, role, name }) => !ignored && /^(group|figure)$/.test(role?.value) && !name?.value,
    );
    assert.deepEqual(unnamed, []);
    await page.leave();
  }
});
