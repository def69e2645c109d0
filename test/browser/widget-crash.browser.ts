import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../src/shared/reports.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";
import { listen } from "./widget-page.ts";

/* The dialog that Sentry's SDKs open after a crash. `npm run test:sdks` opens it with the SDK itself. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const EVENT = "dc75a869e5c84f488963e5796ce9176d";
const { data } = (await site.api.get("/api/projects/WEB/ingest-keys")).body as {
  data: [{ key: string; dsn: string }];
};

const shop = await listen((_request, response) => {
  // What an SDK needs that is part of a bundle.
  const policy = `default-src 'none'; script-src ${site.url}; connect-src ${site.url}`;
  response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
  response.end("<!doctype html><html lang=de><title>Shop</title><button>Buy</button>");
});

async function openShopPage(): Promise<TestPage> {
  const page = await site.open("/assets/none.txt", { as: null });
  await page.goto(shop);
  await page.getByRole("button", { name: "Buy" }).focus();
  return page;
}

async function openDialog(options?: Record<string, string>): Promise<TestPage> {
  const page = await openShopPage();
  await addScript(page, options);
  return page;
}

/** Does what `Sentry.showReportDialog` does. */
async function addScript(page: TestPage, options: Record<string, string> = {}, dsn = data[0].dsn) {
  const parameters = new URLSearchParams({ eventId: EVENT, ...options });
  await page.evaluate((src) => {
    const messages: unknown[] = [];
    addEventListener("message", ({ data }) => messages.push(data));
    Object.assign(window, { messages });
    const script = document.createElement("script");
    script.async = true;
    script.crossOrigin = "anonymous";
    script.src = src;
    document.head.append(script);
  }, `${site.url}/api/embed/error-page/?dsn=${dsn}&${parameters.toString()}`);
}

const findReport = async (description: string) =>
  ((await site.api.get("/api/projects/WEB/reports")).body as Report[]).find(
    (report) => report.description === description,
  );

test("the crash dialog sends a bug with the event, has the call's texts, and says when it is closed", async () => {
  const page = await openDialog({
    lang: "en",
    name: "Kim",
    email: "kim@example.com",
    title: "Oh no",
    subtitle: "The team knows.",
    subtitle2: "Tell us more.",
    labelName: "Who",
    labelEmail: "Where",
    labelComments: "What happened",
    labelSubmit: "Submit crash report",
    labelClose: "Never mind",
    successMessage: "Got it.",
  });
  const form = page.getByRole("dialog", { name: "Oh no" });
  await form.getByText("The team knows. Tell us more.").waitFor();
  await eventually(() => form.getByRole("textbox", { name: "Who" }).inputValue(), "Kim");
  await eventually(() => form.getByRole("textbox", { name: "Where" }).inputValue(), "kim@example.com");
  await form.getByText(EVENT).waitFor();
  await form.getByRole("textbox", { name: "What happened" }).fill("I only paid");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await form.getByRole("button", { name: "Submit crash report" }).click();
  assert.equal(((await sent).postDataJSON() as Record<string, unknown>)["error_event_id"], EVENT);
  await page.getByText("Got it.").first().waitFor();
  await page.getByRole("button", { name: "Never mind" }).last().click();
  const messages = () => page.evaluate(() => (window as unknown as { messages: unknown[] }).messages);
  await eventually(messages, ["__sentry_reportdialog_closed__"]);
  assert.equal((await findReport("I only paid"))?.kind, "bug");
  await eventually(() => page.getByRole("button", { name: "Buy" }).evaluate(isFocused), true);
  await page.leave();
});

/** Runs in the page. */
const isFocused = (element: Element) => document.activeElement === element;

test("without the option lang, the crash dialog has the language of the page", async () => {
  const page = await openDialog();
  await page.getByRole("dialog", { name: "Feedback senden" }).waitFor();
  await page.leave();
});

test("a crash dialog with an unknown key only warns in the console", async () => {
  const page = await openShopPage();
  const warned = page.waitForEvent("console", (message) => message.type() === "warning");
  await addScript(page, {}, data[0].dsn.replace(data[0].key, "0".repeat(32)));
  assert.match((await warned).text(), /Feedback is not accepted/);
  await eventually(() => page.getByRole("dialog").count(), 0);
  await page.leave();
});
