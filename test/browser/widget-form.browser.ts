import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../src/shared/reports.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { factsIn, openShop, partsOf } from "./widget-page.ts";

/* The feedback widget on a page of another site, whose policy allows nothing but the widget. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const shop = await openShop(site);

const reports = async () => (await site.api.get("/api/projects/WEB/reports")).body as Report[];
const findReport = async (title: string) => (await reports()).find((report) => report.title === title);

test("feedback of a visitor becomes a report with the page, the release and the visitor's address", async () => {
  const page = await shop.open({
    path: "/checkout?token=secret#pay",
    attributes: 'data-kinds="bug, idea" data-release="4.12.1"',
  });
  const { button, form, description, send } = partsOf(page);
  await button.click();
  await form.getByRole("radio", { name: "An idea" }).check();
  await form.getByRole("textbox", { name: "Title" }).fill("Gift cards");
  await description.fill("Please sell gift cards.");
  await form.getByRole("textbox", { name: "Name" }).fill("Kim");
  await form.getByRole("textbox", { name: "Email" }).fill("Kim@example.com");
  assert.deepEqual(await factsIn(form), {
    Page: `${shop.origin}/checkout`,
    Browser: (await factsIn(form))["Browser"],
    Window: "1280 × 800",
    Language: "en-GB",
    Release: "4.12.1",
  });
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  const report = (await findReport("Gift cards")) ?? assert.fail();
  assert.equal(report.description, "Please sell gift cards.");
  assert.equal(report.kind, "idea");
  assert.equal(report.author_name, "Kim");
  assert.equal(report.author_email, "kim@example.com");
  assert.equal(report.origin?.page, `${shop.origin}/checkout`);
  assert.equal(report.origin?.viewport, "1280x800");
  assert.equal(report.origin?.language, "en-GB");
  assert.equal(report.origin?.release, "4.12.1");
  const link = await form.getByRole("link", { name: "See what becomes of it" }).getAttribute("href");
  assert.ok(link?.startsWith(`${site.url}/r/`), `${link}`);
  await page.leave();
});

test("a form with missing or wrong values says so at each field, focuses the first one and sends nothing", async () => {
  const page = await shop.open({ attributes: 'data-kinds="bug,idea" data-name="required"' });
  const { button, form, description, send, alert } = partsOf(page);
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await button.click();
  const email = form.getByRole("textbox", { name: "Email" });
  await email.fill("kim");
  await send.click();
  await alert.getByText("Check the marked fields.").waitFor();
  for (const [field, message] of [
    [form.getByRole("radiogroup"), "Choose one."],
    [description, "Enter a value for “Description”."],
    [form.getByRole("textbox", { name: "Name" }), "Enter a value for “Name”."],
    [email, "Enter an email address, such as name@example.com."],
  ] as const) {
    await eventually(() => field.getAttribute("aria-invalid"), "true");
    const described = await field.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => (element.getRootNode() as ShadowRoot).getElementById(id)?.textContent)
        .join(" "),
    );
    assert.ok(described.includes(message), described);
  }
  await eventually(() => form.getByRole("radio").first().evaluate(isFocused), true);
  assert.deepEqual(requests, []);

  await form.getByRole("radio", { name: "A problem" }).check();
  await description.fill("x");
  await form.getByRole("textbox", { name: "Name" }).fill("Kim");
  await email.fill("");
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.leave();
});

/** Runs in the page. */
const isFocused = (element: Element) => (element.getRootNode() as ShadowRoot).activeElement === element;

for (const [name, status, message] of [
  ["a refusal", 403, "Feedback is not accepted on this page."],
  ["a rate limit", 429, "Too much feedback was sent from here."],
  ["a server error", 500, "The server can’t be used right now."],
  ["a lost connection", undefined, "Check your connection and try again"],
] as const)
  test(`${name} is announced and keeps the text, and sending again reuses the idempotency key`, async () => {
    const page = await shop.open();
    const { button, form, description, send, alert } = partsOf(page);
    const keys: (string | undefined)[] = [];
    await page.route("**/feedback", async (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.continue();
      keys.push(request.headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      const headers = { "access-control-allow-origin": "*" };
      return status === undefined ? route.abort() : route.fulfill({ status, json: {}, headers });
    });
    const title = `After ${name}`;
    await button.click();
    await description.fill(title);
    await send.click();
    await alert.getByText(message).waitFor();
    await eventually(() => description.inputValue(), title);
    await send.click();
    await form.getByRole("heading", { name: "Thank you" }).waitFor();
    assert.equal(new Set(keys).size, 1);
    assert.ok(keys[0]);
    await eventually(async () => (await findReport(title))?.title, title);
    page.complaints.length = 0;
    await page.leave();
  });

test("a changed text gets another idempotency key", async () => {
  const page = await shop.open();
  const { button, form, description, send, alert } = partsOf(page);
  const keys: (string | undefined)[] = [];
  await page.route("**/feedback", async (route) => {
    if (route.request().method() === "POST") keys.push(route.request().headers()["idempotency-key"]);
    return keys.length === 1 ? route.abort() : route.continue();
  });
  await button.click();
  await description.fill("First");
  await send.click();
  await alert.getByText("Check your connection").waitFor();
  await description.fill("Second");
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(new Set(keys).size, 2);
  page.complaints.length = 0;
  await page.leave();
});

test("a page that may not use the key is told when the form opens", async () => {
  const allowed_origins = ["https://blog.example.com"];
  const { key } = await site.create("/ingest-keys", { name: "Blog", allowed_origins });
  const page = await shop.open({ key });
  const { button, alert } = partsOf(page);
  await button.click();
  await alert.getByText("Feedback is not accepted on this page.").waitFor();
  page.complaints.length = 0;
  await page.leave();
});

test("an unknown key is told when the form opens", async () => {
  const page = await shop.open({ key: "0".repeat(32) });
  const { button, alert } = partsOf(page);
  await button.click();
  await alert.getByText("Feedback is not accepted on this page.").waitFor();
  await page.leave();
});

test("closing keeps the text until the page is left, and sending removes it", async () => {
  const page = await shop.open();
  const { button, form, description, send } = partsOf(page);
  await button.click();
  await description.fill("Half a sentence");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await button.click();
  await eventually(() => description.inputValue(), "Half a sentence");
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  await form.getByRole("button", { name: "Close" }).last().click();
  await button.click();
  await eventually(() => description.inputValue(), "");
  await page.leave();
});

test("the last error of a Sentry SDK or of our reporter is shown and sent", async () => {
  for (const [n, [code, id]] of [
    ["window.Sentry = { lastEventId: () => ID }", "dc75a869e5c84f488963e5796ce91761"],
    [
      'window.__SENTRY__ = { version: "11.12.0", "11.12.0": { stack: { getIsolationScope: () => ({ lastEventId: () => ID }) } } }',
      "dc75a869e5c84f488963e5796ce91762",
    ],
    ["window.__SENTRY__ = { hub: { lastEventId: () => ID } }", "dc75a869e5c84f488963e5796ce91763"],
    ['window.__SIGNALBOX__ = { lastEventId: ID, release: "4.13.0" }', "dc75a869e5c84f488963e5796ce91764"],
  ].entries() as ArrayIterator<[number, [string, string]]>) {
    const script = code.replaceAll("ID", `"${id}"`);
    const page = await shop.open({ before: `<script nonce="4f3c2b1a">${script}</script>` });
    const { button, form, description, send } = partsOf(page);
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await button.click();
    const facts = await factsIn(form);
    assert.equal(facts["Last error"], id);
    if (n === 3) assert.equal(facts["Release"], "4.13.0");
    await description.fill("It crashed");
    await send.click();
    const body = (await sent).postDataJSON() as Record<string, unknown>;
    assert.equal(body["error_event_id"], id);
    await form.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.leave();
  }
});
