import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { makeHome, run, startServer } from "../test/support/program.ts";

/** A version of the program with the demo data, and a page of it in which the user is signed in. */
export type Version = { page: Page; issue: Issue; close: () => Promise<void> };

type Issue = { address: string; title: string };

/** `folder` is that of another version, which has been built. */
export async function openVersion(browser: Browser, folder?: string): Promise<Version> {
  const main = folder && path.join(folder, "src/server/main.ts");
  const home = await makeHome();
  const demo = await run(home, ["demo"], {}, main);
  const server = await startServer(home, {}, main);
  const context = await openContext(browser, server.url.replace("127.0.0.1", "localhost"));
  const page = await context.newPage();
  await signIn(page, demo.stdout.trim());
  await fill(page);
  return { page, issue: await longestIssue(context), close: () => home.remove() };
}

/** Each context has its own cache. */
export async function openContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
  await context.addInitScript({ content: MEASURE });
  return context;
}

/** The issue with the most comments. */
async function longestIssue({ request }: BrowserContext): Promise<Issue> {
  type Row = { key: string; title: string; comments_count: number };
  const { data } = (await (await request.get("/api/projects/SHOP/issues")).json()) as { data: Row[] };
  const [issue] = data.toSorted((a, b) => b.comments_count - a.comments_count);
  if (!issue) throw new Error("The demo has no issue");
  return { address: `/projects/SHOP/issues/${issue.key}`, title: issue.title };
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
    measure("data-after-navigation", 0);
  }).observe(document, { childList: true, subtree: true });
  new MutationObserver((_, observer) => {
    const title = new URLSearchParams(location.hash.slice(1)).get("title");
    const isTitle = (heading) => title !== null && heading.textContent.includes(title);
    if (![...document.querySelectorAll("h1")].some(isTitle)) return;
    observer.disconnect();
    measure("data-after-navigation", 0);
  }).observe(document, { childList: true, subtree: true, characterData: true });
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
