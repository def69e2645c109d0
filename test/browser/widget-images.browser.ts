import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { Locator } from "playwright-core";
import sharp from "sharp";
import { middleColor, noise, png } from "../support/images.ts";
import { pastePicture } from "./paste-picture.ts";
import { REPORT_FILES } from "../../src/shared/reports.ts";
import { PHONE, type OpenOptions } from "./test-site.ts";
import { countColors, useImageForm } from "./widget-image-form.ts";

const { openForm, send } = await useImageForm();

const pick = (form: Locator, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  form.locator("input[type=file]").setInputFiles(files);

const pngFile = async (width = 60, height = 40) => ({
  name: "cart.png",
  mimeType: "image/png",
  buffer: await png(width, height, { r: 255, g: 255, b: 255 }),
});

test("images are picked, pasted and dropped", async () => {
  const { page, form } = await openForm();
  await pick(form, [await pngFile(30, 20)]);
  await form.getByRole("img", { name: "Image 1" }).waitFor();
  const description = form.getByRole("textbox", { name: "Description" });
  await pastePicture(description, "pasted.png");
  await form.getByRole("img", { name: "Image 2" }).waitFor();
  await dropPicture(description);
  await form.getByRole("img", { name: "Image 3" }).waitFor();
  const images = await send({ page, form });
  const sizes = await Promise.all(images.map((image) => sharp(image).metadata()));
  assert.deepEqual(
    sizes.map(({ width, height }) => [width, height]),
    [
      [30, 20],
      [60, 40],
      [50, 50],
    ],
  );
  await page.leave();
});

test("a sixth image is refused with a message, as is a file that is no image", async () => {
  const { page, form } = await openForm();
  const file = await pngFile();
  await pick(
    form,
    Array.from({ length: 6 }, () => file),
  );
  await form.getByRole("group").getByText("You can send at most 5 images.").waitFor();
  await eventually(() => form.getByRole("img", { name: /^Image/ }).count(), 5);
  await pick(form, [{ name: "page.png", mimeType: "image/png", buffer: Buffer.from("<html>") }]);
  await form.getByRole("group").getByText("can’t be read as an image").waitFor();
  assert.equal((await send({ page, form })).length, 5);
  await page.leave();
});

test("an image above 3 MB is made smaller until it fits", async () => {
  const { page, form } = await openForm();
  const buffer = await noise(1600, 1200).png().toBuffer();
  assert.ok(buffer.length > REPORT_FILES.bytes);
  await pick(form, [{ name: "noise.png", mimeType: "image/png", buffer }]);
  await form.getByRole("img", { name: "Image 1" }).waitFor();
  const [image = assert.fail()] = await send({ page, form });
  assert.ok(image.length <= REPORT_FILES.bytes, String(image.length));
  await page.leave();
});

test("removing an image announces it and moves the focus to the next one, then to the buttons", async () => {
  const { page, form } = await openForm();
  await pick(form, [await pngFile(60, 40), await pngFile(30, 20)]);
  await form.getByRole("button", { name: "Remove image 1" }).click();
  await form.getByRole("status").filter({ hasText: "Image 1 removed" }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel);
  await eventually(() => focused(), "Remove image 1");
  await page.keyboard.press("Enter");
  await form.getByRole("status").filter({ hasText: "Image 1 removed" }).waitFor();
  assert.match(await form.locator("button:focus").innerText(), /screenshot|Add images/);
  await page.leave();
});

/** Opens the dialog to draw on a white image of 600 × 400. */
async function openDrawing(options: OpenOptions = {}) {
  const { page, form } = await openForm(options);
  await pick(form, [await pngFile(600, 400)]);
  await form.getByRole("button", { name: "Draw on image 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Draw on the image" });
  const canvas = dialog.getByRole("application");
  return { page, form, dialog, canvas, box: (await canvas.boundingBox()) ?? assert.fail() };
}

test("the mouse draws rectangles, arrows and black-outs into the image that is sent, without what was undone", async () => {
  const { page, form, dialog, box } = await openDrawing();
  const drag = async (from: [number, number], to: [number, number]) => {
    await page.mouse.move(box.x + from[0], box.y + from[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 3 });
    await page.mouse.up();
  };
  await drag([50, 50], [150, 120]);
  await dialog.getByText("Rectangle drawn").waitFor();
  await dialog.getByRole("button", { name: "Arrow" }).click();
  await drag([400, 300], [300, 200]);
  await dialog.getByText("Arrow drawn").waitFor();
  await dialog.getByRole("button", { name: "Black out" }).click();
  await drag([400, 50], [500, 150]);
  await drag([0, 300], [600, 400]);
  await page.keyboard.press("Control+z");
  await dialog.getByText("Undone").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  const [image = assert.fail()] = await send({ page, form });
  const { black, red } = await countColors(image);
  assert.ok(black > 9_500 && black < 10_500, String(black));
  assert.ok(red > 500, String(red));
  await page.leave();
});

test("the keyboard draws, Escape removes an unfinished shape, and leaving with Escape keeps the others", async () => {
  const { page, form, dialog, canvas } = await openDrawing();
  await dialog.getByRole("button", { name: "Black out" }).focus();
  await page.keyboard.press("Enter");
  await canvas.focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Black out started").waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.getByText("Black out drawn").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Escape");
  await eventually(() => dialog.isVisible(), true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await eventually(() => form.locator("button:focus").getAttribute("aria-label"), "Draw on image 1");
  const [image = assert.fail()] = await send({ page, form });
  assert.equal((await countColors(image)).black, 3_600);
  await page.leave();
});

test("after undoing everything, the image is sent unchanged", async () => {
  const { page, form, dialog, canvas } = await openDrawing();
  await canvas.focus();
  for (const key of ["Enter", "Shift+ArrowRight", "Enter"]) await page.keyboard.press(key);
  await dialog.getByRole("button", { name: "Done" }).click();
  await form.getByRole("button", { name: "Draw on image 1" }).click();
  await dialog.getByRole("button", { name: "Undo" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "hidden" });
  const [image = assert.fail()] = await send({ page, form });
  await eventually(() => middleColor(image), { r: 255, g: 255, b: 255, alpha: 255 });
  assert.equal((await countColors(image)).red, 0);
  await page.leave();
});

test("a finger draws on a phone", async () => {
  const { page, form, dialog, box } = await openDrawing({ ...PHONE, width: 320, newContext: true });
  await dialog.getByRole("button", { name: "Black out" }).tap();
  const touches = await page.context().newCDPSession(page);
  const touch = (type: string, x?: number, y?: number) =>
    touches.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      touchPoints: x === undefined || y === undefined ? [] : [{ x: box.x + x, y: box.y + y }],
    });
  await touch("touchStart", 20, 20);
  for (const distance of [40, 60, 80, 100]) await touch("touchMove", distance, distance);
  await touch("touchEnd");
  await dialog.getByText("Black out drawn").waitFor();

  // Not by a tap: Chromium may take one that follows touches of another session for a part of these.
  await dialog.getByRole("button", { name: "Done" }).click();

  const [image = assert.fail()] = await send({ page, form });
  assert.ok((await countColors(image)).black > 5_000);
  await page.leave();
});

test("the images and the drawing dialog are accessible in both themes and at 320 px", async () => {
  for (const options of [{}, { theme: "dark" }, { width: 320, height: 640 }] as const) {
    const { page, dialog } = await openDrawing(options);
    await page.checkAccessibility();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.checkAccessibility();
    await page.leave();
  }
});

/** Dispatches the event that dropping a file causes. */
async function dropPicture(target: Locator) {
  const bytes = [...(await png(50, 50))];
  await target.evaluate((element, bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }));
    const drag = { dataTransfer, bubbles: true, cancelable: true, composed: true };
    if (element.dispatchEvent(new DragEvent("dragover", drag)))
      throw new Error("The form does not accept files.");
    element.dispatchEvent(new DragEvent("drop", drag));
  }, bytes);
}
