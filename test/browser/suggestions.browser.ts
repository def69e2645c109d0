import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { makeUser, makeWorkspaceMember } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const people = (page: TestPage) => page.getByRole("listbox", { name: "People" });
const boxOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().toJSON());

async function openField(title: string, options = {}) {
  const { key } = await site.create("/issues", { title });
  const page = await site.open(`/projects/WEB/issues/${key}`, options);
  const field = page.getByRole("textbox", { name: "Write a comment" });
  await page.getByRole("toolbar", { name: "Formatting" }).waitFor();
  await field.focus();
  return { page, field };
}

test("the list of people opens at the caret, and above it if there is no room below", async () => {
  const { page, field } = await openField("At the caret");
  for (let line = 0; line < 6; line++) await page.keyboard.type(`Line ${line}\n`);
  await page.keyboard.type("I asked @");
  await people(page).waitFor();
  const [list, text] = [await boxOf(people(page)), await boxOf(field)];
  const caretBottom = text.bottom - 12;
  assert.ok(list.left > text.left + 40, `the list begins at ${list.left}, the field at ${text.left}`);
  const gap = list.bottom < caretBottom ? caretBottom - 20 - list.bottom : list.top - caretBottom;
  assert.ok(Math.abs(gap) < 24, `the list is ${gap} px from the caret`);

  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("@");
  await people(page).waitFor();
  const atStart = await boxOf(people(page));
  assert.ok(Math.abs(atStart.left - text.left) < 24);
  await page.leave();
});

test("a person who is no member of the project is listed with the reason, and cannot be inserted; oneself comes last", async () => {
  await site.member("Member", { username: "adele", email: "adele@example.com" });
  const outsider = await makeUser(site.t.db, { username: "prim", email: "prim@example.com" });
  await makeWorkspaceMember(site.t.db, site.workspaceId, { user: outsider });
  const { page, field } = await openField("Members");
  await page.keyboard.type("@ad");
  await eventually(
    async () =>
      (await people(page).getByRole("option").allTextContents()).flatMap(
        (text) => /@\w+/.exec(text)?.[0] ?? [],
      ),
    ["@adele", "@ada"],
  );
  await page.keyboard.press("Control+a");
  await page.keyboard.type("@pri");
  const option = people(page).getByRole("option", { name: "not a member of this project" });
  await option.waitFor();
  await eventually(() => option.getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Enter");
  await eventually(() => field.inputValue(), "@pri\n");
  await page.checkAccessibility();
  await page.leave();
});

test("a code block from the commands asks for its language and is colored with it", async () => {
  const { page, field } = await openField("Code");
  await page.keyboard.type("/code");
  await page.getByRole("option", { name: "Code block" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("listbox", { name: "Languages" }).waitFor();
  await page.keyboard.type("py");
  await page.getByRole("option", { name: "Python" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("import os");
  await eventually(() => field.inputValue(), "```python\nimport os\n```");
  const form = page.getByRole("form", { name: "Write a comment" });
  await form.getByRole("button", { name: "Preview" }).click();
  await form.locator("pre .hljs-keyword").getByText("import").waitFor();
  await page.leave();
});

test("the preview in a dialog links to issues and reports as the saved text does", async () => {
  const { key } = await site.create("/issues", { title: "Linked" });
  const report = await site.create("/reports", { title: "A report", description: "Words" });
  const page = await site.open("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Description" }).fill(`See ${key} and #${report.id}.`);
  await dialog.getByRole("button", { name: "Preview" }).click();
  await dialog.getByRole("link", { name: key }).waitFor();
  await dialog.getByRole("link", { name: `#${report.id}` }).waitFor();
  await page.leave();
});
