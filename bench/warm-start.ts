import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { openInstallation } from "./growth/installation.ts";
import { NETWORKS, SIZES, type Network } from "./instant.ts";
import { quantile } from "./load.ts";

const RUNS = Number(process.env["WARM_RUNS"] ?? 7);
const SLOWDOWN = Number(process.env["WARM_SLOWDOWN"] ?? 1);
/** A page that shows nothing by then counts as this late. */
const LATE_MS = 20_000;

const ROW = `document.querySelector("main [data-row]")`;
const heading = `(document.querySelector("main h1")?.textContent ?? "")`;

/** A page, and an expression that is true when it shows its content. */
type Kept = { name: string; path: string; done: string };

const list = (name: string, path: string, title: string): Kept => ({
  name,
  path,
  done: `${heading}.startsWith("${title}") && ${ROW} !== null`,
});

/** Each thing is the one that `ROW` leads to in its list. */
const LISTS = [
  list("home", "/", "Hello"),
  list("inbox", "/notifications", "Inbox"),
  list("triage", "/projects/P1/triage", "Triage"),
  list("errors", "/projects/P1/errors", "Errors"),
  list("board", "/projects/P1/board", "Board"),
  list("issues", "/projects/P1/issues", "Issues"),
];
const THINGS = [
  { name: "an issue", list: "issues", link: "main a[href*='/issues/P1-']" },
  { name: "an error", list: "errors", link: "main a[href*='/errors/']" },
];

/**
 * How soon a page that was read before shows its content from the copies in the browser, in an installation with 100,000 issues
 * and 10,000 error groups: when the browser opens it (a warm start), and when the open app goes to it without having it in memory.
 */
export async function benchWarmStart() {
  const kept = process.env["INSTANT_FOLDER"];
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), "signalbox-warm-")));
  const { server, known } = await openInstallation("instant", folder, SIZES);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  try {
    const context = await browser.newContext({
      baseURL: `http://localhost:${server.port}`,
      viewport: { width: 1280, height: 800 },
      bypassCSP: true,
    });
    const [name = "", value = ""] = known.member.split("=");
    await context.addCookies([{ name, value, domain: "localhost", path: "/" }]);
    await context.addInitScript({ content: MEASURE });
    const pages = await readAll(context);
    for (const network of Object.keys(NETWORKS) as Network[]) await measureAll(context, pages, network);
  } finally {
    await browser.close();
    await server.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Opens each page, so that the browser keeps its code and a copy of its data. */
async function readAll(context: BrowserContext): Promise<Kept[]> {
  const page = await context.newPage();
  const pages = [...LISTS];
  for (const kept of LISTS) {
    await read(page, kept);
    const thing = THINGS.find((each) => each.list === kept.name);
    if (!thing) continue;
    const link = page.locator(thing.link).first();
    const title = (await link.textContent()) ?? "";
    const path = (await link.getAttribute("href")) ?? "";
    pages.push({ name: thing.name, path, done: `${heading}.includes(${JSON.stringify(title)})` });
    await read(page, pages.at(-1) as Kept);
  }
  await page.close();
  return pages;
}

async function read(page: Page, { path, done }: Kept) {
  await page.goto(path);
  await page.waitForFunction(done);
  // Copies are written a second after the last response, and the worker keeps files when the browser is idle.
  await page.waitForTimeout(5_000);
}

async function measureAll(context: BrowserContext, pages: Kept[], network: Network) {
  console.log(
    `\nPages read before, ${network} network, processor slowed ${SLOWDOWN} times, ms    warm start: median  worst    within the app: median  worst`,
  );
  for (const kept of pages) {
    const starts: number[] = [];
    const moves: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      starts.push(await onNewPage(context, network, (page) => start(page, kept)));
      moves.push(await onNewPage(context, network, (page) => move(page, kept)));
    }
    console.log(
      `  ${kept.name.padEnd(60)}${at(starts, 0.5)}${at(starts, 1)}${at(moves, 0.5).padStart(24)}${at(moves, 1)}`,
    );
  }
}

async function onNewPage(
  context: BrowserContext,
  network: Network,
  measure: (page: Page) => Promise<number>,
): Promise<number> {
  const page = await context.newPage();
  try {
    const cdp = await context.newCDPSession(page);
    await slowDown(cdp, network);
    return await measure(page);
  } finally {
    await page.close();
  }
}

async function slowDown(cdp: CDPSession, network: Network) {
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", NETWORKS[network]);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** From the start of the navigation. */
async function start(page: Page, { path, done }: Kept): Promise<number> {
  await page.goto(path, { waitUntil: "commit" });
  return page.evaluate<number>(`warm.painted(() => ${done}, 0)`);
}

/** From a page that has its code, but has not read this thing. */
async function move(page: Page, { path, done }: Kept): Promise<number> {
  await page.goto("/search");
  await page.waitForFunction(`${heading}.startsWith("Search")`);
  await page.evaluate("warm.codeIsLoaded()");
  return page.evaluate<number>(
    `(history.pushState(null, "", ${JSON.stringify(path)}), warm.painted(() => ${done}, performance.now()))`,
  );
}

const at = (values: readonly number[], share: number) =>
  quantile(Float64Array.from(values).sort(), share).toFixed(0).padStart(8);

/** Runs in the page. `painted` waits for the first frame in which the condition is true. */
const MEASURE = `
  globalThis.warm = {
    painted: (isDone, from) => Promise.race([
      new Promise((resolve) => {
        const look = () => requestAnimationFrame(() => {
          if (!isDone()) return look();
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now() - from);
          channel.port2.postMessage(null);
        });
        look();
      }),
      new Promise((resolve) => setTimeout(resolve, ${LATE_MS}, ${LATE_MS})),
    ]),
    // The app begins to load its remaining code two seconds after its start.
    codeIsLoaded: async () => {
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      await pause(2_500);
      for (let count = -1, next; (next = performance.getEntriesByType("resource").length) > count; count = next) await pause(500);
    },
  };
`;
