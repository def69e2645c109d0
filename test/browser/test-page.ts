import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { checkAccessibility } from "./check-accessibility.ts";

export type TestPage = Page & {
  /** Console errors, uncaught exceptions and violations of the content security policy so far. */
  complaints: string[];
  /** Fails if axe finds a violation of WCAG 2.2 AA. */
  checkAccessibility(): Promise<void>;
  /** Ends the test's use of the page; fails if there are complaints. */
  leave(): Promise<void>;
};

/**
 * Creates a page in the given context, with what the browser tells about the connection. `leave` calls `release`. Pages are reused: a new one needs two renderer processes and
 * has to compile the web app, which is three quarters of the CPU time of opening a page.
 */
export async function createPage(
  context: BrowserContext,
  { connection, release }: { connection?: object; release: (page: TestPage) => Promise<void> },
): Promise<TestPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(
        `refused by the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`,
      );
    });
  });
  if (connection)
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, "connection", { value });
    }, connection);
  page.on("console", (message) => {
    if (message.type() === "error" && !reportsStatus4xx(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  const testPage: TestPage = Object.assign(page, {
    complaints,
    checkAccessibility: () => checkAccessibility(page),
    leave: async () => {
      assert.deepEqual(complaints, []);
      await release(testPage);
    },
  });
  return testPage;
}

/** Unloads the web app and removes everything that the test and the app stored or set on the page and its context. */
export async function resetPage(page: TestPage): Promise<void> {
  page.removeAllListeners("request");
  // Requests that a test delayed may still be in flight; nothing waits for them anymore.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // A document of the same origin keeps the renderer process; this one runs no script.
  await page.goto("/assets/none.txt");
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    indexedDB.deleteDatabase("signalbox");
  });
  await page.mouse.move(0, 0);
  await page.context().clearCookies();
  await page.context().clearPermissions();
  page.complaints.length = 0;
}

/** Chromium logs every response with status 4xx as an error, but tests may expect such responses. */
const reportsStatus4xx = (text: string) =>
  text.startsWith("Failed to load resource: the server responded with a status of 4");
