import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually, waitUntil } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
let count = 0;

async function created<T>(path: string, body: unknown): Promise<T> {
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as T;
}

/** Creates a project, so that tests do not see each other's issues. */
async function ownProject() {
  const key = `LS${++count}`;
  await created("/api/projects", { key, name: `List ${count}` });
  const url = `/api/projects/${key}`;
  return {
    key,
    url,
    make: (title: string, fields = {}) => created<Issue>(`${url}/issues`, { title, ...fields }),
    read: async (id: number): Promise<Issue> => (await site.api.get(`${url}/issues/${id}`)).body,
    laneNamed: async (name: string): Promise<number> =>
      (await site.api.get(`${url}/lanes`)).body.data.find((lane: { name: string }) => lane.name === name).id,
  };
}

const row = (page: TestPage, title: string) => page.getByRole("link", { name: title, exact: true });
const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);
const titles = (page: TestPage) =>
  page.getByRole("list", { name: "Issues" }).getByRole("link").allTextContents();

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
  for (const [key, typed] of [
    ["s", "progress"],
    ["p", "highest"],
    ["l", "pay"],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
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

test("text of a row is selected without opening it and has its own direction; a click on text opens the row", async () => {
  const project = await ownProject();
  const { key } = await project.make("Gift cards for friends");
  await project.make("כרטיס מתנה");
  const page = await site.open(`/projects/${project.key}/issues`);
  const text = page.getByText("Gift cards for friends");
  const box = (await text.boundingBox()) ?? assert.fail("the row is not visible");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, middle);
  await page.mouse.down();
  // The code that selects inside a link loads with the first press.
  await waitUntil(async () => {
    await page.mouse.move(box.x + box.width - 1, middle, { steps: 5 });
    return /^.?ift cards for frien/.test((await page.evaluate(() => getSelection()?.toString())) ?? "");
  });
  await page.mouse.up();
  assert.equal(new URL(page.url()).pathname, `/projects/${project.key}/issues`);
  const directionOf = (element: Element) => getComputedStyle(element).direction;
  assert.equal(await page.getByText("כרטיס מתנה").evaluate(directionOf), "rtl");
  assert.equal(await text.evaluate(directionOf), "ltr");

  // One's own name is found, too.
  await page.getByRole("button", { name: "Assignee", exact: true }).click();
  await page.getByRole("combobox", { name: "Search: Assignee" }).fill("ada moss");
  await page.getByRole("option", { name: /^Me/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText(key, { exact: true }).click();
  await page.waitForURL(`**/issues/${key}`);
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
  await page.keyboard.press("Enter");
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

test("selected issues change together; a rejected one is rolled back with a message", async () => {
  const project = await ownProject();
  const made = [await project.make("One"), await project.make("Two"), await project.make("Three")];
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "One").waitFor();
  await page.keyboard.press("j");
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
  }
  await page.getByRole("status").getByText("3 issues selected").waitFor();
  const two = made[1]?.id ?? 0;
  await page.route(`**/issues/${two}`, async (route) => {
    // Another session deletes it before the request is handled.
    await site.api.delete(`${project.url}/issues/${two}`);
    await route.continue();
  });
  await page.getByRole("toolbar").getByRole("button", { name: "Priority" }).click();
  await page.getByRole("option", { name: "Highest" }).click();
  await page.getByText("2 changed · 1 failed").waitFor();
  await row(page, "Two").waitFor({ state: "hidden" });
  for (const issue of [made[0], made[2]])
    await eventually(async () => (await project.read(issue?.id ?? 0)).priority, 0);
  await page.leave();
});

test("deleting selected issues asks for confirmation", async () => {
  const project = await ownProject();
  for (const title of ["One", "Two", "Three"]) await project.make(title);
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.getByRole("checkbox", { name: `Select ${project.key}-1` }).check();
  await page.getByRole("checkbox", { name: `Select ${project.key}-2` }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete 2 issues?" });
  await dialog.getByRole("button", { name: "Delete issues" }).click();
  await page.getByText("2 deleted").waitFor();
  await row(page, "One").waitFor({ state: "hidden" });
  await eventually(() => titles(page), ["Three"]);
  await page.leave();
});

test("filters, groups and order are kept in the URL, the density of rows on the device", async () => {
  const project = await ownProject();
  await project.make("Low bug", { type: 1, priority: 4 });
  await project.make("High feature", { priority: 0 });
  await project.make("Done", { lane_id: await project.laneNamed("Done") });
  const page = await site.open(`/projects/${project.key}/issues?group=priority&sort=title`);
  await page.getByRole("heading", { name: "Highest" }).waitFor();
  await eventually(() => titles(page), ["High feature", "Low bug"]);
  await page.getByRole("link", { name: "All 3" }).click();
  await row(page, "Done").waitFor();
  await page.getByRole("searchbox", { name: "Filter by text" }).fill("no such words");
  await page.getByRole("heading", { name: "No matching issues" }).waitFor();
  assert.match(page.url(), /state=all/);
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await row(page, "Low bug").waitFor();
  assert.match(page.url(), /group=priority/);

  const height = async () =>
    (await page.getByRole("listitem").filter({ hasText: "Low bug" }).boundingBox())?.height;
  assert.equal(await height(), 40);
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Dense" }).click();
  await eventually(height, 32);
  await page.reload();
  await row(page, "Low bug").waitFor();
  assert.equal(await height(), 32);
  await page.leave();
});

test("a view is saved with a name and can be reopened", async () => {
  const project = await ownProject();
  await project.make("Low bug", { type: 1 });
  await project.make("High feature");
  const page = await site.open(`/projects/${project.key}/issues?type=1&peek=${project.key}-1`);
  await row(page, "Low bug").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("All bugs");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.goto(`/projects/${project.key}/issues`);
  await row(page, "High feature").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "All bugs" }).click();
  await page.waitForURL(/type=1/);
  await row(page, "High feature").waitFor({ state: "hidden" });
  assert.doesNotMatch(page.url(), /peek/);
  await page.leave();
});

test("Space previews an issue, J moves the preview, Escape closes it, Enter opens the issue", async () => {
  const project = await ownProject();
  await project.make("Older", { description: "The **older** text" });
  await project.make("Newer", { description: "The newer text" });
  const page = await site.open(`/projects/${project.key}/issues`);
  await row(page, "Newer").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press(" ");
  await page.getByText("The newer text").waitFor();
  await page.keyboard.press("j");
  await page.getByText("The older text").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("The older text").waitFor({ state: "hidden" });
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/issues/${project.key}-1`);
  await page.leave();
});

test("My issues lists issues assigned to the user in any project, and removes reassigned ones", async () => {
  const [one, two] = [await ownProject(), await ownProject()];
  const mine = { assignee_id: site.owner.id };
  await one.make("Mine in one", mine);
  await two.make("Mine in two", mine);
  await two.make("Nobody's");
  const page = await site.open("/my-issues?group=project");
  await row(page, "Mine in one").waitFor();
  await row(page, "Mine in two").waitFor();
  await eventually(() => row(page, "Nobody's").count(), 0);
  await row(page, "Mine in two").focus();
  await page.keyboard.press("a");
  await page.getByRole("option", { name: "Nobody" }).click();
  await row(page, "Mine in two").waitFor({ state: "hidden" });
  await page.leave();
});

test("users with read access see no controls to change issues", async () => {
  const viewer = await site.member("Viewer");
  await created("/api/projects/WEB/issues", { title: "To be read" });
  const page = await site.open("/projects/WEB/issues", { as: viewer });
  await row(page, "To be read").waitFor();
  await eventually(() => page.getByRole("checkbox").count(), 0);
  await eventually(() => page.getByRole("button", { name: /^(Priority|Lane|Assignee):/ }).count(), 0);
  await eventually(() => page.getByRole("button", { name: /New issue/ }).count(), 0);
  await page.keyboard.press("j");
  await page.keyboard.press("s");
  await page.keyboard.press("c");
  await eventually(() => page.getByRole("dialog").count(), 0);
  await page.leave();
});

test("the issues of an inaccessible project show the not-found page", async () => {
  const stranger = await site.member("Member");
  const project = await ownProject();
  const page = await site.open(`/projects/${project.key}/issues`, { as: stranger });
  await page.getByText("Page not found").waitFor();
  await page.leave();
});

test("list, picker, selection, preview and the new-issue dialog have no accessibility violations in both themes", async () => {
  const project = await ownProject();
  const label = await created<{ id: number }>(`${project.url}/labels`, { name: "shop", color: "#1f6feb" });
  const { id } = await project.make("One", { label_ids: [label.id], type: 1, estimated_minutes: 30 });
  await project.make("Two", { blocked_by_ids: [id], assignee_id: site.owner.id });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open(`/projects/${project.key}/issues?group=lane`, { theme });
    await row(page, "Two").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press(" ");
    await page.getByText("No description.").waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("s");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.checkAccessibility();
    await page.goto("/my-issues?group=project");
    await row(page, "Two").waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "New issue" }).waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("filters that do not fit are in a menu, by keyboard too, and one that is in effect comes first", async () => {
  const project = await ownProject();
  await project.make("Pay later", { priority: 0 });
  await project.make("Gift cards");
  const page = await site.open(`/projects/${project.key}/issues`, { width: 1024 });
  await row(page, "Gift cards").waitFor();
  const more = page.getByRole("button", { name: /^More filters/ });
  const choose = async () => {
    await more.press("Enter");
    await page.getByRole("menuitem", { name: "Priority" }).press("Enter");
    await page.getByRole("option", { name: "Highest" }).waitFor();
  };
  await choose();
  await page.keyboard.press("Escape");
  await eventually(() => more.evaluate((button) => button === document.activeElement), true);
  await choose();
  await page.getByRole("option", { name: "Highest" }).click();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  const filters = page.getByRole("group", { name: "Filters" });
  await eventually(() => filters.getByRole("button").first().textContent(), "Priority: Highest");
  await page.setViewportSize({ width: 390, height: 800 });
  await eventually(() => more.textContent(), "More filters1");
  await page.checkAccessibility();
  await page.leave();
});
