import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { waitForWorker, waitUntilKept } from "./kept-copies.ts";
import { startServer, stopServer } from "./site-server.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite, WEB_APP } from "./test-site.ts";

/** A copy of the built app, which the tests replace by other builds while the server runs. */
const folder = await mkdtemp(path.join(tmpdir(), "signalbox-builds-"));
await cp(WEB_APP, folder, { recursive: true });
const index = path.join(folder, "index.html");
const html = await readFile(index, "utf8");
const site = await useTestSite({}, folder);
after(() => rm(folder, { recursive: true, force: true }));
await site.create("/issues", { title: "Keep the coupon" });

/** Replaces the app's page by one that names its build. */
const release = (name: string, links = "") =>
  writeFile(index, html.replace("</head>", `<meta name="build" content="${name}" />${links}</head>`));

const buildOf = (page: TestPage) => page.locator("meta[name=build]").getAttribute("content");

async function openList(page: TestPage): Promise<void> {
  await page.goto("/projects/WEB/issues");
  await page.getByRole("link", { name: "Keep the coupon", exact: true }).waitFor();
}

async function openWithWorker(): Promise<TestPage> {
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  await page.getByRole("link", { name: "Keep the coupon", exact: true }).waitFor();
  await waitForWorker(page, "issues-page");
  await waitUntilKept(page, "Keep the coupon");
  return page;
}

test("the worker keeps the app's page and files, and nothing of the API", async () => {
  await release("only");
  const page = await openWithWorker();
  await openList(page);
  const urls = await page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
    return urls;
  });
  assert.deepEqual(
    urls.filter((url) => url !== "/shell.html" && !url.startsWith("/assets/")),
    [],
  );
  assert.ok(urls.length > 3, urls.join(" "));
  await page.leave();
});

test("a new build is fetched in the background and used at the next start", async () => {
  await release("first");
  const page = await openWithWorker();
  await release("second");
  await openList(page);
  assert.equal(await buildOf(page), "first");
  await waitUntilKept(page, 'content="second"');
  await openList(page);
  await eventually(() => buildOf(page), "second");
  await page.leave();
});

test("a build whose files cannot all be loaded is not used, and the one before starts without the server", async () => {
  await release("works");
  const page = await openWithWorker();
  await release("broken", '<link rel="modulepreload" href="/assets/gone-1.js" />');
  await openList(page);
  // The worker fetches the page each time one is opened; by the second time, the first attempt has failed.
  await openList(page);
  await stopServer(site);
  try {
    await openList(page);
    assert.equal(await buildOf(page), "works");
  } finally {
    await startServer(site);
  }
  page.complaints.splice(0);
  await page.leave();
});
