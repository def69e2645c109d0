import { test } from "node:test";
import { png } from "../support/images.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { pastePicture } from "./paste-picture.ts";
import { openReportQueue, preview, row } from "./report-queue.ts";

const site = await useTestSite();
const openQueue = (...titles: string[]) => openReportQueue(site, ...titles);

test("⇧R starts a report anywhere; it gets a pasted image and is added at the end of the queue", async () => {
  const queue = await openQueue("Cart empties");
  const page = await queue.open();
  await row(page, "Cart empties").waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "New report" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Prices without tax");
  const description = dialog.getByRole("textbox", { name: "Description" });
  await description.fill("The basket shows **net** prices.");
  await pastePicture(description, "basket.png");
  await dialog.getByRole("list", { name: "Images" }).getByText("basket.png").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Create report" }).click();
  await dialog.waitFor({ state: "hidden" });
  await row(page, "Prices without tax").getByRole("link").click();
  await preview(page).getByRole("button", { name: "View basket.webp" }).click();
  await page.getByRole("dialog", { name: "basket.webp" }).getByRole("img", { name: "basket.webp" }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await eventually(() => queue.order(), ["Cart empties", "Prices without tax"]);
  await page.leave();
});

test("the draft of a report survives a reload, and errors are shown under their fields", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  await page.getByText("Queue clear").waitFor();
  await page.getByRole("button", { name: "New report", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "New report" });
  const title = dialog.getByRole("textbox", { name: "Title" });
  await title.fill("x".repeat(256));
  await page.reload();
  await page.getByText("Queue clear").waitFor();
  await page.keyboard.press("Shift+R");
  await eventually(() => title.inputValue(), "x".repeat(256));
  await dialog.getByRole("button", { name: "Create report" }).click();
  await dialog.getByText("Must be at most 255 characters.").waitFor();
  await dialog.getByText("Must not be blank.").waitFor();
  await dialog.getByRole("button", { name: "Clear" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.leave();
});

test("files that are not images or too large are rejected before anything is sent", async () => {
  const queue = await openQueue();
  const page = await queue.open();
  await page.getByText("Queue clear").waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "New report" });
  await dialog.getByLabel(/Drop files here/).setInputFiles([
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a") },
    { name: "large.png", mimeType: "image/png", buffer: Buffer.alloc(3 * 1_048_576 + 1) },
    { name: "small.png", mimeType: "image/png", buffer: await png() },
  ]);
  await dialog.getByText("notes.txt is not an image").waitFor();
  await dialog.getByText("large.png is too large (3 MB). The limit is 3 MB.").waitFor();
  await dialog.getByText("1 of 5").waitFor();
  await page.leave();
});

test("files are attached by button and by paste; one with a wrong type is rejected and can be removed", async () => {
  const queue = await openQueue("With files");
  const page = await queue.open(`?report=${queue.reports[0]?.id}`);
  const files = preview(page).getByLabel(/Drop files here/);
  await files.setInputFiles([
    { name: "log.txt", mimeType: "text/plain", buffer: Buffer.from("a line") },
    { name: "run.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await preview(page)
    .getByRole("link", { name: /log\.txt/ })
    .waitFor();
  await preview(page).getByText("run.exe: this file type cannot be attached.").waitFor();
  await page.checkAccessibility();
  await preview(page).getByRole("button", { name: "Cancel run.exe" }).click();
  await pastePicture(page.getByRole("heading", { name: "With files" }), "pasted.png");
  await preview(page).getByRole("button", { name: "View pasted.webp" }).waitFor();
  await eventually(async () => (await queue.read(0)).attachments_count, 2);
  await page.leave();
});
