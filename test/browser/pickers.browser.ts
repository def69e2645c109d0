import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { focused, issueLists, row } from "./issue-list.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

const highlighted = (page: TestPage) =>
  page.locator("[role=option][data-highlighted]").evaluateAll((all) => all.map((one) => one.textContent));

/** A project with two labels, `Ape` and `Bee`, and the page of its issue. */
async function openIssue() {
  const project = await ownProject();
  const label = async (name: string) =>
    (await created<{ id: number }>(`${project.url}/labels`, { name, color: "#1f6feb" })).id;
  const labels = { ape: await label("Ape"), bee: await label("Bee") };
  const { id, key } = await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues/${key}`);
  const property = (name: string) =>
    page.getByRole("complementary", { name: "Properties" }).getByRole("button", { name });
  await property("Lane: Backlog").waitFor();
  return { project, labels, id, page, property, issue: () => project.read(id) };
}

test("a picker highlights the current value, which Enter keeps", async () => {
  const { page, property } = await openIssue();
  await page.keyboard.press("p");
  await eventually(() => highlighted(page), ["Medium priorityMedium"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await property("Priority: Low").waitFor();
  await page.keyboard.press("a");
  await eventually(() => highlighted(page), ["Nobody"]);
  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await property("Assignee: Nobody").waitFor();
  await page.leave();
});

test("a picker without a value highlights the first choice, which Enter takes", async () => {
  const { project, page, issue } = await openIssue();
  const { body: epic } = await site.api.post(`${project.url}/epics`, { title: "Presents" });
  await page.goto(`/projects/${project.key}/epics/${epic.id}`);
  await page.getByRole("button", { name: "Add existing" }).press("Enter");
  await eventually(() => highlighted(page), [`Gift cards${project.key}-1`]);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Gift cards" }).waitFor();
  await eventually(async () => (await issue()).epic_id, epic.id);
  await page.leave();
});

test("Enter changes nothing in a picker for different values until a choice is highlighted", async () => {
  const { project, page } = await openIssue();
  await project.make("Pay later", { assignee_id: site.owner.id });
  await page.goto(`/projects/${project.key}/issues`);
  await row(page, "Pay later").waitFor();
  for (const key of ["j", "x", "j", "x", "a"]) await page.keyboard.press(key);
  await page.getByRole("option", { name: "Nobody", selected: false }).waitFor();
  await eventually(() => highlighted(page), []);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await eventually(() => focused(page), "Gift cards");
  await page.getByRole("button", { name: "Assignee: Ada Moss" }).waitFor();
  await page.leave();
});

test("a picker of labels highlights the first, and holding the Enter that opened it chooses none", async () => {
  const { page, labels, property, issue } = await openIssue();
  await property("Labels: No labels").focus();
  await page.keyboard.down("Enter");
  await eventually(() => highlighted(page), ["Ape"]);
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.getByRole("option", { name: "Ape", selected: false }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Ape", selected: true }).waitFor();
  await eventually(() => highlighted(page), ["Ape"]);
  await eventually(async () => (await issue()).label_ids, [labels.ape]);
  await page.leave();
});

test("each label is saved when it is chosen, and each choice can be undone", async () => {
  const { page, labels, issue } = await openIssue();
  const saved = async () => (await issue()).label_ids;
  await page.keyboard.press("l");
  await page.getByRole("option", { name: "Ape" }).click();
  await eventually(saved, [labels.ape]);
  await page.getByRole("option", { name: "Bee" }).click();
  await eventually(saved, [labels.ape, labels.bee]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(saved, [labels.ape]);
  await page.getByText("undone").waitFor();
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(saved, []);
  await page.leave();
});

test("labels chosen quickly are all saved, on a list too", async () => {
  const { project, page, labels, issue } = await openIssue();
  const chooseBoth = async () => {
    await page.keyboard.press("l");
    for (const name of ["Ape", "Bee"]) await page.getByRole("option", { name }).click();
  };
  await page.route("**/issues/*", async (route) => {
    // The first response arrives after the second choice.
    if (route.request().method() === "PATCH")
      await page.locator("[role=option][aria-selected=true]").nth(1).waitFor();
    await route.continue();
  });
  await chooseBoth();
  await eventually(async () => (await issue()).label_ids, [labels.ape, labels.bee]);
  await project.make("Pay later");
  await page.goto(`/projects/${project.key}/issues`);
  await row(page, "Pay later").waitFor();
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Pay later");
  await chooseBoth();
  await page.getByRole("link", { name: "Pay later" }).waitFor();
  const all = async () =>
    (await site.api.get(`${project.url}/issues`)).body.data.map(
      ({ label_ids }: { label_ids: number[] }) => label_ids,
    );
  await eventually(all, [
    [labels.ape, labels.bee],
    [labels.ape, labels.bee],
  ]);
  await page.leave();
});

test("a label that cannot be saved is shown as not chosen, with the reason", async () => {
  const { page, project, property } = await openIssue();
  const refuse = () =>
    page.route("**/issues/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 422, json: { message: "That cannot be.", errors: {} } })
        : route.continue(),
    );
  await refuse();
  await page.keyboard.press("l");
  await page.getByRole("option", { name: "Ape" }).click();
  await page.getByText("That cannot be.").waitFor();
  await page.getByRole("option", { name: "Ape", selected: false }).waitFor();
  await property("Labels: No labels").waitFor();
  await page.goto(`/projects/${project.key}/issues`);
  await row(page, "Gift cards").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await page.getByRole("option", { name: "Ape" }).click();
  await page.getByText("That cannot be.").waitFor();
  await page.getByRole("option", { name: "Ape", selected: false }).waitFor();
  await page.leave();
});
