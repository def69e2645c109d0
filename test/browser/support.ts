import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { BUILT } from "../../src/server/operations/web-app/serve-web-app.ts";
import {
  makeCookie,
  makeMember,
  makeUser,
  makeWorkspace,
  type RoleName,
  type TestUser,
} from "../support/make.ts";
import type { Client } from "../support/client.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";

/** The built web app on a server and a database of its own, and a real browser on it. */
export type Stage = {
  t: TestApp;
  url: string;
  browser: Browser;
  /** A workspace with a project WEB; `owner` administers both. */
  workspaceId: number;
  project: { id: number; key: string };
  owner: TestUser;
  /** The owner's way to the API, with a session. */
  api: Client;
  /** Somebody with a role in the project. */
  member(role: RoleName, overrides?: { username?: string; email?: string }): Promise<TestUser>;
  clientOf(user: TestUser): Promise<Client>;
  /** A page of somebody's (the owner's by default; null: nobody is signed in), in a browser of their own. */
  open(path: string, options?: OpenOptions): Promise<TestPage>;
  close(): Promise<void>;
};

export type OpenOptions = {
  as?: TestUser | null;
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Whether the page loads the rest of the app's code when it is idle. Off, because it costs every test time. */
  preload?: boolean;
};

/** What went wrong on the page by itself is an error of the test: console errors, exceptions, refused by the policy. */
export type TestPage = Page & {
  complaints: string[];
  /** 0 violations of WCAG 2.2 AA, as far as axe can tell. */
  checkAccessibility(): Promise<void>;
  /** No complaints, and the context closed. */
  leave(): Promise<void>;
};

/** Chromium as it comes with Debian, talking to nobody but the test's server. */
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const t = await openTestApp({ PUBLIC_URL: url, ...settings }, { webApp: process.env["WEB_APP"] ?? BUILT });
  await t.app.listen({ port, host: "127.0.0.1" });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });

  const owner = await makeUser(t.db, { username: "ada", email: "ada@example.com" });
  const workspace = await makeWorkspace(t.db, { admin: owner });
  const clientOf = async (user: TestUser) => t.http.withCookie(await makeCookie(t.db, user.id));
  const api = await clientOf(owner);
  const project = (await api.post("/api/projects", { key: "WEB", name: "Web shop" }))
    .body as Stage["project"];

  const member: Stage["member"] = async (role, overrides = {}) => {
    const user = await makeUser(t.db, overrides);
    return makeMember(t.db, project.id, { user, role });
  };
  const open: Stage["open"] = async (
    path,
    { as = owner, theme = "light", width = 1280, height = 800, preload = false } = {},
  ) => {
    const context = await browser.newContext({
      baseURL: url,
      colorScheme: theme,
      viewport: { width, height },
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(10_000);
    if (as) {
      const [name = "", value = ""] = (await makeCookie(t.db, as.id)).split("=");
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
    }
    if (!preload)
      await context.addInitScript(() => {
        Object.defineProperty(navigator, "connection", { value: { saveData: true } });
      });
    return openPage(context, path);
  };
  return {
    t,
    url,
    browser,
    workspaceId: workspace.id,
    project,
    owner,
    api,
    member,
    clientOf,
    open,
    close: async () => {
      await browser.close();
      t.app.server.closeAllConnections();
      await t.close();
    },
  };
}

async function openPage(context: BrowserContext, path: string): Promise<TestPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(
        `refused by the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`,
      );
    });
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !isAnswer(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  await page.goto(path);
  return Object.assign(page, {
    complaints,
    checkAccessibility: async () => {
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
        // No page has a frame: what was found need not be joined in a page of its own, which takes as long again.
        .setLegacyMode(true)
        // Dialogs are drawn beside the landmarks, by design of the library.
        .disableRules(["region"])
        .analyze();
      const found = violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(" | ")}`,
      );
      assert.deepEqual(found, []);
    },
    leave: async () => {
      assert.deepEqual(complaints, []);
      // What a test holds back or passes on may still be under way: nobody waits for it any more.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  });
}

/** Chromium notes each answer of 400 and more; a refusal is an answer like any other. */
const isAnswer = (text: string) =>
  text.startsWith("Failed to load resource: the server responded with a status of 4");

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

type Role = Parameters<Page["getByRole"]>[0];

/** The element with this role and name once it has the focus. */
export async function focusOn(page: Page, role: Role, name: string | RegExp): Promise<void> {
  await named(page, role, name).and(page.locator(":focus")).waitFor();
}

/** Presses a key until the element with this role and name has the focus: at most 120 times. */
export async function pressUntil(page: Page, key: string, role: Role, name: string | RegExp): Promise<void> {
  const wanted = named(page, role, name);
  await wanted.first().waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press(key);
  }
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  assert.fail(`${key} does not lead to the ${role} ${String(name)}; the focus is on ${at}`);
}

/** Presses Tab until the element with this role and name has the focus. */
export const tabTo = (page: Page, role: Role, name: string | RegExp) => pressUntil(page, "Tab", role, name);

const named = (page: Page, role: Role, name: string | RegExp) =>
  page.getByRole(role, { name, exact: typeof name === "string" });

/** Reads again and again until it is as expected: what a page shows, or what its requests have done by now. */
export async function eventually<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const until = Date.now() + 12_000;
  for (;;) {
    const found = await read();
    try {
      return assert.deepEqual(found, expected, message);
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}
