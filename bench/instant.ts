import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { openInstallation } from "./growth/installation.ts";
import { ACTIONS, type Action } from "./instant-actions.ts";
import { quantile } from "./load.ts";

export const SIZES = { projects: 10, groups: 10_000, issues: 100_000, people: 100 };
const RUNS = Number(process.env["INSTANT_RUNS"] ?? 10);
const PROFILES = process.env["INSTANT_PROFILES"];
/** The processor of a cheap phone. */
const CPU_SLOWDOWN = Number(process.env["INSTANT_SLOWDOWN"] ?? 4);
const BUDGET_MS = 100;
/** A result that is not there by then counts as this late. */
const LATE_MS = 20_000;
/** What an action puts off until its result is painted is part of its work: it delays the next key. */
const AFTER_MS = 500;

export const NETWORKS = {
  fast: { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  /** A mobile network at the edge of its reach. */
  slow: { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 },
};
export type Network = keyof typeof NETWORKS;

/** Of one run of an action: times in milliseconds. */
type Sample = {
  ms: number;
  longTask: number;
  /** What the page's thread spent on scripts, and on styles and layout. */
  script: number;
  layout: number;
  bytes: number;
};

/**
 * Frequent actions in Chromium with a slowed processor, on a fast and on a slow network, in an installation with 100,000 issues
 * and 10,000 error groups: from the key or click until its result is painted. Also the long tasks, the work and the bytes of each.
 * The app is open and has loaded its code. The first run of an action finds no data in the cache, except that of the page it
 * starts on; the later runs find what the earlier ones have read.
 */
export async function benchInstant() {
  const kept = process.env["INSTANT_FOLDER"];
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), "signalbox-instant-")));
  const { server, known } = await openInstallation("instant", folder, SIZES);
  try {
    for (const network of Object.keys(NETWORKS) as Network[])
      if ((process.env["INSTANT_NETWORK"] ?? network) === network)
        await measureAll(server.port, known.member, network);
  } finally {
    await server.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Each network has a browser of its own, which one that fails does not take away from the other. */
async function measureAll(port: number, cookie: string, network: Network) {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  try {
    const page = await openPage(browser, port, cookie);
    const cdp = await page.context().newCDPSession(page);
    // The time of the thread itself, whatever else runs on the machine.
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    console.log(
      `\nActions, ${network} network, processor slowed ${CPU_SLOWDOWN} times, ms    first median    p95  worst longest task  script layout     kB`,
    );
    const all: number[] = [];
    for (const action of ACTIONS.filter(({ name }) => name.includes(process.env["INSTANT_ONLY"] ?? ""))) {
      await openApp(page);
      const samples: Sample[] = [];
      for (let run = 0; run < RUNS; run++) samples.push(await measure({ page, cdp, network, action, run }));
      all.push(...samples.map(({ ms }) => ms));
      console.log(line(action.name, samples));
    }
    const above = all.filter((ms) => ms > BUDGET_MS).length;
    console.log(
      `  all: p50 ${at(all, 0.5).trim()}, p95 ${at(all, 0.95).trim()}, ${above} of ${all.length} above ${BUDGET_MS} ms`,
    );
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser, port: number, cookie: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1280, height: 800 },
    // Conditions are texts that the page evaluates.
    bypassCSP: true,
  });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, domain: "localhost", path: "/" }]);
  await context.addInitScript({ content: MEASURE });
  return context.newPage();
}

/** Opens the app anew, without data in its cache, and waits until it has loaded its code. */
async function openApp(page: Page) {
  await page.goto("/search");
  await page.evaluate("instant.codeIsLoaded()");
}

type Run = { page: Page; cdp: CDPSession; network: Network; action: Action; run: number };

async function measure({ page, cdp, network, action, run }: Run): Promise<Sample> {
  const { name, prepare, act, before = "null", done } = action;
  try {
    await prepare(page, run);
  } catch (error) {
    throw new Error(`"${name}" could not be prepared`, { cause: error });
  }
  await cdp.send("Network.emulateNetworkConditions", NETWORKS[network]);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.evaluate(`instant.watch(${before}, (before) => ${done})`);
  if (PROFILES !== undefined) await startProfile(cdp);
  const start = await readWork(cdp);
  await act(page);
  const result = await page.evaluate<Omit<Sample, keyof Work>>("instant.result()");
  const end = await readWork(cdp);
  if (PROFILES !== undefined) await writeProfile(cdp, PROFILES, `${name} ${run}`);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await cdp.send("Network.emulateNetworkConditions", NETWORKS.fast);
  return { ...result, script: end.script - start.script, layout: end.layout - start.layout };
}

type Work = { script: number; layout: number };

/** Since the page was opened, in milliseconds. */
async function readWork(cdp: CDPSession): Promise<Work> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (wanted: string) => 1_000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0);
  return { script: of("ScriptDuration"), layout: of("LayoutDuration") + of("RecalcStyleDuration") };
}

async function startProfile(cdp: CDPSession) {
  await cdp.send("Profiler.enable");
  await cdp.send("Profiler.setSamplingInterval", { interval: 500 });
  await cdp.send("Profiler.start");
}

async function writeProfile(cdp: CDPSession, folder: string, name: string) {
  const { profile } = await cdp.send("Profiler.stop");
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.cpuprofile`),
    JSON.stringify(profile),
  );
}

function line(name: string, samples: readonly Sample[]): string {
  const of = (value: (sample: Sample) => number) => samples.map(value);
  const ms = of((sample) => sample.ms);
  return [
    `  ${name.padEnd(54)}`,
    at(ms.slice(0, 1), 1),
    at(ms, 0.5),
    at(ms, 0.95),
    at(ms, 1),
    at(
      of(({ longTask }) => longTask),
      1,
    ).padStart(12),
    at(
      of(({ script }) => script),
      0.5,
    ),
    at(
      of(({ layout }) => layout),
      0.5,
    ),
    at(
      of(({ bytes }) => bytes / 1_000),
      0.5,
    ),
  ].join("");
}

const at = (values: readonly number[], share: number) =>
  (values.length === 0 ? 0 : quantile(Float64Array.from(values).sort(), share)).toFixed(0).padStart(7);

/**
 * Runs in the page. The time starts with the last key or pointer event after `watch` and ends when the first frame in which the
 * condition is true has been painted.
 */
const MEASURE = `
  globalThis.instant = (() => {
    performance.setResourceTimingBufferSize(5_000);
    let result, start, longTask;
    const onInput = ({ timeStamp }) => (start = timeStamp);
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, onInput, true);
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) if (start !== undefined && startTime + duration > start) longTask = Math.max(longTask, duration);
    }).observe({ type: "longtask" });
    const watch = (before, isDone) => {
      start = undefined;
      longTask = 0;
      performance.clearResourceTimings();
      result = new Promise((resolve) => {
        const look = () => requestAnimationFrame(() => {
          if (start === undefined || !isDone(before)) return look();
          const channel = new MessageChannel();
          channel.port1.onmessage = async () => {
            const ms = performance.now() - start;
            await pause(${AFTER_MS});
            const bytes = performance.getEntriesByType("resource").reduce((sum, { transferSize }) => sum + transferSize, 0);
            resolve({ ms, longTask, bytes });
          };
          channel.port2.postMessage(null);
        });
        look();
      });
    };
    const late = () => new Promise((resolve) => setTimeout(resolve, ${LATE_MS}, { ms: ${LATE_MS}, longTask, bytes: 0 }));
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    // The app begins to load its remaining code two seconds after its start.
    const codeIsLoaded = async () => {
      await pause(3_000);
      for (let count = 0, next; (next = performance.getEntriesByType("resource").length) > count; count = next) await pause(1_500);
    };
    return { watch, codeIsLoaded, result: () => Promise.race([result, late()]) };
  })();
`;
