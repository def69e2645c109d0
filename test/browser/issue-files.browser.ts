import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Locator } from "playwright-core";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { upload } from "../support/multipart.ts";
import { createIssue, pageOf, readIssue } from "./issue-page.ts";
import { useSharedPage } from "./shared-page.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const read = (issue: { id: number }) => readIssue(site, issue);

describe("an issue created from a report with a screenshot", () => {
  let report: number;
  let issue: Issue;

  const attach = async (path: string, filename: string, content: Buffer | string) => {
    const answer = await upload(site.api, `${base}/${path}/attachments`, [
      { name: "file", filename, content },
    ]);
    assert.equal(answer.status, 201, answer.text);
  };

  const sharedPage = useSharedPage(async () => {
    ({ id: report } = await site.create("/reports", { title: "Cart empties", description: "Twice" }));
    await attach(`reports/${report}`, "cart.png", await png(60, 40));
    const promoted = await site.api.post(`${base}/reports/promote`, {
      report_ids: [report],
      title: "With files",
      description: "Twice",
    });
    assert.equal(promoted.status, 200, promoted.text);
    issue = await read({ id: promoted.body[0].promoted_issue_id });
    await attach(`issues/${issue.id}`, "old.png", await png(60, 40));
    const { id: comment } = await site.create(`/issues/${issue.id}/comments`, { content: "A remark" });
    await attach(`issues/${issue.id}/comments/${comment}`, "log.txt", "a line");
    return site.open(pageOf(issue));
  });

  const filesOf = (page: TestPage) => page.getByRole("region", { name: "Files" });

  const confirmDeletion = (page: TestPage) =>
    page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();

  test("the screenshot opens from the files of the issue", async () => {
    const page = sharedPage();
    await filesOf(page)
      .getByRole("button", { name: `View cart.webp #${report}` })
      .click();
    const viewer = page.getByRole("dialog", { name: "cart.webp" });
    await viewer.getByRole("img", { name: "cart.webp" }).waitFor();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "hidden" });
  });

  test("a chosen file is attached", async () => {
    const page = sharedPage();
    const files = filesOf(page);
    await files.getByRole("button", { name: "Attach" }).waitFor();
    await files
      .locator("input[type=file]")
      .setInputFiles([{ name: "basket.png", mimeType: "image/png", buffer: await png(60, 40) }]);
    await files.getByRole("button", { name: "View basket.webp" }).waitFor();
    await page.checkAccessibility();
  });

  test("a file of a type that cannot be attached says so until it is canceled", async () => {
    const page = sharedPage();
    const files = filesOf(page);
    await files
      .locator("input[type=file]")
      .setInputFiles([{ name: "run.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") }]);
    const refusal = files.getByText("run.exe: this file type cannot be attached.");
    await refusal.waitFor();
    await files.getByRole("button", { name: "Cancel run.exe" }).click();
    await refusal.waitFor({ state: "detached" });
  });

  test("a file is deleted with the keyboard after a confirmation", async () => {
    const page = sharedPage();
    const names = async () => (await read(issue)).attachments.map(({ filename }) => filename);
    assert.ok((await names()).includes("old.webp"));
    await filesOf(page).getByRole("button", { name: "Delete old.webp" }).focus();
    await page.keyboard.press("Enter");
    await confirmDeletion(page);
    await filesOf(page).getByRole("button", { name: "View old.webp" }).waitFor({ state: "hidden" });
    await eventually(async () => (await names()).includes("old.webp"), false);
  });

  test("a file of a comment is deleted after a confirmation", async () => {
    const page = sharedPage();
    const card = page.getByRole("article").filter({ hasText: "A remark" });
    await card.getByRole("link", { name: /log\.txt/ }).waitFor();
    await card.getByRole("button", { name: "Delete log.txt" }).click();
    await confirmDeletion(page);
    await card.getByRole("link", { name: /log\.txt/ }).waitFor({ state: "hidden" });
  });
});

for (const place of ["the description", "the comments"] as const)
  test(`a file dropped on ${place} of an issue without files is attached to it`, async () => {
    const issue = await createIssue(site, "Without files", { description: "It fails." });
    const page = await site.open(pageOf(issue));
    const target =
      place === "the description"
        ? page.getByText("It fails.")
        : page.getByRole("navigation", { name: "Comments and history" });
    await page.locator("input[aria-label='Attach files']").waitFor({ state: "attached" });
    await dropFile(target, "notes.txt");
    await page
      .getByRole("region", { name: "Files" })
      .getByRole("link", { name: /notes\.txt/ })
      .waitFor();
    assert.equal((await read(issue)).attachments.length, 1);
    await page.leave();
  });

test("a file dropped on the comment box goes to the comment, not to the issue", async () => {
  const issue = await createIssue(site, "With a comment box");
  const page = await site.open(pageOf(issue));
  const field = page.getByRole("textbox", { name: "Write a comment" });
  await page.getByLabel("Files to attach").first().waitFor({ state: "attached" });
  await page.locator("input[aria-label='Attach files']").waitFor({ state: "attached" });
  await dropFile(field, "notes.txt");
  await eventually(async () => /notes\.txt/.test(await field.inputValue()), true);
  await eventually(() => page.getByRole("region", { name: "Files" }).count(), 0);
  await page.leave();
});

/** Drags a text file over an element and drops it there. */
async function dropFile(target: Locator, name: string): Promise<void> {
  await target.evaluate((element, name) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["a line"], name, { type: "text/plain" }));
    const isAccepted = !element.dispatchEvent(
      new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }),
    );
    if (!isAccepted) throw new Error("nothing accepts the file");
    element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, name);
}
