import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { pastePicture } from "./paste-picture.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

/** Opens a new issue's page, with the focus in the field for a comment and its tools loaded. */
async function openField(title: string): Promise<{ page: TestPage; field: Locator; key: string }> {
  const { key } = await site.create("/issues", { title });
  const page = await site.open(`/projects/WEB/issues/${key}`);
  const field = page.getByRole("textbox", { name: "Write a comment" });
  await page.getByRole("toolbar", { name: "Formatting" }).waitFor();
  await field.focus();
  return { page, field, key };
}

const select = (field: Locator, from: number, to: number) =>
  field.evaluate((element, [start, end]) => (element as HTMLTextAreaElement).setSelectionRange(start, end), [
    from,
    to,
  ] as const);

async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test("text is formatted with keys and the toolbar, and the browser's undo takes it back", async () => {
  const { page, field } = await openField("Formats");
  await page.keyboard.type("a big cat");
  await select(field, 2, 5);
  await page.keyboard.press("Control+b");
  await eventually(() => field.inputValue(), "a **big** cat");
  await page.getByRole("button", { name: "Italic", exact: true }).click();
  await eventually(() => field.inputValue(), "a **_big_** cat");
  await page.keyboard.press("Control+z");
  await eventually(() => field.inputValue(), "a **big** cat");
  await select(field, 0, 0);
  await page.keyboard.press("Control+Shift+Digit7");
  await eventually(() => field.inputValue(), "1. a **big** cat");

  // The toolbar is one stop for Tab.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Quote", exact: true }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => field.inputValue(), "> 1. a **big** cat");
  await field.and(page.locator(":focus")).waitFor();
  await page.leave();
});

test("Tab passes two stops before the text: the modes and the toolbar", async () => {
  const { page, field } = await openField("Stops");
  const focused = page.locator(":focus");
  await page.keyboard.press("Shift+Tab");
  await page.getByRole("toolbar", { name: "Formatting" }).locator(focused).waitFor();
  await page.keyboard.press("Shift+Tab");
  const modes = page.getByLabel("Editor", { exact: true });
  await modes.getByRole("button", { name: "Write" }).and(focused).waitFor();
  await page.keyboard.press("ArrowRight");
  await modes.getByRole("button", { name: "Preview" }).and(focused).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await field.and(focused).waitFor();
  await page.leave();
});

test("Ctrl K and a pasted address make a link of selected text; without a selection, Ctrl K opens the palette", async () => {
  const { page, field } = await openField("Links");
  await page.keyboard.type("the docs");
  await select(field, 4, 8);
  await paste(field, "https://docs.example/a");
  await eventually(() => field.inputValue(), "the [docs](https://docs.example/a)");
  await select(field, 0, 3);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("https://the.example");
  await eventually(() => field.inputValue(), "[the](https://the.example) [docs](https://docs.example/a)");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.press("Escape");
  await page.leave();
});

test("a list continues on Enter and ends on an empty item; Tab indents within it, and leaves after Esc", async () => {
  const { page, field } = await openField("Lists");
  await page.keyboard.type("- one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("three");
  await eventually(() => field.inputValue(), "- one\n  - two\n- three");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await eventually(() => field.evaluate((element) => element === document.activeElement), false);
  await eventually(() => field.inputValue(), "- one\n  - two\n- three");
  await field.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("end");
  await eventually(() => field.inputValue(), "- one\n  - two\n- three\n\nend");
  await page.leave();
});

test("reports, issues and commands are suggested, and chosen with keys or the mouse", async () => {
  const report = await site.create("/reports", { title: "Zebra crossing", description: "Always" });
  const issue = await site.create("/issues", { title: "Zebra stripes" });
  const { page, field } = await openField("Suggestions");
  await page.keyboard.type("See #zeb");
  await page.getByRole("option", { name: /Zebra crossing/, selected: true }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  await eventually(() => field.inputValue(), `See #${report.id} `);

  await page.keyboard.type("web-zebra");
  await page
    .getByRole("listbox", { name: "Issues" })
    .getByRole("option", { name: /Zebra stripes/ })
    .click();
  await eventually(() => field.inputValue(), `See #${report.id} ${issue.key} `);

  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("/tab");
  await page.getByRole("option", { name: "Table", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Name");
  await eventually(
    () => field.inputValue(),
    `See #${report.id} ${issue.key} \n\n| Name | Column |\n| --- | --- |\n|  |  |`,
  );

  await page.keyboard.type(" @");
  await page.getByRole("listbox", { name: "People" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await page.leave();
});

test("the field grows with its text in a browser without field-sizing", async () => {
  const { key } = await site.create("/issues", { title: "Growing" });
  const page = await site.open("/assets/none.txt", { newContext: true });
  await page.addInitScript(() => {
    CSS.supports = () => false;
    document.addEventListener("DOMContentLoaded", () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("textarea { field-sizing: fixed !important }");
      document.adoptedStyleSheets = [sheet];
    });
  });
  await page.goto(`/projects/WEB/issues/${key}`);
  const field = page.getByRole("textbox", { name: "Write a comment" });
  await field.fill("one");
  const height = () => field.evaluate((element) => element.clientHeight);
  const before = await height();
  await field.fill(Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n"));
  await eventually(async () => (await height()) > before, true);
  await eventually(() => field.evaluate((element) => element.scrollHeight - element.clientHeight), 0);
  await field.fill("one");
  await eventually(height, before);
  await page.leave();
});

test("a pasted image is uploaded into a comment, which takes it over; a failed upload is retried", async () => {
  const { page, field, key } = await openField("Pictures");
  await page.route("**/attachments", (route) => route.abort());
  await page.keyboard.type("Look: ");
  await pastePicture(field, "cart.png");
  await page.getByRole("button", { name: "Try cart.png again" }).waitFor();
  await eventually(() => field.inputValue(), "Look: ![Uploading cart.png…]()");
  const send = page.getByRole("form", { name: "Write a comment" }).getByRole("button", { name: /^Comment/ });
  await eventually(() => send.isEnabled(), false);
  await page.checkAccessibility();
  // The browser logs a failed request as an error.
  assert.deepEqual(page.complaints.splice(0), ["Failed to load resource: net::ERR_FAILED"]);
  await page.unroute("**/attachments");
  await page.getByRole("button", { name: "Try cart.png again" }).click();
  await eventually(async () => /^Look: !\[cart\.\w+\]\(\/api\//.test(await field.inputValue()), true);

  await field.press("Control+Enter");
  const image = page
    .getByRole("article")
    .getByRole("img", { name: /^cart\./ })
    .first();
  await image.waitFor();
  await eventually(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth), 60);
  const { body } = await site.api.get(`${base}/issues?query=Pictures`);
  const issue = body.data.find((one: { key: string }) => one.key === key);
  await eventually(async () => {
    const comments = (await site.api.get(`${base}/issues/${issue.id}/comments`)).body.data;
    return comments.map(({ attachments }: { attachments: unknown[] }) => attachments.length);
  }, [1]);
  await page.leave();
});

test("canceling an upload removes its placeholder, and files can be chosen in the toolbar", async () => {
  const { page, field } = await openField("Canceled");
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/attachments", async (route) => {
    await promise;
    await route.abort();
  });
  await page.keyboard.type("Before ");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (
    await chooser
  ).setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Some notes") });
  await eventually(() => field.inputValue(), "Before ![Uploading notes.txt…]()");
  await page.getByRole("button", { name: "Cancel notes.txt" }).click();
  await eventually(() => field.inputValue(), "Before ");
  await page.getByRole("list", { name: "Uploads" }).waitFor({ state: "hidden" });
  resolve();
  await page.leave();
});
