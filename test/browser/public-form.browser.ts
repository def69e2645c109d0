import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { Report } from "../../src/shared/reports.ts";
import { DEADLINE } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import type { TestPage } from "./test-page.ts";
import { PHONE, useTestSite, type OpenOptions } from "./test-site.ts";

/* The page of a project's public form, as visitors without an account use it. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const { body: project } = await site.api.patch("/api/projects/WEB", { feedback: { public_form: true } });
const address = new URL(project.feedback.form_url).pathname;

const openForm = (options: OpenOptions = {}) => site.open(address, { ...options, as: null });
const lastReport = async () => ((await site.api.get("/api/projects/WEB/reports")).body as Report[]).at(-1);
const countReports = async () => ((await site.api.get("/api/projects/WEB/reports")).body as Report[]).length;
const send = (page: TestPage) => page.getByRole("button", { name: "Send feedback" });

test("a visitor sends the form with an image, and gets the link to the report's status", async () => {
  const page = await openForm();
  const others: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== site.url) others.push(request.url());
  });
  await page.getByRole("heading", { level: 1, name: "Send feedback to Web shop" }).waitFor();
  await page.getByRole("radio", { name: "An idea" }).check();
  await page.getByRole("textbox", { name: "Title" }).fill("Gift cards");
  await page.getByRole("textbox", { name: "Description" }).fill("Please sell gift cards.");
  await page.getByRole("textbox", { name: "Name" }).fill("Kim");
  await page.getByRole("textbox", { name: "Email" }).fill("kim@example.com");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "card.png", mimeType: "image/png", buffer: await png() });
  await page.getByRole("img", { name: "Image 1" }).waitFor();
  await send(page).click();
  const heading = page.getByRole("heading", { name: "Thank you" });
  await heading.waitFor({ timeout: DEADLINE });
  await eventually(() => heading.evaluate((element) => element.matches(":focus")), true);
  await page.getByRole("link", { name: "See what becomes of it" }).waitFor();
  await page.checkAccessibility();
  const report = await lastReport();
  assert.deepEqual(
    [report?.title, report?.kind, report?.author_name, report?.author_email, report?.attachments_count],
    ["Gift cards", "idea", "Kim", "kim@example.com", 1],
  );
  assert.deepEqual([report?.origin?.viewport, report?.origin?.language], ["1280x800", "en-GB"]);
  assert.deepEqual(others, []);
  await page.leave();
});

test("the next report of the same visitor needs a new challenge, which the page computes", async () => {
  const page = await openForm();
  const write = async (text: string) => {
    await page.getByRole("radio", { name: "A question" }).check();
    await page.getByRole("textbox", { name: "Description" }).fill(text);
    await send(page).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: DEADLINE });
    assert.equal((await lastReport())?.description, text);
  };
  await write("Do you deliver to islands?");
  await page.getByRole("button", { name: "Send more feedback" }).click();
  await write("And to lighthouses?");
  await page.leave();
});

test("a report whose response was lost is stored once when it is sent again", async () => {
  const page = await openForm();
  await page.route("**/api/forms/*", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await route.fetch();
    await route.abort();
  });
  const before = await countReports();
  await page.getByRole("radio", { name: "A problem" }).check();
  await page.getByRole("textbox", { name: "Description" }).fill("The response is lost");
  await send(page).click();
  await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor({ timeout: DEADLINE });
  await page.unrouteAll();
  await eventually(() => countReports(), before + 1);
  await send(page).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: DEADLINE });
  await eventually(() => countReports(), before + 1);
  page.complaints.length = 0;
  await page.leave();
});

test("what is missing is described at its field, which gets the focus", async () => {
  const page = await openForm();
  await page.getByRole("radio", { name: "A problem" }).check();
  await send(page).click();
  const description = page.getByRole("textbox", { name: "Description" });
  await eventually(() => description.evaluate((element) => element.matches(":focus")), true);
  await eventually(() => description.getAttribute("aria-invalid"), "true");
  await page.getByRole("alert").filter({ hasText: "Check the marked fields." }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("if the form was switched off meanwhile, the page says so and keeps the text", async () => {
  const page = await openForm();
  await page.route("**/api/forms/*", (route) =>
    route.fulfill({ status: 404, json: { message: "There is no such form." } }),
  );
  await page.getByRole("radio", { name: "A problem" }).check();
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("The cart is empty");
  await send(page).click();
  await page.getByRole("alert").filter({ hasText: "Feedback is not accepted on this page." }).waitFor();
  await eventually(() => description.inputValue(), "The cart is empty");
  await page.leave();
});

test("a page without JavaScript says that it needs it", async () => {
  const page = await openForm();
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = (await context?.newPage()) ?? assert.fail();
  await plain.goto(site.url + address);
  const message = plain.locator("noscript");
  await message.waitFor();
  assert.match((await message.textContent()) ?? "", /^This form needs JavaScript\./);
  await context?.close();
  await page.leave();
});

test("an address without a form is a page that says so", async () => {
  const page = await site.open("/f/0000000000000000000000", { as: null });
  await page.getByRole("heading", { name: "There is no form at this address" }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("the page is accessible and fits in both themes, on a desktop, at 320 px and on a phone", async () => {
  for (const [name, options] of Object.entries({
    light: {},
    dark: { theme: "dark" },
    narrow: { width: 320, height: 640 },
    phone: { ...PHONE, theme: "dark" },
  } satisfies Record<string, OpenOptions>)) {
    const page = await openForm(options);
    await page.getByRole("button", { name: "Add images" }).waitFor();
    await page.checkAccessibility();
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await eventually(() => overflow(), 0, name);
    await page.leave();
  }
});
