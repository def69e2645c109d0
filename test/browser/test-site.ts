import assert from "node:assert/strict";
import { after } from "node:test";
import type { Browser } from "playwright-core";
import { builtFolder, REPORTER } from "../../src/server/serve/downloads/serve-downloads.ts";
import { BUILT as WIDGET } from "../../src/server/serve/widget/serve-widget.ts";
import { BUILT } from "../../src/server/serve/web-app/serve-web-app.ts";
import type { Lane } from "../../src/shared/lanes.ts";
import type { Client } from "../support/client.ts";
import {
  makeCookie,
  makeMember,
  makeUser,
  makeWorkspace,
  type RoleName,
  type TestUser,
} from "../support/make.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";
import { openChromium } from "./chromium.ts";
import { reservePort } from "./reserve-port.ts";
import { createPage, resetPage, type TestPage } from "./test-page.ts";

/** The folder of the built web app. */
export const WEB_APP = process.env["WEB_APP"] ?? BUILT;

/** The built web app on a server and database for this test file, with Chromium to open it. */
export type TestSite = {
  t: TestApp;
  url: string;
  /** A workspace with a project WEB; `owner` administers both. */
  workspaceId: number;
  project: { id: number; key: string };
  owner: TestUser;
  /** The API as the owner, with a session. */
  api: Client;
  /** Creates something in the project: `create("/issues", { title })`. */
  create(path: string, body: object): Promise<{ id: number; key: string }>;
  /** The project's lanes by kind. */
  laneIds(): Promise<Record<string, number>>;
  /** Creates a user with a role in the project. */
  member(role: RoleName, overrides?: { username?: string; email?: string }): Promise<TestUser>;
  clientOf(user: TestUser): Promise<Client>;
  /** Opens a page without cookies or stored data except the session of `as`. */
  open(path: string, options?: OpenOptions): Promise<TestPage>;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** The signed-in user. Default: the owner; null for a visitor. */
  as?: TestUser | null;
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  /** For a test that changes its context in a way that `leave` cannot undo, such as the clock. */
  newContext?: boolean;
  /** Whether the page loads the rest of the app's code when it is idle; off, because it costs every test time. */
  preload?: boolean;
  /** Whether the browser reports a slow connection. */
  slow?: boolean;
  /** Whether it is a phone, without mouse and keyboard. */
  touch?: boolean;
  /** Whether the browser keeps the app's files and copies of what was read; off, so that a test starts without them. */
  keeps?: boolean;
};

/** A phone in portrait, without mouse and keyboard. */
export const PHONE = { touch: true, width: 390, height: 800 } satisfies OpenOptions;

/** Opens a site that is closed after the file's tests. */
export async function useTestSite(
  settings: Record<string, string> = {},
  webApp = WEB_APP,
): Promise<TestSite> {
  const site = await openTestSite(settings, webApp);
  after(() => site.close());
  return site;
}

/** Opens a site with special settings for a single test; the caller closes it. */
export async function openTestSite(settings: Record<string, string>, webApp = WEB_APP): Promise<TestSite> {
  const { port, release } = await reservePort();
  const url = `http://localhost:${port}`;
  const [browser, t] = await Promise.all([
    openChromium(),
    openTestApp(
      { PUBLIC_URL: url, ...settings },
      { webApp, reporter: builtFolder(REPORTER), widget: WIDGET },
    ),
  ]);
  await release();
  await t.app.listen({ port, host: "127.0.0.1" });

  const owner = await makeUser(t.db, { username: "ada", email: "ada@example.com" });
  const workspace = await makeWorkspace(t.db, { admin: owner });
  const clientOf = async (user: TestUser) => t.http.withCookie(await makeCookie(t.db, user.id));
  const api = await clientOf(owner);
  const project = (await api.post("/api/projects", { key: "WEB", name: "Web shop" }))
    .body as TestSite["project"];
  const pages = poolPages(browser, url);

  return {
    t,
    url,
    workspaceId: workspace.id,
    project,
    owner,
    api,
    create: async (path, body) => {
      const answer = await api.post(`/api/projects/${project.id}${path}`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    laneIds: async () => {
      const { data } = (await api.get(`/api/projects/${project.id}/lanes`)).body;
      return Object.fromEntries((data as Lane[]).map(({ id, kind }) => [kind, id]));
    },
    member: async (role, overrides = {}) =>
      makeMember(t.db, project.id, { user: await makeUser(t.db, overrides), role }),
    clientOf,
    open: async (
      path,
      { as = owner, theme = "light", width = 1280, height = 800, ...options }: OpenOptions = {},
    ) => {
      const { newContext = false, preload = false, slow = false, touch = false, keeps = false } = options;
      const isSpecial = newContext || preload || slow || touch || keeps;
      const page = await (isSpecial ? pages.create({ preload, slow, touch, keeps }) : pages.take());
      if (as) {
        const [name = "", value = ""] = (await makeCookie(t.db, as.id)).split("=");
        await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
      }
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height });
      await page.goto(path);
      return page;
    },
    close: async () => {
      await browser.close();
      t.app.server.closeAllConnections();
      await t.close();
    },
  };
}

type Special = { preload: boolean; slow: boolean; touch: boolean; keeps: boolean };

/** Makes the copies of what was read unavailable, like in a browser without IndexedDB. */
function keepNoCopies() {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, ...rest) {
    if ([stores].flat().includes("about") && ![stores].flat().includes("changes"))
      throw new Error("This test keeps no copies.");
    return Reflect.apply(transaction, this, [stores, ...rest]);
  };
}

/** Pages do not load code ahead. */
const SAVES_DATA = { saveData: true };

/** Creates pages on demand and reuses those that no test currently uses. */
function poolPages(browser: Browser, url: string) {
  const idle: TestPage[] = [];
  const openContext = async ({ touch = false, keeps = false } = {}) => {
    const context = await browser.newContext({
      baseURL: url,
      locale: "en-GB",
      reducedMotion: "reduce",
      serviceWorkers: keeps ? "allow" : "block",
      ...(touch && { hasTouch: true, isMobile: true }),
    });
    context.setDefaultTimeout(30_000);
    if (!keeps) await context.addInitScript(keepNoCopies);
    return context;
  };
  const putBack = async (page: TestPage) => {
    await resetPage(page);
    idle.push(page);
  };
  return {
    take: async () =>
      idle.pop() ?? createPage(await openContext(), { connection: SAVES_DATA, release: putBack }),
    /** A page that no other test currently uses. */
    create: async ({ preload, slow, ...of }: Special) =>
      createPage(await openContext(of), {
        ...(slow ? { connection: { effectiveType: "3g" } } : preload ? {} : { connection: SAVES_DATA }),
        release: (page) => page.context().close(),
      }),
  };
}
