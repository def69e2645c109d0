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

type Sample = { name: string; budget?: number; times: number[] };

/**
 * Latencies in the web app with the demo data: from a list's response until its rows are painted, and from a key press
 * to the next painted frame. The browser measures them, with a resolution of one frame (16 ms).
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
    await fill(page);
    const samples = [
      await measurePaint(page, { name: "500 groups painted", address: "/errors?tab=all", budget: 120 }),
      ...(await measureKeys(page, [
        ["J in 500 groups", "j"],
        ["X in 500 groups", "x"],
        ["palette opens", "Control+k", "Escape"],
      ])),
      await measurePaint(page, { name: "1,000 reports painted", address: "/projects/MANY/triage" }),
      ...(await measureKeys(page, [["J in 1,000 reports", "j"]])),
      await measurePaint(page, { name: "300 cards painted", address: "/projects/MANY/board" }),
      ...(await measureKeys(page, [["J among 300 cards", "j"]])),
    ];
    console.log("\nWeb, milliseconds            median    p95   budget");
    for (const sample of samples) console.log(formatSample(sample));
  } finally {
    await browser.close();
    await home.remove();
  }
}

/** Runs in the page. It writes each latency to an attribute of the document, which a locator can wait for. */
const MEASURE = `
  const painted = (then) => requestAnimationFrame(() => setTimeout(then));
  const measure = (name, from) => painted(() => document.documentElement.setAttribute(name, String(performance.now() - from)));
  const lists = { errors: "/error-groups", triage: "/reports", board: "/issues" };
  const list = lists[location.pathname.split("/").at(-1)];
  new MutationObserver((_, observer) => {
    if (!document.querySelector("main [data-row]")) return;
    const request = performance.getEntriesByType("resource").findLast(({ name }) => name.includes(list));
    if (!request) return;
    observer.disconnect();
    measure("data-after-response", request.responseEnd);
  }).observe(document, { childList: true, subtree: true });
  addEventListener("keydown", (event) => measure("data-after-key", event.timeStamp), true);
`;

async function signIn(page: Page, password: string) {
  await page.goto("/sign-in");
  await page.getByLabel(/^E-?mail/).fill("demo@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Projects" }).waitFor();
}

/** Creates a project with 1,000 reports and 300 issues, all on its board. */
async function fill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const post = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as { id: number };
    };
    const read = async <T>(path: string) => ((await (await fetch(path)).json()) as { data: T[] }).data;
    const [project] = await read<{ workspace_id: number }>("/api/projects");
    const workspace_id = project?.workspace_id;
    const { id } = await post("/api/projects", { key: "MANY", name: "Many things", workspace_id });
    const lanes = await read<{ id: number }>(`/api/projects/${id}/lanes`);
    for (let n = 1; n <= 300; n++)
      await post(`/api/projects/${id}/issues`, { title: `Issue number ${n}`, lane_id: lanes[n % 3]?.id });
    for (let n = 1; n <= 1_000; n++)
      await post(`/api/projects/${id}/reports`, {
        title: `Report number ${n}`,
        description: "What was seen. ".repeat(20),
      });
  });
}

/** Each run loads the page again, with its files cached. */
async function measurePaint(
  page: Page,
  { address, ...sample }: { name: string; address: string; budget?: number },
): Promise<Sample> {
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    await page.goto(address);
    times.push(await attribute(page, "data-after-response"));
  }
  return { ...sample, times };
}

/** Measures from a key press to the next painted frame. `before` is pressed before each run and not measured. */
async function measureKeys(
  page: Page,
  presses: [name: string, press: string, before?: string][],
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const [name, press, before] of presses) {
    const times: number[] = [];
    for (let count = 0; count < RUNS; count++) {
      if (before !== undefined) await page.keyboard.press(before);
      await page.locator("html").evaluate((html) => html.removeAttribute("data-after-key"));
      await page.keyboard.press(press);
      times.push(await attribute(page, "data-after-key"));
    }
    samples.push({ name, budget: 100, times });
  }
  return samples;
}

async function attribute(page: Page, name: string): Promise<number> {
  await page.locator(`html[${name}]`).waitFor({ state: "attached" });
  return Number(await page.locator("html").getAttribute(name));
}

function formatSample({ name, budget, times }: Sample): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0).padStart(6);
  return `${name.padEnd(28)} ${at(0.5)} ${at(0.95)} ${String(budget ?? "").padStart(8)}`;
}
