import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { PHONE, useTestSite } from "./test-site.ts";
import { NONCE, openShop, partsOf, strictPolicy } from "./widget-page.ts";

/* The feedback widget among a page's own policies, styles, key handlers and dialogs, and how accessible it is. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const shop = await openShop(site);
const script = (code: string) => `<script nonce="${NONCE}">${code}</script>`;

test("keystrokes in the form reach no handler of the page, but work in the form", async () => {
  const page = await shop.open({
    after: script(`
      window.heard = [];
      addEventListener("load", () => {
        for (const type of ["keydown", "keypress", "keyup", "input", "beforeinput"]) {
          document.addEventListener(type, (event) => heard.push(event.type), true);
          window.addEventListener(type, (event) => { heard.push(event.type); event.preventDefault(); });
        }
      });
    `),
  });
  const { button, form, description } = partsOf(page);
  await button.click();
  await description.pressSequentially("s/?");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Tab");
  await eventually(() => description.inputValue(), "s/?\n");
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  assert.deepEqual(
    (await heard()).filter((type) => type.startsWith("key")),
    [],
  );
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await page.keyboard.press("a");
  assert.ok((await heard()).includes("keydown"));
  await page.leave();
});

test("the form is on top of the page's own modal dialog, which stays open", async () => {
  const page = await shop.open({
    before: "<dialog><button class=help>Help</button></dialog>",
    attributes: 'data-trigger=".help"',
    after: script(`
      const dialog = document.querySelector("dialog");
      dialog.showModal();
      document.addEventListener("click", (event) => { if (!dialog.contains(event.target)) dialog.close(); });
      dialog.addEventListener("keydown", (event) => event.preventDefault());
    `),
  });
  const help = page.getByRole("button", { name: "Help" });
  await page.waitForFunction(() => "Signalbox" in window);
  await help.click();
  const form = page.locator("signalbox-form dialog");
  await form.getByRole("textbox", { name: "Description" }).fill("Typed");
  await form.getByRole("textbox", { name: "Name" }).click();
  await page.keyboard.type("Kim");
  await eventually(() => form.getByRole("textbox", { name: "Name" }).inputValue(), "Kim");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await eventually(
    () => page.locator("main dialog").evaluate((dialog) => (dialog as HTMLDialogElement).open),
    true,
  );
  await eventually(() => help.evaluate((element) => document.activeElement === element), true);
  await page.leave();
});

test("styles of the page do not reach the widget, and its styles do not leave it", async () => {
  const hostile =
    "* { color: red !important; display: inline !important; font-size: 40px !important; all: unset } dialog, button { opacity: 0 }";
  const measure = async (before: string) => {
    const page = await shop.open({
      before,
      policy: strictPolicy(site.url).replace("default-src", `style-src 'nonce-${NONCE}'; default-src`),
    });
    const { button, form, description } = partsOf(page);
    const paragraph = await page.locator("h1").evaluate((element) => getComputedStyle(element).fontSize);
    await button.click();
    const styles = [];
    for (const part of [button, form, description])
      styles.push(
        await part.evaluate((element) => {
          const { color, display, fontSize, opacity, position, zIndex } = getComputedStyle(element);
          return {
            color,
            display,
            fontSize,
            opacity,
            position,
            zIndex,
            ...element.getBoundingClientRect().toJSON(),
          };
        }),
      );
    await eventually(
      () => page.locator("h1").evaluate((element) => getComputedStyle(element).fontSize),
      paragraph,
    );
    await page.leave();
    return styles;
  };
  assert.deepEqual(await measure(`<style nonce="${NONCE}">${hostile}</style>`), await measure(""));
});

test("the widget sets no cookie and works where storage is blocked", async () => {
  const page = await shop.open({
    before: script(`
      for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
        Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError") } });
      Object.defineProperty(document, "cookie", {
        get() { throw new DOMException("blocked", "SecurityError") },
        set() { throw new DOMException("blocked", "SecurityError") },
      });
    `),
  });
  const { button, form, description, send } = partsOf(page);
  const cookies: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(site.url)) cookies.push(request.headers()["cookie"]);
  });
  await page.context().addCookies([{ name: "other", value: "1", url: site.url }]);
  await button.click();
  await description.fill("Without cookies");
  await send.click();
  await form.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.ok(cookies.length >= 3);
  assert.deepEqual(new Set(cookies), new Set([undefined]));
  await page.leave();
});

test("the focus stays in the form, goes around, and returns to the button", async () => {
  const page = await shop.open({ before: "<a href=/a>Before</a>", after: "<a href=/b>After</a>" });
  const { button, form } = partsOf(page);
  await button.focus();
  await page.keyboard.press("Enter");
  await form.waitFor();
  const focused = () =>
    page.evaluate(() => {
      const root = document.activeElement?.shadowRoot;
      if (root?.host.localName !== "signalbox-form") return "outside";
      const { activeElement: focused } = root;
      return focused?.getAttribute("aria-label") ?? (focused?.id || focused?.textContent);
    });
  const around = [await focused()];
  do {
    await page.keyboard.press("Tab");
    around.push(await focused());
  } while (around.at(-1) !== "title" && around.length < 30);
  assert.deepEqual(around.slice(0, 4), ["title", "description", "author_name", "author_email"]);
  assert.deepEqual(around.slice(-3), ["Send feedback", "Close", "title"]);
  for (const expected of around.toReversed().slice(1)) {
    await page.keyboard.press("Shift+Tab");
    await eventually(() => focused(), expected);
  }
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await eventually(
    () => button.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element),
    true,
  );
  await page.leave();
});

for (const width of [1280, 320])
  test(`axe finds nothing at ${width} px in either theme: button, form, errors and thanks`, async () => {
    for (const theme of ["light", "dark"] as const) {
      const page = await shop.open(
        { attributes: 'data-kinds="bug,idea,question"' },
        { theme, width, height: 640 },
      );
      const { button, form, description, send, alert } = partsOf(page);
      await button.waitFor();
      await page.checkAccessibility();
      await button.click();
      await form.waitFor();
      await page.checkAccessibility();
      await send.click();
      await alert.getByText("Check the marked fields.").waitFor();
      await page.checkAccessibility();
      await form.getByRole("radio", { name: "An idea" }).check();
      await description.fill("Gift cards");
      await send.click();
      await form.getByRole("heading", { name: "Thank you" }).waitFor();
      await page.checkAccessibility();
      await page.leave();
    }
  });

test("on a phone, and at 400 % zoom, the form fits into the page and is sent by touch", async () => {
  for (const size of [PHONE, { ...PHONE, width: 320, height: 256 }]) {
    const page = await shop.open({}, size);
    const { button, form, description, send } = partsOf(page);
    await button.tap();
    await form.waitFor();
    const overflow = await form.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(overflow <= 0, `${overflow} px`);
    await description.tap();
    await description.fill("By touch");
    await send.tap();
    await form.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.leave();
  }
});
