import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DEADLINE, eventually } from "../support/eventually.ts";
import { countColors, formOf, useImageForm } from "./widget-image-form.ts";
import { NONCE, strictPolicy, type ShopContent } from "./widget-page.ts";

const { site, shop, send } = await useImageForm();

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

/**
 * Headless browsers cannot share a screen, so the stream shows what Playwright sees: once, before the page can react, or again
 * and again, as a stream does. The page's timers wait for the next picture, because a slow machine takes longer for one than the widget
 * waits for a frame.
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
        const { setTimeout: later } = window;
        const repeat = () => {
          context.drawImage(canvas, 0, 0);
          if (track.readyState === "live") later(repeat, 10);
        };
        repeat();
        const afterPicture = (run: () => void, ms: number) =>
          later(() => void (track.readyState === "live" ? draw() : Promise.resolve()).then(run), ms);
        if (isLive) Object.assign(window, { setTimeout: afterPicture });
        return stream;
      };
    },
    { surface, isLive },
  );
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
  await form.getByRole("img", { name: "Image 1" }).waitFor({ timeout: DEADLINE });
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
  await eventually(() => formOf(page).getByText("could not be taken").count(), 0);
  await page.leave();
});

test("a browser that cannot take screenshots offers none", async () => {
  const page = await shop.open({
    after: `<script nonce="${NONCE}">navigator.mediaDevices.getDisplayMedia = undefined;</script>`,
  });
  await page.getByRole("button", { name: "Feedback" }).click();
  await formOf(page).getByRole("button", { name: "Add images" }).waitFor();
  await eventually(() => formOf(page).getByRole("button", { name: "Take a screenshot" }).count(), 0);
  await page.leave();
});
