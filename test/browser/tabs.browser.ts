import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import type { BrowserContext, Page, Request } from "playwright-core";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually, waitUntil } from "../support/eventually.ts";
import { makeCookie, type TestUser } from "../support/make.ts";
import { launchWithPageCache } from "./chromium.ts";
import { useTestSite } from "./test-site.ts";

// The default limit of sessions.
const site = await useTestSite({ LIMIT_SESSION: "3000" });
const { browser, hasPageCache } = await launchWithPageCache();
after(() => browser.close());

/** A browser of its own for the test, signed in as the user. */
async function openBrowser(t: TestContext, as: TestUser = site.owner): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: site.url });
  t.after(() => context.close());
  context.setDefaultTimeout(30_000);
  await signIn(context, as);
  return context;
}

async function signIn(context: BrowserContext, { id }: TestUser) {
  const [name = "", value = ""] = (await makeCookie(site.t.db, id)).split("=");
  await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
}

async function makeIssue(title: string): Promise<Issue> {
  const answer = await site.api.post(`/api/projects/${site.project.id}/issues`, { title });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as Issue;
}

const rename = (issue: Issue, title: string) =>
  site.api.patch(`/api/projects/${site.project.id}/issues/${issue.id}`, { title });

const pathOf = (issue: Issue) => `/projects/WEB/issues/${issue.key}`;

async function openTab(context: BrowserContext, issue: Issue): Promise<Page> {
  const page = await context.newPage();
  await page.goto(pathOf(issue));
  await shows(page, issue.title);
  return page;
}

const shows = (page: Page, title: string) => page.getByRole("heading", { name: title, level: 1 }).waitFor();

/** The number of streams that the server sends to. */
const streams = async () => {
  const { text } = await site.t.http.get("/api/metrics");
  return Number(/^signalbox_live_streams(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
};

type Noted = Window & { changedAt?: number };

/** Runs in a page, where it notes the time at which its heading changes. */
function noteTitleChange() {
  const heading = document.querySelector("h1")!;
  new MutationObserver(() => {
    (window as Noted).changedAt ??= Date.now();
  }).observe(heading, { subtree: true, childList: true, characterData: true });
}

/** Runs in a page: whether it has written copies of what it read. */
async function hasKept(): Promise<boolean> {
  const opened = indexedDB.open("signalbox");
  await new Promise((resolve) => {
    opened.addEventListener("success", resolve);
  });
  const request = opened.result.transaction("copies").objectStore("copies").getAll();
  await new Promise((resolve) => {
    request.addEventListener("success", resolve);
  });
  opened.result.close();
  return request.result.some(({ written_at }) => written_at >= performance.timeOrigin);
}

test("ten tabs share one stream, and each shows a change", async (t) => {
  const context = await openBrowser(t);
  const issue = await makeIssue("Ten tabs");
  const tabs: Page[] = [];
  for (let n = 0; n < 10; n++) tabs.push(await openTab(context, issue));
  await eventually(streams, 1);
  for (const tab of tabs) await tab.evaluate(noteTitleChange);
  const start = Date.now();
  await rename(issue, "Seen by ten tabs");
  for (const tab of tabs) await shows(tab, "Seen by ten tabs");
  const times = await Promise.all(tabs.map((tab) => tab.evaluate(() => (window as Noted).changedAt ?? 0)));
  t.diagnostic(
    `shown after ${times
      .map((time) => time - start)
      .toSorted((a, b) => a - b)
      .join(", ")} ms`,
  );
});

test("when the tab with the stream closes, crashes or hangs, another one takes it over", async (t) => {
  const context = await openBrowser(t);
  const issue = await makeIssue("Taken over");
  const open = new Map<Request, Page>();
  context.on("request", (request) => {
    if (request.url().includes("/api/events?")) open.set(request, request.frame().page());
  });
  context.on("requestfailed", (request) => open.delete(request));
  context.on("requestfinished", (request) => open.delete(request));
  const tabs: Page[] = [];
  for (let n = 0; n < 4; n++) tabs.push(await openTab(context, issue));
  /** If two tabs lead at the same time, one gives up. */
  const findLeader = async () => {
    let found: Page[] = [];
    await waitUntil(() => {
      found = [...open.values()].filter((page) => tabs.includes(page));
      return found.length === 1;
    });
    const [leader] = found;
    assert.ok(leader);
    return leader;
  };
  const lose = {
    close: (page: Page) => page.close(),
    crash: async (page: Page) => {
      const crashed = page.waitForEvent("crash");
      page.goto("chrome://crash").catch(() => {});
      await crashed;
    },
    hang: async (page: Page) => {
      const session = await context.newCDPSession(page);
      await session.send("Debugger.enable");
      await session.send("Debugger.pause");
    },
  };
  for (const [how, end] of Object.entries(lose)) {
    const leader = await findLeader();
    tabs.splice(tabs.indexOf(leader), 1);
    await end(leader);
    await findLeader();
    await rename(issue, `After: ${how}`);
    for (const tab of tabs) await shows(tab, `After: ${how}`);
  }
});

test("twenty full page loads in one tab leave no stream behind in the back/forward cache", async (t) => {
  const context = await openBrowser(t);
  const issue = await makeIssue("Loaded again");
  const page = await openTab(context, issue);
  for (let n = 0; n < 20; n++) {
    const connected = page.waitForRequest((request) => request.url().includes("/api/events?"));
    await page.goto(`${pathOf(issue)}?n=${n}`);
    await shows(page, "Loaded again");
    await connected;
  }
  await eventually(streams, 1);
  // The browser drops a page from its cache whose database answers while it is there.
  await waitUntil(() => page.evaluate(hasKept), "the page has not kept what it read");
  await page.evaluate(() =>
    addEventListener("pageshow", ({ persisted }) => Object.assign(window, { persisted })),
  );
  await page.goto("/assets/none");
  await rename(issue, "Changed meanwhile");
  // A page from the cache fires no load event.
  await page.goBack({ waitUntil: "commit" });
  await shows(page, "Changed meanwhile");
  const isRestored = () => page.evaluate(() => "persisted" in window && window.persisted);
  await eventually(() => isRestored(), hasPageCache);
  await rename(issue, "Changed after");
  await shows(page, "Changed after");
});

test("a tab whose browser has signed in as someone else shows neither user the other's changes", async (t) => {
  const context = await openBrowser(t);
  const stranger = await site.member("Viewer", { username: "eve", email: "eve@example.com" });
  await site.t.db.deleteFrom("project_members").where("user_id", "=", stranger.id).execute();
  const issue = await makeIssue("Of the first user");
  const first = await openTab(context, issue);
  await signIn(context, stranger);
  const second = await context.newPage();
  await second.goto("/my-issues");
  await second.getByRole("heading", { name: "My issues" }).waitFor();
  // The first tab notices and loads again as the new user, who may not read the project.
  await first.getByRole("heading", { name: "Page not found" }).waitFor();
  await rename(issue, "Not for the stranger");
  await eventually(streams, 1);
  await eventually(() => first.getByText("Not for the stranger").count(), 0);
});
