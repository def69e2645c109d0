import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { openInstallation } from "./growth/installation.ts";
import { ACTIONS, type Action } from "./instant-actions.ts";
import { quantile } from "./load.ts";

const SIZES = { projects: 10, groups: 10_000, issues: 100_000, people: 100 };
const RUNS = Number(process.env["INSTANT_RUNS"] ?? 10);
/** The processor of a cheap phone. */
const CPU_SLOWDOWN = 4;
const BUDGET_MS = 100;
/** A result that is not there by then counts as this late. */
const LATE_MS = 20_000;
/** A mobile network at the edge of its reach. */
const SLOW = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

type Sample = { ms: number[]; longTasks: number[]; bytes: number[] };

/**
 * Frequent actions in Chromium with a slowed processor, on a fast and on a slow network, in an installation with 100,000 issues
 * and 10,000 error groups: from the key or click until its result is painted. Also the long tasks and the bytes of each. With
 * INSTANT_FOLDER, the installation is kept for the next run; INSTANT_ONLY selects actions.
 */
export async function benchInstant() {
  const kept = process.env["INSTANT_FOLDER"];
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), "signalbox-instant-")));
  const { server, known } = await openInstallation("instant", folder, SIZES);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  try {
    for (const network of ["fast", "slow"] as const) {
      const page = await openPage(browser, server.port, known.admin);
      await measureAll(page, network);
      await page.context().close();
    }
  } finally {
    await browser.close();
    await server.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function openPage(browser: Browser, port: number, cookie: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1280, height: 800 },
  });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, domain: "localhost", path: "/" }]);
  await context.addInitScript({ content: MEASURE });
  return context.newPage();
}

async function measureAll(page: Page, network: "fast" | "slow") {
  const cdp = await page.context().newCDPSession(page);
  console.log(
    `\nActions, ${network} network, processor slowed ${CPU_SLOWDOWN} times, ms    median    p95   worst   long task   kB`,
  );
  const all: number[] = [];
  for (const action of ACTIONS.filter(({ name }) => name.includes(process.env["INSTANT_ONLY"] ?? ""))) {
    const sample: Sample = { ms: [], longTasks: [], bytes: [] };
    for (let run = 0; run < RUNS; run++) await measure(page, cdp, network, action, sample);
    all.push(...sample.ms);
    console.log(line(action.name, sample));
  }
  const above = all.filter((ms) => ms > BUDGET_MS).length;
  console.log(
    `  all: p50 ${quantile(sorted(all), 0.5).toFixed(0)}, p95 ${quantile(sorted(all), 0.95).toFixed(0)}, ${above} of ${all.length} above ${BUDGET_MS} ms`,
  );
}

async function measure(
  page: Page,
  cdp: CDPSession,
  network: "fast" | "slow",
  action: Action,
  sample: Sample,
) {
  await action.prepare(page);
  if (network === "slow") await cdp.send("Network.emulateNetworkConditions", SLOW);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.evaluate(`instant.watch(() => ${action.done})`);
  await action.act(page);
  const { ms, longest, bytes } = await page.evaluate<{ ms: number; longest: number; bytes: number }>(
    "instant.result()",
  );
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await cdp.send("Network.emulateNetworkConditions", {
    ...SLOW,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  sample.ms.push(ms);
  sample.longTasks.push(longest);
  sample.bytes.push(bytes);
}

function line(name: string, { ms, longTasks, bytes }: Sample): string {
  const number = (value: number) => value.toFixed(0).padStart(7);
  return `  ${name.padEnd(60)} ${number(quantile(sorted(ms), 0.5))} ${number(quantile(sorted(ms), 0.95))} ${number(Math.max(...ms))} ${number(Math.max(...longTasks)).padStart(11)} ${number(quantile(sorted(bytes), 0.5) / 1_000)}`;
}

const sorted = (values: readonly number[]) => Float64Array.from(values).sort();

/**
 * Runs in the page. The time starts with the last key or pointer event after \`watch\` and ends when the first frame in which the
 * condition is true has been painted.
 */
const MEASURE = `
  globalThis.instant = (() => {
    let result, start, longest, tasks;
    const onInput = ({ timeStamp }) => (start = timeStamp);
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, onInput, true);
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) if (start !== undefined && startTime + duration > start) longest = Math.max(longest, duration);
    }).observe({ type: "longtask" });
    const watch = (isDone) => {
      start = undefined;
      longest = 0;
      performance.clearResourceTimings();
      result = new Promise((resolve) => {
        const look = () => requestAnimationFrame(() => {
          if (start === undefined || !isDone()) return look();
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            const bytes = performance.getEntriesByType("resource").reduce((sum, { transferSize }) => sum + transferSize, 0);
            resolve({ ms: performance.now() - start, longest, bytes });
          };
          channel.port2.postMessage(null);
        });
        look();
      });
    };
    const late = () => new Promise((resolve) => setTimeout(resolve, ${LATE_MS}, { ms: ${LATE_MS}, longest, bytes: 0 }));
    return { watch, result: () => Promise.race([result, late()]) };
  })();
`;
