import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { NONCE, openShop, partsOf, type ShopContent } from "./widget-page.ts";

/* The settings of the feedback widget and what a page can call. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const shop = await openShop(site);

const script = (code: string) => `<script nonce="${NONCE}">${code}</script>`;
/** Calls `code` in the page when the widget is ready. Its place is before the widget's tag, whose script may run before what follows. */
const whenReady = (code: string) => script(`addEventListener("signalbox:ready", () => { ${code} })`);
const textOf = (page: TestPage) => partsOf(page).button.textContent();
const cornerOf = (page: TestPage) => page.locator("signalbox-widget .corner");

/** Opens a page, and the form with the page's button. */
async function openForm(content: ShopContent, options?: Parameters<typeof shop.open>[1]) {
  const page = await shop.open(content, options);
  const parts = partsOf(page);
  await parts.button.click();
  await parts.form.waitFor();
  return { page, ...parts };
}

test("the button has the text, the color and the position of the attributes", async () => {
  const page = await shop.open({
    attributes: 'data-text="Problem?" data-color="#ffd000" data-position="top-left"',
  });
  const { button } = partsOf(page);
  await eventually(() => textOf(page), "Problem?");
  const colors = await button.evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return [backgroundColor, color];
  });
  assert.deepEqual(colors, ["rgb(255, 208, 0)", "rgb(0, 0, 0)"]);
  const box = (await button.boundingBox()) ?? assert.fail();
  assert.ok(box.x < 40 && box.y < 40, JSON.stringify(box));
  await page.leave();
});

test("options set before the script work like attributes, which win over them", async () => {
  const options =
    'window.SignalboxOptions = { text: "Help", position: "bottom-left", texts: { heading: "Ask us" } }';
  const { page, form } = await openForm({ before: script(options), attributes: 'data-text="Contact"' });
  await eventually(() => textOf(page), "Contact");
  assert.match((await cornerOf(page).getAttribute("class")) ?? "", /bottom-left/);
  await form.getByRole("heading", { name: "Ask us" }).waitFor();
  await page.leave();
});

test("values that are not valid are ignored", async () => {
  const attributes =
    'data-color="red" data-position="center" data-theme="blue" data-kinds="praise" data-name="no" data-trigger="[" data-language="xx"';
  const { page, form, button } = await openForm({ attributes });
  await eventually(() => button.evaluate((element) => element.style.background), "");
  assert.match((await cornerOf(page).getAttribute("class")) ?? "", /bottom-right/);
  await eventually(() => form.getByRole("radio").count(), 0);
  await form.getByRole("textbox", { name: "Name (optional)" }).waitFor();
  await page.leave();
});

test("name and address can be off, and a page can fill them in all the same", async () => {
  const page = await shop.open({
    attributes: 'data-name="off" data-email="off"',
    before: whenReady('Signalbox.open({ name: "Kim", email: "kim@example.com", tags: { plan: "pro" } })'),
  });
  const { form, description, send } = partsOf(page);
  await description.fill("From the page");
  await eventually(() => form.getByRole("textbox").count(), 2);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await send.click();
  const body = (await sent).postDataJSON() as Record<string, unknown>;
  assert.equal(body["author_name"], "Kim");
  assert.equal(body["author_email"], "kim@example.com");
  assert.deepEqual(body["tags"], { plan: "pro" });
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.leave();
});

test("wrong arguments are ignored", async () => {
  const page = await shop.open({
    before: whenReady(`
      Signalbox.on("nothing", () => {});
      Signalbox.on("open", 5);
      Signalbox.on();
      Signalbox.open({ email: "no address", name: 5, tags: "none" });
      Signalbox.open(5);
      Signalbox.open(null);
    `),
  });
  const { form } = partsOf(page);
  await form.waitFor();
  await eventually(() => form.count(), 1);
  await eventually(() => form.getByRole("textbox", { name: "Email" }).inputValue(), "");
  await eventually(() => form.getByRole("textbox", { name: "Name" }).inputValue(), "");
  await page.leave();
});

test("elements that match the trigger open the form and replace the button, also if they are added later", async () => {
  const page = await shop.open({
    attributes: 'data-trigger=".help"',
    before: whenReady("document.body.dataset.ready = 1"),
  });
  await page.locator("body[data-ready]").waitFor();
  const { form, button } = partsOf(page);
  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "/elsewhere";
    link.className = "help";
    link.textContent = "Help";
    link.addEventListener("click", (event) => event.stopPropagation());
    document.body.append(link);
  });
  await page.getByRole("link", { name: "Help" }).click();
  await form.waitFor();
  await eventually(() => button.count(), 0);
  await page.keyboard.press("Escape");
  await eventually(
    () => page.getByRole("link", { name: "Help" }).evaluate((link) => document.activeElement === link),
    true,
  );
  await page.leave();
});

test("hide removes the button", async () => {
  const page = await shop.open({ before: whenReady("Signalbox.hide(); document.body.dataset.ready = 1") });
  await page.locator("body[data-ready]").waitFor();
  await eventually(() => partsOf(page).button.count(), 0);
  await page.leave();
});

test("callbacks hear that the form opens, sends, fails and closes, and an error in one stops nothing", async () => {
  const page = await shop.open({
    before: whenReady(`
      window.heard = [];
      Signalbox.on("open", () => { throw new Error("of the page") });
      for (const name of ["open", "close", "sent", "error"])
        Signalbox.on(name, (detail) => heard.push(detail ? name + " " + Object.keys(detail) : name));
    `),
  });
  const { button, form, description, send, alert } = partsOf(page);
  let attempts = 0;
  await page.route("**/feedback", (route) => (attempts++ === 0 ? route.abort() : route.continue()));
  await button.click();
  await description.fill("Heard");
  await send.click();
  await alert.getByText("Check your connection").waitFor();
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  assert.deepEqual(heard, ["open", "error status", "sent id,status_url", "close"]);
  page.complaints.length = 0;
  await page.leave();
});

test("two script tags make one button, and nothing but Signalbox becomes global", async () => {
  const count = script("window.before = Object.keys(window).length");
  const page = await shop.open({
    before: count,
    after: `<script src="${site.url}/widget.js" data-key="second" nonce="${NONCE}"></script>`,
  });
  const { button, form } = partsOf(page);
  await button.click();
  await form.waitFor();
  await eventually(() => page.locator("signalbox-widget").count(), 1);
  const added = await page.evaluate(() => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow));
    frame.remove();
    return Object.getOwnPropertyNames(window).filter((name) => !usual.has(name));
  });
  assert.deepEqual(
    added.filter((name) => !/^(before|__playwright|0$)/.test(name)),
    ["Signalbox"],
  );
  await page.leave();
});

test("German texts are loaded on demand, and the form says its language", async () => {
  const { page, form } = await openForm({ attributes: 'data-language="de"' });
  await form.getByRole("heading", { name: "Feedback senden" }).waitFor();
  await eventually(() => form.locator("xpath=..").getAttribute("lang"), "de");
  await page.leave();
});

test("with the language auto, the browser's is used if there is a file", async () => {
  const { page, form } = await openForm({ attributes: 'data-language="auto"' });
  await form.getByRole("heading", { name: "Send feedback" }).waitFor();
  await eventually(() => form.locator("xpath=..").getAttribute("lang"), "en");
  await page.leave();
});

test("the theme is the setting's, or follows the system", async () => {
  for (const [attributes, theme] of [
    ["", "dark"],
    ['data-theme="light"', "light"],
  ]) {
    const { page, form } = await openForm({ attributes }, { theme: "dark" });
    await eventually(() => form.locator("xpath=..").getAttribute("data-theme"), theme);
    await page.leave();
  }
});

test("a form that cannot be loaded is announced, and opens at the next attempt", async () => {
  const page = await shop.open();
  let attempts = 0;
  await page.route("**/widget/form-*", (route) => (attempts++ === 0 ? route.abort() : route.continue()));
  const { button, form } = partsOf(page);
  await button.click();
  await page.getByRole("alert").getByText("The form could not be loaded.").waitFor();
  await button.click();
  await form.waitFor();
  page.complaints.length = 0;
  await page.leave();
});
