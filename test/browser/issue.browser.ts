import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../support/images.ts";
import { makeErrorGroup } from "../support/make-error-group.ts";
import { makeProjectToken } from "../support/make.ts";
import { upload } from "../support/multipart.ts";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { focusOn } from "./focus.ts";
import { addToIssue, createIssue, makeChoices, pageOf, pick, rail, readIssue } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;
const ids = await makeChoices(site);

const makeIssue = (title: string, fields?: Record<string, unknown>) => createIssue(site, title, fields);
const read = (issue: { id: number }) => readIssue(site, issue);

test("the history describes changes in sentences, and its tab has a URL", async () => {
  const issue = await makeIssue("With a history");
  const page = await site.open(pageOf(issue));
  await pick(page, "Lane", "Done");
  await pick(page, "Priority", "Highest");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Ada Moss moved it from Backlog to Done").waitFor();
  await page.getByText("Ada Moss changed the priority from Medium to Highest").waitFor();
  await page.reload();
  await page.getByText("Ada Moss created it").waitFor();
  await page.leave();
});

test("an issue shows the reports and the error group it was created from", async () => {
  const report = await site.api.post(`${base}/reports`, {
    title: "The cart is empty",
    description: "Always",
  });
  const promoted = await site.api.post(`${base}/reports/promote`, {
    report_ids: [report.body.id],
    title: "Keep the cart",
    description: "From a report",
  });
  const fromReport = await read({ id: promoted.body[0].promoted_issue_id });
  const page = await site.open(pageOf(fromReport));
  await page.getByText(/^Opened .* by .*, from a report$/).waitFor();
  await page
    .getByRole("region", { name: "Sources" })
    .getByRole("link", { name: "The cart is empty" })
    .waitFor();
  await page.leave();

  const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
  const { id } = await makeErrorGroup(
    site.t.db,
    {
      id: site.project.id,
      send: async (event: Record<string, unknown>) => {
        assert.equal((await sender.post(`${base}/error-events`, anEvent(event))).status, 202);
      },
    } as never,
    { exception_class: "TimeoutError", latest_message: "too slow", occurrence_count: 12 },
  );
  const linked = await site.api.post(`${base}/error-groups/${id}/promote`);
  const fromError = await read({ id: linked.body.linked_issue_id });
  const second = await site.open(pageOf(fromError));
  const section = second.getByRole("region", { name: "Sources" });
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor();
  await section.getByText("Open", { exact: true }).waitFor();
  await second.getByText(/^Opened .* by .*, from an error$/).waitFor();

  await section.getByRole("button", { name: "Unlink TimeoutError" }).click();
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor({ state: "detached" });
  await second.getByText("TimeoutError unlinked").waitFor();
  await addToIssue(second, "Error");
  await second.getByRole("combobox", { name: "Search: Link an error" }).fill("too sl");
  await second.getByRole("option", { name: /TimeoutError: too slow/ }).click();
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor();
  await second.getByText(/^Opened .* by .*, linked to an error$/).waitFor();
  await second.getByText("TimeoutError linked").waitFor();
  await second.keyboard.press("Control+z");
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor({ state: "detached" });
  await eventually(
    async () => (await site.api.get(`${base}/error-groups/${id}`)).body.linked_issue_id as number | null,
    null,
  );
  await second.leave();
});

test("J and K go through the list the issue was opened from", async () => {
  const lane = (await site.api.get(`${base}/lanes`)).body.data[0].id as number;
  const [older, newer] = [
    await makeIssue("Older", { lane_id: lane }),
    await makeIssue("Newer", { lane_id: lane }),
  ];
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("link", { name: "Newer" }).click();
  await page.getByRole("heading", { level: 1, name: `${newer.key} Newer` }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: `${older.key} Older` }).waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: `${newer.key} Newer` }).waitFor();
  await page.leave();
});

test("next and previous follow the filtered and sorted list, even after a reload", async () => {
  for (const title of ["Sorted b", "Sorted c", "Not of it", "Sorted a"]) await makeIssue(title);
  const page = await site.open("/projects/WEB/issues?sort=title&query=sorted");
  const heading = (title: string) => page.getByRole("heading", { level: 1, name: new RegExp(`${title}$`) });
  await page.getByRole("link", { name: "Sorted b" }).click();
  await heading("Sorted b").waitFor();
  await page.getByText("2 of 3").waitFor();
  await page.keyboard.press("j");
  await heading("Sorted c").waitFor();
  await page.getByRole("link", { name: /^History/ }).click();
  await page.waitForURL(/tab=history/);
  await page.reload();
  await page.getByText("3 of 3").waitFor();
  await page.getByRole("button", { name: "Previous issue" }).click();
  await heading("Sorted b").waitFor();
  const address = page.url();
  await page.leave();

  const direct = await site.open(address);
  await direct.getByRole("heading", { level: 1, name: /Sorted b$/ }).waitFor();
  await eventually(() => direct.getByRole("button", { name: "Next issue" }).count(), 0);
  await direct.leave();
});

test("deleting asks for confirmation, says what is deleted, and returns to the list", async () => {
  const issue = await makeIssue("To be deleted");
  await site.api.post(`${base}/issues/${issue.id}/comments`, { content: "Goes too" });
  const page = await site.open(pageOf(issue));
  await page.getByRole("button", { name: "More" }).first().press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: `Delete ${issue.key}?` });
  await dialog.getByText("Its history and its comment will also be deleted.").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Delete issue" }).press("Enter");
  await page.waitForURL("**/projects/WEB/issues");
  await eventually(async () => (await site.api.get(`${base}/issues/${issue.id}`)).status, 404);
  await page.leave();
});

test("an unknown issue and one deleted by another user show a message", async () => {
  const page = await site.open("/projects/WEB/issues/WEB-99999");
  await page.getByText("Page not found").waitFor();
  await page.leave();
  const issue = await makeIssue("Soon gone");
  const second = await site.open(pageOf(issue));
  await second.getByRole("heading", { level: 1 }).waitFor();
  await site.api.delete(`${base}/issues/${issue.id}`);
  await second.getByText("Page not found").waitFor();
  await second.leave();
});

test("users with read access see no controls to change the issue", async () => {
  const viewer = await site.member("Viewer");
  const issue = await makeIssue("Read only", { label_ids: [ids.label], estimated_minutes: 0 });
  const page = await site.open(pageOf(issue), { as: viewer });
  await rail(page).getByText("0m", { exact: true }).waitFor();
  await eventually(() => rail(page).getByRole("button").count(), 0);
  await eventually(() => page.getByRole("button", { name: /^(Edit|Add)/ }).count(), 0);
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Copy key" }).waitFor();
  await eventually(() => page.getByRole("menuitem").allInnerTexts(), ["Copy key", "Copy link"]);
  await page.leave();
});

test("the page, an open picker, the editor and the history are accessible in both themes", async () => {
  const other = await makeIssue("The other one");
  const issue = await makeIssue("Accessible", {
    description: "# Steps\n\n1. one\n2. two",
    label_ids: [ids.label],
    blocked_by_ids: [other.id],
    epic_id: ids.epic,
    assignee_id: site.owner.id,
  });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open(pageOf(issue), { theme });
    await page.getByRole("heading", { name: "Steps" }).waitFor();
    await page.getByRole("link", { name: other.key }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("s");
    await page.getByRole("option", { name: "Done" }).waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit description" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("Changed");
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit title" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await page.checkAccessibility();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("created it").waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("an issue shows its files and the screenshots of its reports; files are attached and deleted, also at a comment", async () => {
  const image = { name: "file", filename: "cart.png", content: await png(60, 40) };
  const { id: report } = await site.create("/reports", { title: "Cart empties", description: "Twice" });
  const sent = async (
    path: string,
    file: typeof image | { name: string; filename: string; content: string },
  ) => {
    const answer = await upload(site.api, `${base}/${path}/attachments`, [file]);
    assert.equal(answer.status, 201, answer.text);
  };
  await sent(`reports/${report}`, image);
  const promoted = await site.api.post(`${base}/reports/promote`, {
    report_ids: [report],
    title: "With files",
    description: "Twice",
  });
  assert.equal(promoted.status, 200, promoted.text);
  const issue = await read({ id: promoted.body[0].promoted_issue_id });
  const { id: comment } = await site.create(`/issues/${issue.id}/comments`, { content: "A remark" });
  await sent(`issues/${issue.id}/comments/${comment}`, {
    name: "file",
    filename: "log.txt",
    content: "a line",
  });

  const page = await site.open(pageOf(issue));
  const files = page.getByRole("region", { name: "Files" });
  await files.getByRole("button", { name: `View cart.webp #${report}` }).click();
  await page.getByRole("dialog", { name: "cart.webp" }).getByRole("img", { name: "cart.webp" }).waitFor();
  await page.keyboard.press("Escape");
  await files.getByRole("button", { name: "Attach" }).waitFor();
  await files.locator("input[type=file]").setInputFiles([
    { name: "basket.png", mimeType: "image/png", buffer: image.content },
    { name: "run.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await files.getByRole("button", { name: "View basket.webp" }).waitFor();
  await files.getByText("run.exe: this file type cannot be attached.").waitFor();
  await files.getByRole("button", { name: "Cancel run.exe" }).click();
  await page.checkAccessibility();
  await files.getByRole("button", { name: "Delete basket.webp" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await files.getByRole("button", { name: "View basket.webp" }).waitFor({ state: "hidden" });
  await eventually(async () => (await read(issue)).attachments.length, 0);
  const card = page.getByRole("article").filter({ hasText: "A remark" });
  await card.getByRole("link", { name: /log\.txt/ }).waitFor();
  await card.getByRole("button", { name: "Delete log.txt" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await card.getByRole("link", { name: /log\.txt/ }).waitFor({ state: "hidden" });
  await page.leave();
});

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
  assert.deepEqual(await page.getByRole("menuitem").allTextContents(), [
    "Sub-issue",
    "Blocking issue",
    "Blocked issue",
    "Related issue",
    "Error",
    "File",
  ]);
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", `Add to ${issue.key}`);
  for (const name of ["Sub-issues", "Relations", "Sources", "Files"])
    assert.equal(await region(name).count(), 0, name);

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
  await page.getByRole("option", { name: /A neighbor/ }).waitFor();
  await page.keyboard.press("Enter");
  await focusOn(page, "button", `Add to ${issue.key}`);
  await page.getByRole("button", { name: `Remove ${other.key} from “Blocked by”` }).press("Enter");
  await region("Relations").waitFor({ state: "hidden" });
  await focusOn(page, "button", `Add to ${issue.key}`);
  await add.press("Enter");
  await page.getByRole("menuitem", { name: "Blocking issue" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: "File" }).count(), 0);
  await page.leave();
});

test("Enter in the picker of an original takes the first issue found, not “Not a duplicate”", async () => {
  const [original, copy] = [await makeIssue("Zeppelin leaks"), await makeIssue("Leaky airship")];
  const page = await site.open(pageOf(copy));
  await rail(page)
    .getByRole("button", { name: /^Duplicate of/ })
    .press("Enter");
  await page.keyboard.type("zeppelin");
  await page.getByRole("option", { name: /Zeppelin leaks/ }).waitFor();
  await eventually(() => page.getByRole("option").count(), 1);
  await page.keyboard.press("Enter");
  await eventually(async () => (await read(copy)).duplicate_of_id, original.id);
  await page.leave();
});
