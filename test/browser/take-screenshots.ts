import path from "node:path";
import type { BrowserContext } from "playwright-core";
import sharp from "sharp";
import { makeHome, run, startServer } from "../support/program.ts";
import { launchChromium } from "./chromium.ts";
import { trackLoading } from "./loading.ts";

/**
 * Takes the screenshots of the README and the docs, with the demo workspace: `npm run screenshots`, or some of them:
 * `npm run screenshots -- issue usage`.
 */

const FOLDER = path.join(import.meta.dirname, "../../docs/screenshots");
const SIZE = { width: 1280, height: 800 };
const TALL = { width: 1280, height: 1900 };
const NAMES = process.argv.slice(2);

const home = await makeHome();
// Texts of the demo contain links.
const demo = await run(home, ["demo"], { PUBLIC_URL: "https://signalbox.example.com" });
const server = await startServer(home);
const browser = await launchChromium();
try {
  const light = await open("light");
  const dark = await open("dark");
  const groups = {
    node: await groupOf(light, "SHOP", "reading 'amount'"),
    browser: await groupOf(light, "SHOP", "reading 'focus'"),
    python: await groupOf(light, "DEPOT", "more than one PurchaseOrder"),
    go: await groupOf(light, "DEPOT", "write tcp labels-0"),
    java: await groupOf(light, "DEPOT", "depot.stock.Shelf#114"),
  };
  const report = await illustratedReport(light);
  await take(light, "/projects/SHOP/errors", "errors");
  await take(dark, `/projects/SHOP/errors/${groups.node.id}`, "error");
  await take(light, `/projects/SHOP/triage?report=${report}`, "triage");
  await take(dark, "/projects/SHOP/board", "board");
  for (const [language, { id }] of Object.entries(groups)) {
    const project = language === "node" || language === "browser" ? "SHOP" : "DEPOT";
    await take(light, `/projects/${project}/errors/${id}`, `error-${language}-light`, TALL);
    await take(dark, `/projects/${project}/errors/${id}`, `error-${language}-dark`, TALL);
  }
  await take(light, "/projects/SHOP/releases", "releases");
  await take(light, "/projects/SHOP/releases/4.12.0", "release");
  await take(light, `/projects/SHOP/issues/${groups.browser.linked_issue_id}`, "issue");
  await take(light, "/projects/SHOP/settings?section=usage", "usage");
  await take(light, "/projects/SHOP/settings?section=privacy", "privacy-rules");
  await take(light, "/projects/SHOP/settings?section=inbound", "inbound-rules");
} finally {
  await browser.close();
  await home.remove();
}

/** A browser context in which the user is signed in. */
async function open(colorScheme: "light" | "dark"): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: server.url.replace("127.0.0.1", "localhost"),
    colorScheme,
    viewport: SIZE,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("demo@example.com");
  await page.getByLabel("Password").fill(demo.stdout.trim());
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return context;
}

type Group = { id: number; linked_issue_id: number | null };

/** The error with this in its message. */
async function groupOf(context: BrowserContext, project: string, message: string): Promise<Group> {
  const address = `/api/projects/${project}/error-groups?query=${encodeURIComponent(message)}`;
  const answer = await context.request.get(address);
  const { data } = (await answer.json()) as { data: Group[] };
  const [group] = data;
  if (!group) throw new Error(`The demo has no error with the message ${message}`);
  return group;
}

async function illustratedReport(context: BrowserContext): Promise<number> {
  const answer = await context.request.get("/api/projects/SHOP/reports?view=active");
  const reports = (await answer.json()) as { id: number; attachments_count: number }[];
  return reports.toSorted((a, b) => b.attachments_count - a.attachments_count)[0]?.id ?? 0;
}

/** WebP takes a quarter of the space of PNG. */
async function take(context: BrowserContext, address: string, name: string, size = SIZE) {
  if (NAMES.length > 0 && !NAMES.includes(name)) return;
  const page = await context.newPage();
  const loading = trackLoading(page);
  await page.setViewportSize(size);
  await page.goto(address, { waitUntil: "networkidle" });
  await loading.done();
  if (/\/(?:errors|issues)\/\d+$/.test(address)) {
    // Loaded last. An ignored error has the reason instead of its progress.
    const progress = page.getByRole("list", { name: "Progress" });
    await progress
      .or(page.getByText(/^Ignored\b/))
      .first()
      .waitFor();
    await page.getByText("Preview", { exact: true }).waitFor();
    await loading.done();
  }
  await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toFile(path.join(FOLDER, `${name}.webp`));
  await page.close();
}
