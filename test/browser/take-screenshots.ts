import path from "node:path";
import type { BrowserContext } from "playwright-core";
import { makeHome, run, startServer } from "../support/program.ts";
import { launchChromium } from "./chromium.ts";

/** Takes the README's screenshots of the demo workspace: `npm run screenshots`. */

const FOLDER = path.join(import.meta.dirname, "../../docs/screenshots");
const SIZE = { width: 1280, height: 800 };

const home = await makeHome();
const demo = await run(home, ["demo"]);
const server = await startServer(home);
const browser = await launchChromium();
try {
  const light = await open("light");
  const dark = await open("dark");
  const group = await steadiestGroup(light);
  const report = await illustratedReport(light);
  await take(light, "/projects/SHOP/errors", "errors");
  await take(dark, `/projects/SHOP/errors/${group}`, "error");
  await take(light, `/projects/SHOP/triage?report=${report}`, "triage");
  await take(dark, "/projects/SHOP/board", "board");
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

type Groups = { data: { id: number; daily_counts: number[]; regressed_at: string | null }[] };

/** A regressed error that was seen on most days. */
async function steadiestGroup(context: BrowserContext): Promise<number> {
  const answer = await context.request.get("/api/projects/SHOP/error-groups?status=0");
  const { data } = (await answer.json()) as Groups;
  const days = (counts: number[]) => counts.filter((count) => count > 0).length;
  const back = data.filter(({ regressed_at }) => regressed_at !== null);
  return back.toSorted((a, b) => days(b.daily_counts) - days(a.daily_counts))[0]?.id ?? 0;
}

async function illustratedReport(context: BrowserContext): Promise<number> {
  const answer = await context.request.get("/api/projects/SHOP/reports?view=active");
  const reports = (await answer.json()) as { id: number; attachments_count: number }[];
  return reports.toSorted((a, b) => b.attachments_count - a.attachments_count)[0]?.id ?? 0;
}

async function take(context: BrowserContext, address: string, name: string) {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await page.close();
}
