import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { upload } from "../support/multipart.ts";
import { openErrorList } from "./error-list.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });

const HOST = "https://shop.example/assets";

const SOURCE = Array.from({ length: 20 }, (_, n) => `const line${n + 1} = cart.items[${n}];`).join("\n");

/** Line 1, column 1 is line 10, column 1 of the source. */
const MAP = JSON.stringify({
  version: 3,
  sources: ["../src/cart.ts"],
  sourcesContent: [SOURCE],
  names: ["total"],
  mappings: "AASAA",
});

const TRACE = [
  "TypeError: Cannot read properties of undefined (reading 'items')",
  `    at e (${HOST}/app.js:1:1)`,
  `    at n (${HOST}/vendor.js:1:20)`,
].join("\n");

/** A project with an error of minified code in release 1.4.2. */
async function openMinified() {
  const errors = await openErrorList(site);
  await errors.send("Minified", { release: "1.4.2", stack_trace: TRACE });
  const { id } = errors.project;
  const uploadMap = async () => {
    const path = `/api/projects/${id}/releases/1.4.2/artifacts`;
    const part = { name: "files[0]", filename: "~/assets/app.js.map", content: MAP };
    const answer = await upload(site.api, path, [part]);
    assert.equal(answer.status, 201, answer.text);
  };
  return { ...errors, uploadMap, release: `/projects/${errors.project.key}/releases/1.4.2` };
}

test("an error shows, copies and promotes its original code once the map was uploaded, and shows the minified code on request", async () => {
  const errors = await openMinified();
  const page = await errors.openPageOf("Minified");
  const trace = page.getByRole("region", { name: "Stack trace" }).first();
  await trace
    .getByText(/^None of the 2 frames could be mapped: Release 1\.4\.2 has no source maps/)
    .waitFor();
  await eventually(() => page.getByRole("group", { name: "Code" }).count(), 0);
  await errors.uploadMap();
  await trace.getByText("src/cart.ts").first().waitFor();
  await trace.getByText("const line10 = cart.items[9];").waitFor();
  await trace.getByText(/^1 of 2 frames could not be mapped/).waitFor();
  await page.checkAccessibility();

  const button = (name: string) => page.getByRole("group", { name: "Code" }).getByRole("button", { name });
  await button("Minified").press("Enter");
  await trace.getByText(`${HOST}/app.js`).waitFor();
  await eventually(() => trace.getByText("src/cart.ts").count(), 0);
  await page.reload();
  await button("Original").and(page.locator("[aria-pressed=true]")).waitFor();
  await button("Minified").press("Space");
  await trace.getByText(`${HOST}/app.js`).waitFor();
  await button("Original").press("Space");
  await trace.getByText("src/cart.ts").first().waitFor();

  // The browser has one clipboard, which tests of other files use at the same time.
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text });
  });
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  const copied = () => page.evaluate(() => (window as unknown as { copied?: string }).copied ?? "");
  await eventually(async () => (await copied()).includes("at src/cart.ts:10:1"), true);
  await page.keyboard.press("Shift+p");
  const dialog = page.getByRole("dialog", { name: "Promote Minified to an issue" });
  const description = dialog.getByRole("textbox", { name: "Description" });
  await eventually(async () => (await description.inputValue()).includes("at src/cart.ts:10:1"), true);
  await page.leave();
});

test("a release lists its source maps, shows how to upload them, and deletes one after asking", async () => {
  const errors = await openMinified();
  await errors.uploadMap();
  const page = await site.open(errors.release);
  const section = page.getByRole("region", { name: "Source maps" });
  const uploaded = section.getByRole("list", { name: "Uploaded files" }).getByRole("listitem");
  await uploaded
    .filter({ hasText: "~/assets/app.js.map" })
    .getByText(/^Source map · \d+ B · uploaded/)
    .waitFor();
  await section
    .getByText("1 of 2 minified files in the release’s latest error have their source map.")
    .waitFor();
  const files = section.getByRole("list", { name: "Minified files in errors" }).getByRole("listitem");
  await files.filter({ hasText: "~/assets/app.js" }).getByText("Mapped", { exact: true }).waitFor();
  await files
    .filter({ hasText: "~/assets/vendor.js" })
    .getByText(/^Not mapped: Release 1\.4\.2/)
    .waitFor();
  await section.getByRole("button", { name: "How to upload" }).press("Enter");
  await section.getByText(`export SENTRY_PROJECT=${errors.project.key}`).waitFor();
  await section.getByText(`export SENTRY_URL=${site.url}`).waitFor();
  await section.getByRole("tab", { name: "Sentry CLI" }).press("ArrowLeft");
  await section.getByText(`/api/projects/${errors.project.key}/releases/1.4.2/artifacts`).waitFor();
  await page.checkAccessibility();

  await section.getByRole("button", { name: "Delete ~/assets/app.js.map" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Delete ~/assets/app.js.map?" });
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await section.getByText(/^No source maps yet/).waitFor();
  await section.getByRole("heading", { name: "Source maps" }).and(page.locator(":focus")).waitFor();
  await section.getByRole("tab", { name: "Sentry CLI" }).waitFor();
  await page.leave();
});

test("people who cannot change errors see the source maps without commands and buttons", async () => {
  const { api } = site;
  const path = `/api/projects/${site.project.id}/releases/1.4.2/artifacts`;
  const part = { name: "files[0]", filename: "~/assets/app.js.map", content: MAP };
  assert.equal((await upload(api, path, [part])).status, 201);
  const page = await site.open("/projects/WEB/releases/1.4.2", { as: await site.member("Viewer") });
  const section = page.getByRole("region", { name: "Source maps" });
  await section.getByText("~/assets/app.js.map").waitFor();
  await eventually(() => section.getByRole("button").count(), 0);
  await page.leave();
});

test("the page that shows how to send errors offers source maps after an error of a web page", async () => {
  const errors = await openMinified();
  const page = await site.open(`/projects/${errors.project.key}/settings?section=ingestion`);
  await page.getByRole("link", { name: "upload the source maps of 1.4.2" }).click();
  await page
    .getByText(/^No source maps yet/)
    .and(page.locator(":visible"))
    .waitFor();
  await page.leave();
});
