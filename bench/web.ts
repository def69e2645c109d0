import { setTimeout } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { openContext, openVersion, type Version } from "./web-version.ts";

const RUNS = 15;

/** Opening a window takes more CPU time than the page in it: the browser's own interface is a page, too. */
const WINDOW_MS = 1_500;

/** The folder of another version, built, which takes turns with this one. */
const OTHER = process.env["BENCH_OTHER"];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-sync",
];

/** `times` has a list for each version. */
type Sample = { name: string; budget?: number; times: number[][] };

/**
 * Latencies in the web app with the demo data: from a list's response until its rows are painted, from a key press to the next
 * painted frame, and from the start of a navigation with an empty cache until an issue's title is painted. The browser
 * measures them, with a resolution of one frame (16 ms).
 */
export async function benchWeb() {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  const versions: Version[] = [];
  try {
    for (const folder of OTHER === undefined ? [undefined] : [undefined, OTHER])
      versions.push(await openVersion(browser, folder));
    const measured = {
      paint: (name: string, address: string, budget?: number) =>
        measure({ name, budget }, versions, ({ page }) => paintedAfter("response", page, address)),
      load: (name: string, address: string) =>
        measure({ name }, versions, ({ page }) => paintedAfter("navigation", page, address)),
      key: (name: string, press: string, before?: string) =>
        measure({ name, budget: 100 }, versions, ({ page }) => paintedAfterKey(page, press, before)),
    };
    const samples = [
      await measured.paint("500 groups painted", "/errors?tab=all", 100),
      await measured.load("the same from navigation", "/errors?tab=all"),
      await measured.key("J in 500 groups", "j"),
      await measured.key("X in 500 groups", "x"),
      await measured.key("palette opens", "Control+k", "Escape"),
      await measured.paint("1,000 reports painted", "/projects/MANY/triage"),
      await measured.load("the same from navigation", "/projects/MANY/triage"),
      await measured.key("J in 1,000 reports", "j"),
      await measured.paint("300 cards painted", "/projects/MANY/board"),
      await measured.load("the same from navigation", "/projects/MANY/board"),
      await measured.key("J among 300 cards", "j"),
      await measure({ name: "cold issue page", budget: 400 }, versions, (version) =>
        paintedWithEmptyCache(browser, version),
      ),
    ];
    console.log("\nWeb, milliseconds            median    p95   budget   other version: median, p95");
    for (const sample of samples) console.log(formatSample(sample));
  } finally {
    await Promise.all(versions.map((version) => version.close()));
    await browser.close();
  }
}

/** The versions take turns, so that other load affects all of them. */
async function measure(
  { name, budget }: { name: string; budget?: number | undefined },
  versions: readonly Version[],
  once: (version: Version) => Promise<number>,
): Promise<Sample> {
  const times = versions.map((): number[] => []);
  for (let count = 0; count < RUNS; count++)
    for (const [index, version] of versions.entries()) times[index]?.push(await once(version));
  return { name, ...(budget !== undefined && { budget }), times };
}

/** Loads the page again, with its files cached. */
async function paintedAfter(event: "response" | "navigation", page: Page, address: string): Promise<number> {
  await page.goto(address);
  return attribute(page, `data-after-${event}`);
}

/** From a key press to the next painted frame. `before` is pressed first and not measured. */
async function paintedAfterKey(page: Page, press: string, before?: string): Promise<number> {
  if (before !== undefined) await page.keyboard.press(before);
  await page.locator("html").evaluate((html) => html.removeAttribute("data-after-key"));
  await page.keyboard.press(press);
  return attribute(page, "data-after-key");
}

/** A new context has an empty cache. */
async function paintedWithEmptyCache(browser: Browser, { page, issue }: Version): Promise<number> {
  const context = await openContext(browser, new URL(page.url()).origin);
  await context.addCookies(await page.context().cookies());
  const cold = await context.newPage();
  await setTimeout(WINDOW_MS);
  await cold.goto(`${issue.address}#${new URLSearchParams({ title: issue.title }).toString()}`);
  const time = await attribute(cold, "data-after-navigation");
  await context.close();
  return time;
}

async function attribute(page: Page, name: string): Promise<number> {
  await page.locator(`html[${name}]`).waitFor({ state: "attached" });
  return Number(await page.locator("html").getAttribute(name));
}

function formatSample({ name, budget, times: [own = [], ...others] }: Sample): string {
  const text = [own, ...others].map((times) => `${at(times, 0.5)} ${at(times, 0.95)}`);
  return `${name.padEnd(28)} ${text[0]} ${String(budget ?? "").padStart(8)}   ${text.slice(1).join(" ")}`;
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0).padStart(6);
}
