import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";
import { focused, issueLists, row } from "./issue-list.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

test("an issue gets a lane, priority, label and assignee with the keyboard only, and keeps the focus", async () => {
  const project = await ownProject();
  const label = await created<{ id: number }>(`${project.url}/labels`, {
    name: "payments",
    color: "#b14101",
  });
  const { id } = await project.make("Gift cards");
  await project.make("Pay later");
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Gift cards").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Gift cards");
  for (const [key, typed, option] of [
    ["s", "progress", "In progress"],
    ["p", "highest", "Highest"],
    ["l", "pay", "payments"],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.keyboard.type(typed);
    await takeOption(page, option);
    if (key === "l") await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    await eventually(() => focused(page), "Gift cards");
  }
  await page.keyboard.press("i");
  const doing = await project.laneNamed("In progress");
  await eventually(
    async () => {
      const { lane_id, priority, label_ids, assignee_id } = await project.read(id);
      return { lane_id, priority, label_ids, assignee_id };
    },
    { lane_id: doing, priority: 0, label_ids: [label.id], assignee_id: site.owner.id },
  );
  await page.leave();
});

test("keys typed while a picker loads go to the picker and do not change the issue", async () => {
  const project = await ownProject();
  const { id } = await project.make("Gift cards");
  const before = await project.read(id);
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Gift cards").waitFor();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/assets/combobox-popup-*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  const asked = page.waitForRequest("**/assets/combobox-popup-*.js");
  await page.reload();
  await row(page, "Gift cards").waitFor();
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Gift cards");
  await page.keyboard.press("p");
  await asked;
  await page.keyboard.type("is");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("highest");
  arrive();
  await page.getByRole("option", { name: "Highest", selected: false }).waitFor();
  await eventually(() => page.getByRole("listbox").getByRole("option").count(), 1);
  await takeOption(page, "Highest");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await eventually(async () => (await project.read(id)).priority, 0);
  const { lane_id, assignee_id } = await project.read(id);
  assert.deepEqual([lane_id, assignee_id], [before.lane_id, before.assignee_id]);
  await page.leave();
});

test("a picker that fails to load shows a message, and the keys work again", async () => {
  const project = await ownProject();
  await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Gift cards").waitFor();
  await page.route("**/assets/combobox-popup-*.js", (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await row(page, "Gift cards").waitFor();
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Gift cards");
  await page.keyboard.press("p");
  await page.getByText("This part of the app could not be loaded.").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.leave();
});

test("clicking a cell opens a picker with its possible values", async () => {
  const project = await ownProject();
  const { id } = await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("button", { name: /^Priority:/ }).click();
  await page.getByRole("option", { name: "Lowest" }).click();
  await eventually(async () => (await project.read(id)).priority, 4);
  await page.leave();
});
