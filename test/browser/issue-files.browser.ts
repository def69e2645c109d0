import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { upload } from "../support/multipart.ts";
import { createIssue, pageOf, readIssue } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const read = (issue: { id: number }) => readIssue(site, issue);

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
  assert.equal(await page.getByRole("region", { name: "Files" }).count(), 0);
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
