import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { focusOn } from "./focus.ts";
import { addToIssue, createIssue, pageOf, pick, rail, readIssue } from "./issue-page.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const makeIssue = (title: string) => createIssue(site, title);
const read = (issue: { id: number }) => readIssue(site, issue);

test("a due date, a parent and a related issue are set on the page; the parent lists its sub-issues", async () => {
  const [parent, part, sibling] = [
    await makeIssue("The whole"),
    await makeIssue("A part"),
    await makeIssue("A sibling"),
  ];
  const page = await site.open(pageOf(part));
  await rail(page).getByRole("button", { name: /^Due:/ }).press("Enter");
  const day = rail(page).getByRole("textbox", { name: "Due" });
  await day.fill("2020-01-02");
  await day.press("Enter");
  await rail(page).getByText("overdue").waitFor();
  await pick(page, "Parent", /The whole/);
  await addToIssue(page, "Related issue");
  await page.getByRole("option", { name: /A sibling/ }).click();
  await eventually(async () => {
    const { due_on, parent_id, relates_to_ids } = await read(part);
    return [due_on, parent_id, relates_to_ids];
  }, ["2020-01-02", parent.id, [sibling.id]]);
  await page
    .getByRole("list", { name: "Related to" })
    .getByRole("link", { name: /A sibling/ })
    .waitFor();
  await page.checkAccessibility();
  await rail(page)
    .getByRole("link", { name: `Open ${parent.key}` })
    .click();
  const subIssues = page.getByRole("region", { name: "Sub-issues" });
  await subIssues.getByText("0 of 1 done").waitFor();
  await subIssues.getByRole("link", { name: /A part/ }).waitFor();
  await page.leave();
});

test("sub-issues are added on the page of an issue that has none, one after another", async () => {
  const parent = await makeIssue("Bigger than it looks");
  const page = await site.open(pageOf(parent));
  const subIssues = page.getByRole("region", { name: "Sub-issues" });
  await addToIssue(page, "Sub-issue");
  const field = subIssues.getByRole("textbox", { name: `Title of the new sub-issue in ${parent.key}` });
  for (const title of ["First part", "Second part"]) {
    await field.fill(title);
    await field.press("Enter");
    await subIssues.getByRole("link", { name: new RegExp(title) }).waitFor();
  }
  await subIssues.getByText("0 of 2 done").waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("what an issue has none of is added from one menu, which gets the focus back", async () => {
  const [issue, other] = [await makeIssue("Bare"), await makeIssue("A neighbor")];
  const page = await site.open(pageOf(issue));
  const add = page.getByRole("button", { name: `Add to ${issue.key}` });
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  await add.press("Enter");
  await eventually(
    () => page.getByRole("menuitem").allTextContents(),
    ["Sub-issue", "Blocking issue", "Blocked issue", "Related issue", "Error", "File"],
  );
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", `Add to ${issue.key}`);
  for (const name of ["Sub-issues", "Relations", "Sources", "Files"])
    await eventually(() => region(name).count(), 0, name);

  await addToIssue(page, "Sub-issue");
  await focusOn(page, "textbox", `Title of the new sub-issue in ${issue.key}`);
  await region("Sub-issues").waitFor();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", `Add to ${issue.key}`);
  await region("Sub-issues").waitFor({ state: "hidden" });

  await addToIssue(page, "Error");
  await focusOn(page, "combobox", "Search: Link an error");
  await page.keyboard.press("Escape");
  await focusOn(page, "button", `Add to ${issue.key}`);

  const chooser = page.waitForEvent("filechooser");
  await addToIssue(page, "File");
  await (
    await chooser
  ).setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a line") });
  await region("Files")
    .getByRole("link", { name: /notes\.txt/ })
    .waitFor();

  await addToIssue(page, "Blocking issue");
  await page.keyboard.type("neighbor");
  await takeOption(page, /A neighbor/);
  await focusOn(page, "button", `Add to ${issue.key}`);
  const remove = page.getByRole("button", { name: `Remove ${other.key} from “Blocked by”` });
  // A key would go to another control while the button is disabled, which it is until the page is up to date.
  await eventually(() => remove.isEnabled(), true);
  await remove.press("Enter");
  await region("Relations").waitFor({ state: "hidden" });
  await focusOn(page, "button", `Add to ${issue.key}`);
  await add.press("Enter");
  await page.getByRole("menuitem", { name: "Blocking issue" }).waitFor();
  await eventually(() => page.getByRole("menuitem", { name: "File" }).count(), 0);
  await page.leave();
});

test("Enter in the picker of an original takes the first issue found, not “Not a duplicate”", async () => {
  const [original, copy] = [await makeIssue("Zeppelin leaks"), await makeIssue("Leaky airship")];
  const page = await site.open(pageOf(copy));
  await rail(page)
    .getByRole("button", { name: /^Duplicate of/ })
    .press("Enter");
  await page.keyboard.type("zeppelin");
  await eventually(() => page.getByRole("option").count(), 1);
  await takeOption(page, /Zeppelin leaks/);
  await eventually(async () => (await read(copy)).duplicate_of_id, original.id);
  await page.leave();
});
