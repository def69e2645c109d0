import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { launchChromium } from "../browser/chromium.ts";
import { CANARIES } from "./canaries.ts";
import type { Expected } from "./programs.ts";

export const browserError: Expected = {
  exception_class: "PaymentError",
  message: /^the card was declined$/,
  frame: /^ {4}at \w+ \(http:\/\/127\.0\.0\.1:\d+\/page\.js:\d+:\d+\)$/,
  chain: ["TypeError"],
  context: { kind: "route", name: null, method: null, pattern: null, action: null, response_status: null },
  host: null,
  runtime: /^Chrome \d+/,
  framework: null,
};

/** What the page defines. */
type Shop = {
  run(): Promise<boolean>;
  explain(message: string): Promise<boolean>;
  openFeedback(): Promise<void>;
  showDialog(user: { name: string; email: string }): void;
};

/**
 * Sends errors with the installed SDK in Chromium, then feedback: with a screenshot by the SDK's own form, by a form of the page, and
 * by the dialog that the SDK loads from the server.
 */
export async function runInBrowser(folder: string, dsn: string, environment: string): Promise<void> {
  const script = await bundle(folder);
  const settings = JSON.stringify({ dsn, environment, canaries: CANARIES });
  const html = `<!doctype html><meta charset="utf-8"><title>Shop</title><script>window.program = ${settings}</script><script src="/page.js"></script>`;
  // Of another origin than the server, as in reality.
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/shop?email=${CANARIES.query}`);
    assert.equal(await page.evaluate(() => (globalThis as unknown as Shop).run()), true, "flush");
    await sendFeedback(page);
    const explain = (message: string) => (globalThis as unknown as Shop).explain(message);
    assert.equal(await page.evaluate(explain, EXPLANATION), true, "flush");
    await sendCrashReport(page);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function bundle(folder: string): Promise<Buffer> {
  const entry = path.join(folder, "page.js");
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      lib: { entry, formats: ["iife"], name: "page", fileName: () => "page.js" },
      outDir: "built",
      minify: false,
    },
  });
  return readFile(path.join(folder, "built/page.js"));
}

/** What a person writes into a form of the shop. */
export const EXPLANATION = "I paid, and nothing happened";

/** What a person writes into the form of the SDK. */
export const FEEDBACK = { name: "Kim", email: "kim@shop.example", message: "The button Buy does nothing" };

/** What a person writes into the dialog after a crash, which knows the name and the address. */
export const CRASH_REPORT = { name: "Robin", email: "robin@shop.example", message: "It crashed when I paid" };

async function sendCrashReport(page: Page) {
  await page.evaluate((user) => (globalThis as unknown as Shop).showDialog(user), CRASH_REPORT);
  const dialog = page.getByRole("dialog", { name: "Send feedback" });
  await dialog.getByText("The shop's own words.").waitFor();
  await dialog.getByRole("textbox", { name: "Description" }).fill(CRASH_REPORT.message);
  await dialog.getByRole("button", { name: "Send feedback" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction("document.title === 'closed'");
}

async function sendFeedback(page: Page) {
  await page.evaluate(() => (globalThis as unknown as Shop).openFeedback());
  await page.getByRole("textbox", { name: "Name" }).fill(FEEDBACK.name);
  await page.getByRole("textbox", { name: "Email" }).fill(FEEDBACK.email);
  await page.getByRole("textbox", { name: "Description" }).fill(FEEDBACK.message);
  await page.getByRole("button", { name: "Add a screenshot" }).click();
  const sent = page.waitForResponse(
    (response) => response.ok() && response.request().postDataBuffer()?.includes('"feedback"') === true,
  );
  await page.getByRole("button", { name: "Send Bug Report" }).click();
  await sent;
}
