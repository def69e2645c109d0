import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import type { Attachment } from "../../src/shared/attachments.ts";
import type { Report } from "../../src/shared/reports.ts";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { elementNamed, FOCUSED, type EnginePage } from "./engine-page.ts";
import { hasFirefox, startFirefox } from "./firefox.ts";
import { useTestSite, type TestSite } from "./test-site.ts";
import { hasWebKit, startWebKit } from "./webkit.ts";
import { NONCE, openShop, type Shop } from "./widget-page.ts";

/*
 * The feedback widget in other engines, under a strict policy with Trusted Types, while cookies are blocked. Optional: an engine
 * that is not installed is not tested.
 */

type Engine = { page: EnginePage; close(): Promise<void> };

const ENGINES: Record<string, (() => Promise<Engine>) | undefined> = {
  Firefox: hasFirefox ? startFirefoxEngine : undefined,
  WebKitGTK: hasWebKit ? startWebKit : undefined,
};

if (hasFirefox || hasWebKit) {
  const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
  const shop = await openShop(site);
  for (const [name, start] of Object.entries(ENGINES))
    if (start) describe(name, () => addTests({ name, start, site, shop }));
}
for (const [name, start] of Object.entries(ENGINES))
  if (!start) console.log(`${name} is not installed: the feedback widget is not tested in it.`);

async function startFirefoxEngine(): Promise<Engine> {
  const { page, close } = await startFirefox({ blocksCookies: true });
  return { page: { ...page, click: page.clickOn }, close };
}

type Tested = { name: string; start: () => Promise<Engine>; site: TestSite; shop: Shop };

function addTests({ name, start, site, shop }: Tested) {
  let engine: Engine;
  let folder: string;
  before(async () => {
    engine = await start();
    folder = await mkdtemp(path.join(tmpdir(), "signalbox-widget-"));
  });
  after(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens a page of the shop that notes its errors and what its policy refuses. */
  async function openPage(): Promise<EnginePage> {
    const { page } = engine;
    await page.goto(
      shop.serve({
        before: `<script nonce="${NONCE}">
          window.problems = [];
          addEventListener("error", (event) => problems.push(event.message));
          addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
          document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
            // These browsers look for an icon of the page.
            if (!blockedURI.endsWith("/favicon.ico")) problems.push(violatedDirective + " " + blockedURI);
          });
          document.cookie = "allowed=1";
        </script>`,
      }),
    );
    await eventually(() => page.evaluate("document.cookie"), "", "cookies are blocked");
    return page;
  }

  const focusedText = (page: EnginePage) => page.evaluate<string>(`${FOCUSED}.textContent.trim()`);
  const isOpen = (page: EnginePage) => page.evaluate<boolean>(`${elementNamed("dialog[open]")} !== null`);

  test(`${name}: the widget opens by mouse, and Escape returns the focus to its button`, async () => {
    const page = await openPage();
    await page.click(elementNamed("button", "Feedback"));
    await eventually(() => isOpen(page), true);
    await page.click(elementNamed("textarea", "Description"));
    await page.press("Escape");
    await eventually(() => isOpen(page), false);
    await eventually(() => focusedText(page), "Feedback");
    await eventually(() => page.evaluate("problems"), []);
  });

  test(`${name}: a report with an image is written and sent with the keyboard`, async () => {
    const page = await openPage();
    await eventually(() => page.evaluate(`${elementNamed("button", "Feedback")} !== null`), true);
    await page.press("Tab");
    await eventually(() => focusedText(page), "Feedback");
    await page.press("Enter");
    await eventually(() => isOpen(page), true);
    await tabTo(page, `${FOCUSED}.matches("textarea")`);
    await page.type("The cart is empty");
    const file = path.join(folder, "cart.png");
    await writeFile(file, await png(60, 40));
    await page.setFile(elementNamed("input[type=file]"), file);
    await eventually(() => page.evaluate(`${elementNamed("[role=img], canvas")} !== null`), true);
    await tabTo(page, `${FOCUSED}.textContent.trim() === "Send feedback"`);
    await page.press("Enter");
    await eventually(() => page.evaluate(`${elementNamed("a", "See what becomes of it")} !== null`), true);
    const reports = "/api/projects/WEB/reports";
    const report = ((await site.api.get(reports)).body as Report[]).at(-1);
    assert.equal(report?.description, "The cart is empty");
    const images = (await site.api.get(`${reports}/${report.id}/attachments`)).body as Attachment[];
    assert.deepEqual(
      images.map(({ mime_type }) => mime_type),
      ["image/webp"],
    );
    await eventually(() => page.evaluate("problems"), []);
  });
}

/** Presses Tab until the focus is on the element that the condition describes. */
async function tabTo(page: EnginePage, condition: string): Promise<void> {
  for (let n = 0; n < 30; n++) {
    if (await page.evaluate(condition)) return;
    await page.press("Tab");
  }
  assert.fail(`30 times Tab do not lead to ${condition}`);
}
