import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { middleColor, noise, png } from "../support/images.ts";
import { pastePicture } from "./paste-picture.ts";
import type { Attachment } from "../../src/shared/attachments.ts";
import { REPORT_FILES, type Report } from "../../src/shared/reports.ts";
import { makeCookie } from "../support/make.ts";
import { DEADLINE, eventually } from "../support/eventually.ts";
import { PHONE, useTestSite, type OpenOptions } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";
import { NONCE, openShop, strictPolicy, type Shop, type ShopContent } from "./widget-page.ts";

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const shop = await openShop(site);

const RED = "background: #f00; color: #f00; border: 0; padding: 0";

/** A page whose private elements are red, and nothing else. */
const PRIVATE: ShopContent = {
  before: `<style nonce="${NONCE}">
      body { margin: 0; height: 3000px; background: #fff }
      input, p { position: absolute; width: 200px; height: 30px; margin: 0 }
      .private { ${RED} }
      input { left: 40px; top: 60px }
      p { left: 500px; top: 60px }
      iframe { position: absolute; left: 40px; top: 300px; border: 7px solid #0a0; padding: 5px }
    </style>
    <input class="private" type="password" aria-label="Password">
    <p class="private" data-signalbox-mask>Card 4111</p>
    <div id="host"></div>
    <iframe title="Account" srcdoc="<style nonce='${NONCE}'>body { margin: 0 } p { ${RED}; margin: 20px 0 0 30px; width: 100px }</style>
      <p data-signalbox-mask>Balance 12</p>"></iframe>
    <script nonce="${NONCE}">
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("input { ${RED}; position: absolute; left: 500px; top: 200px; width: 90px; height: 40px }");
      const root = document.querySelector("#host").attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      const secret = document.createElement("input");
      secret.type = "password";
      secret.ariaLabel = "PIN";
      root.append(secret);
    </script>`,
  policy: `${strictPolicy(site.url)}; style-src 'nonce-${NONCE}'`,
};

const formOf = (page: Page) => page.getByRole("dialog", { name: "Send feedback" });

/** Opens the form on a page of the shop. */
async function openForm(
  options: Parameters<Shop["open"]>[1] = {},
): Promise<{ page: TestPage; form: Locator }> {
  const page = await shop.open({}, options);
  await page.getByRole("button", { name: "Feedback" }).click();
  return { page, form: formOf(page) };
}

/** Sends the form and returns the images of the report. */
async function send({ page, form }: { page: Page; form: Locator }): Promise<Buffer[]> {
  await form.getByRole("textbox", { name: "Description" }).fill("The cart is empty");
  await form.getByRole("button", { name: "Send feedback" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: DEADLINE });
  const reports = "/api/projects/WEB/reports";
  const report = ((await site.api.get(reports)).body as Report[]).at(-1);
  const files = `${reports}/${report?.id}/attachments`;
  const attachments = (await site.api.get(files)).body as Attachment[];
  return Promise.all(attachments.map(({ id }) => download(`${files}/${id}/download`)));
}

async function download(path: string): Promise<Buffer> {
  const cookie = await makeCookie(site.t.db, site.owner.id);
  const response = await fetch(site.url + path, { headers: { cookie } });
  return Buffer.from(await response.arrayBuffer());
}

const pick = (form: Locator, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  form.locator("input[type=file]").setInputFiles(files);

const pngFile = async (width = 60, height = 40) => ({
  name: "cart.png",
  mimeType: "image/png",
  buffer: await png(width, height, { r: 255, g: 255, b: 255 }),
});

/**
 * Headless browsers cannot share a screen, so the stream shows what Playwright sees: once, before the page can react, or again
 * and again, as a stream does.
 */
async function shareScreen(
  page: Page,
  { surface, isLive = false }: { surface?: string; isLive?: boolean } = {},
) {
  await page.context().exposeFunction("look", async () => (await page.screenshot()).toString("base64"));
  await page.context().addInitScript(
    ({ surface, isLive }) => {
      const { look } = window as unknown as { look(): Promise<string> };
      const shared = window as unknown as { options?: DisplayMediaStreamOptions; track?: MediaStreamTrack };
      navigator.mediaDevices.getDisplayMedia = async (options) => {
        shared.options = options ?? {};
        const canvas = document.createElement("canvas");
        const context = canvas.getContext("2d")!;
        const draw = async (isFirst = false) => {
          const bytes = Uint8Array.from(atob(await look()), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes]));
          // The screen of most laptops has two pixels for each of the page's.
          if (isFirst) Object.assign(canvas, { width: bitmap.width * 2, height: bitmap.height * 2 });
          context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        };
        await draw(true);
        const stream = canvas.captureStream();
        const [track] = stream.getVideoTracks();
        if (!track) throw new Error("the canvas has no video track");
        shared.track = track;
        if (surface) track.getSettings = () => ({ displaySurface: surface });
        const repeat = async () => {
          if (isLive) await draw();
          else context.drawImage(canvas, 0, 0);
          if (track.readyState === "live") setTimeout(() => void repeat(), 10);
        };
        void repeat();
        return stream;
      };
    },
    { surface, isLive },
  );
}

/** How many pixels are red, and how many black. */
async function countColors(image: Buffer): Promise<{ red: number; black: number; width: number }> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let red = 0;
  let black = 0;
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    if (r > 150 && g < 100 && b < 100) red++;
    if (r + g + b < 30) black++;
  }
  return { red, black, width: info.width };
}

test("a screenshot shows the page without the form, and private elements are black", async () => {
  const page = await shop.open(PRIVATE, { newContext: true });
  await shareScreen(page);
  await page.reload();
  assert.ok((await countColors(await page.screenshot())).red > 10_000);
  await page.getByRole("button", { name: "Feedback" }).click();
  const form = formOf(page);
  await form.getByRole("button", { name: "Take a screenshot" }).click();
  await form.getByRole("img", { name: "Image 1" }).waitFor();
  const [image = assert.fail()] = await send({ page, form });
  const { red, black, width } = await countColors(image);
  assert.deepEqual([red, width], [0, 2560]);
  assert.ok(black > 40_000, String(black));
  const shared = await page.evaluate(() => {
    const { options, track } = window as unknown as { options: object; track: MediaStreamTrack };
    return { options, state: track.readyState };
  });
  assert.deepEqual(shared, {
    options: { video: { displaySurface: "browser" }, audio: false, preferCurrentTab: true },
    state: "ended",
  });
  await page.leave();
});

test("if the visitor shares a window or the screen, private elements are covered on the page", async () => {
  const page = await shop.open(PRIVATE, { newContext: true });
  await shareScreen(page, { surface: "window", isLive: true });
  await page.reload();
  await page.getByRole("button", { name: "Feedback" }).click();
  const form = formOf(page);
  await form.getByRole("button", { name: "Take a screenshot" }).click();
  await form.getByRole("img", { name: "Image 1" }).waitFor();
  const [image = assert.fail()] = await send({ page, form });
  assert.equal((await countColors(image)).red, 0);
  await page.leave();
});

test("a visitor who declines to share the screen returns to the form without a message", async () => {
  const page = await shop.open({
    after: `<script nonce="${NONCE}">
      navigator.mediaDevices.getDisplayMedia = async () => { throw new DOMException("Declined", "NotAllowedError"); };
    </script>`,
  });
  await page.getByRole("button", { name: "Feedback" }).click();
  const button = formOf(page).getByRole("button", { name: "Take a screenshot" });
  await button.click();
  await eventually(() => button.evaluate((element) => element.matches(":focus")), true);
  assert.equal(await formOf(page).getByText("could not be taken").count(), 0);
  await page.leave();
});

test("a browser that cannot take screenshots offers none", async () => {
  const page = await shop.open({
    after: `<script nonce="${NONCE}">navigator.mediaDevices.getDisplayMedia = undefined;</script>`,
  });
  await page.getByRole("button", { name: "Feedback" }).click();
  await formOf(page).getByRole("button", { name: "Add images" }).waitFor();
  assert.equal(await formOf(page).getByRole("button", { name: "Take a screenshot" }).count(), 0);
  await page.leave();
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
  assert.equal(await form.getByRole("img", { name: /^Image/ }).count(), 5);
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
  assert.equal(await focused(), "Remove image 1");
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
  assert.equal(await dialog.isVisible(), true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await form.locator("button:focus").getAttribute("aria-label"), "Draw on image 1");
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
  assert.deepEqual(await middleColor(image), { r: 255, g: 255, b: 255, alpha: 255 });
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
