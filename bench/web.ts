import { chromium, type Page } from "playwright-core";
import { makeHome, run, startServer } from "../test/support/program.ts";

const RUNS = 15;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-sync",
];

type Sample = { name: string; budget: number; times: number[] };

/**
 * What a person waits for in the web app, on the demo's workspace: from the list's answer to its rows on the screen, and
 * from a key to the next painted frame. The browser measures itself; a frame is 16 ms, so that is the grain.
 */
export async function benchWeb() {
  const home = await makeHome();
  const demo = await run(home, ["demo"]);
  const server = await startServer(home);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  try {
    const context = await browser.newContext({
      baseURL: server.url.replace("127.0.0.1", "localhost"),
      viewport: { width: 1280, height: 800 },
    });
    await context.addInitScript({ content: MEASURE });
    const page = await context.newPage();
    await signIn(page, demo.stdout.trim());
    const samples = [await paintedList(page), ...(await keys(page))];
    console.log("\nWeb, milliseconds          median    p95   budget");
    for (const sample of samples) console.log(lineOf(sample));
  } finally {
    await browser.close();
    await home.remove();
  }
}

/** Runs in the page: `afterAnswer` and `afterKey` become attributes of the document, which a locator can wait for. */
const MEASURE = `
  const painted = (then) => requestAnimationFrame(() => setTimeout(then));
  const mark = (name, from) => painted(() => document.documentElement.setAttribute(name, String(performance.now() - from)));
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main [role=list] a, main [role=listitem] a, main a[href*="/errors/"]')) return;
    const answer = performance.getEntriesByType("resource").findLast(({ name }) => name.includes("/error-groups"));
    if (!answer) return;
    observer.disconnect();
    mark("data-after-answer", answer.responseEnd);
  }).observe(document, { childList: true, subtree: true });
  addEventListener("keydown", (event) => mark("data-after-key", event.timeStamp), true);
`;

async function signIn(page: Page, password: string) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("demo@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Projects" }).waitFor();
}

/** All 500 groups; each run is a new page on a warm cache of files. */
async function paintedList(page: Page): Promise<Sample> {
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    await page.goto("/errors?tab=all");
    times.push(await attribute(page, "data-after-answer"));
  }
  return { name: "500 groups on the screen", budget: 120, times };
}

async function keys(page: Page): Promise<Sample[]> {
  const samples: Sample[] = [];
  const measure = async (name: string, press: string, before?: string) => {
    const times: number[] = [];
    for (let count = 0; count < RUNS; count++) {
      if (before !== undefined) await page.keyboard.press(before);
      await page.locator("html").evaluate((html) => html.removeAttribute("data-after-key"));
      await page.keyboard.press(press);
      times.push(await attribute(page, "data-after-key"));
    }
    samples.push({ name, budget: 100, times });
  };
  await measure("J in 500 groups", "j");
  await measure("X in 500 groups", "x");
  await measure("palette opens", "Control+k", "Escape");
  return samples;
}

async function attribute(page: Page, name: string): Promise<number> {
  await page.locator(`html[${name}]`).waitFor({ state: "attached" });
  return Number(await page.locator("html").getAttribute(name));
}

function lineOf({ name, budget, times }: Sample): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0).padStart(6);
  return `${name.padEnd(26)} ${at(0.5)} ${at(0.95)} ${String(budget).padStart(8)}`;
}
