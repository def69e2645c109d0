import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, waitUntil } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { issueLists, row, titles } from "./issue-list.ts";

const site = await useTestSite();
const { created, ownProject } = issueLists(site);

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
  await eventually(() => page.getByText("כרטיס מתנה").evaluate(directionOf), "rtl");
  await eventually(() => text.evaluate(directionOf), "ltr");

  // One's own name is found, too.
  await page.getByRole("button", { name: "Assignee", exact: true }).click();
  await page.getByRole("combobox", { name: "Search: Assignee" }).fill("ada moss");
  await page.getByRole("option", { name: /^Me/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText(key, { exact: true }).click();
  await page.waitForURL(`**/issues/${key}`);
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

test("the preview fades out when it is closed, unless motion is reduced or the page is left", async () => {
  const project = await ownProject();
  await project.make("Shown", { description: "The shown text" });
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.evaluate(() => {
    const faded: string[] = [];
    Object.assign(window, { faded });
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      faded.push(this.textContent ?? "");
      return animate.call(this, frames, options);
    };
  });
  const fades = () =>
    page.evaluate(
      () =>
        (window as unknown as { faded: string[] }).faded.filter((text) => text.includes("The shown text"))
          .length,
    );
  const preview = page.getByRole("region", { name: "Preview" });
  const show = async () => {
    await page.keyboard.press(" ");
    await preview.getByText("The shown text").waitFor();
  };
  await row(page, "Shown").waitFor();
  await page.keyboard.press("j");
  await show();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  await eventually(() => fades(), 0);

  await page.emulateMedia({ reducedMotion: "no-preference" });
  await show();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  await eventually(fades, 1);
  await page.getByText("The shown text").waitFor({ state: "detached" });

  await show();
  await preview.getByRole("link", { name: "Open" }).click();
  await page.getByRole("heading", { level: 1, name: /Shown/ }).waitFor();
  await eventually(() => fades(), 1);
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
