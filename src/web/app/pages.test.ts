import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { readPages } from "../../../build/web/built-pages.ts";
import { inboxQuery } from "../data/inbox/inbox.ts";
import { APP_PAGES, type Page, PROJECT_PAGES } from "./pages.ts";

const WEB = path.join(import.meta.dirname, "..");
const PROJECT_ID = 7;
const params = {
  projectKey: String(PROJECT_ID),
  issueKey: "WEB-1",
  errorGroupId: "12",
  reportId: "12",
  slug: "nightly-backup",
};

/** The URLs that `load` requests. */
async function requestsOf(load: (client: QueryClient) => Promise<unknown>): Promise<string[]> {
  const requests: string[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = async (input) => {
    requests.push(typeof input === "string" ? input : "");
    return Response.json({ data: [], meta: { next_cursor: null } });
  };
  try {
    await load(new QueryClient());
    return requests;
  } finally {
    globalThis.fetch = before;
  }
}

const filled = (template: string) =>
  template.replace(/\$(\w+)/g, (_, name: string) => params[name as keyof typeof params]);

test("every file of a page is in the table, and the table has no other", async () => {
  const files = readdirSync(WEB, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("-page.tsx"))
    .map((name) => name.replaceAll(path.sep, "/"));
  const rows = new Set((await readPages()).map(({ code }) => code));
  assert.deepEqual([...rows].toSorted(), files.toSorted());
});

for (const [name, page] of Object.entries<Page>(PROJECT_PAGES))
  if (page.load !== undefined)
    test(`the HTML preloads what the page "${name}" reads first`, async () => {
      const { request, load } = page;
      const template = typeof request === "string" ? request : request?.[""];
      assert.deepEqual(await requestsOf(async (client) => load?.(client, PROJECT_ID, params)), [
        filled(template ?? ""),
      ]);
    });

test("the HTML preloads what the inbox reads first, whether it shows all entries or unread ones", async () => {
  const read = (unread?: true) => requestsOf((client) => client.fetchInfiniteQuery(inboxQuery({ unread })));
  const { request } = APP_PAGES.inbox;
  assert.deepEqual([await read(true), await read()], [[request[""]], [request["?filter=all"]]]);
});

test("the addresses of the manifest are pages of the app", async () => {
  const manifest = JSON.parse(readFileSync(path.join(WEB, "public/app.webmanifest"), "utf8"));
  const addresses = [manifest.start_url, ...manifest.shortcuts.map(({ url }: { url: string }) => url)];
  assert.deepEqual(addresses, ["/", "/shortcuts/new-issue", "/shortcuts/triage", "/notifications"]);
  const paths = (await readPages()).map((page) => page.path.replace(/\$\w+/g, "[^/]+"));
  const isPage = (address: string) => paths.some((pattern) => new RegExp(`^${pattern}$`).test(address));
  assert.deepEqual(
    [...addresses, manifest.share_target.action].filter((address) => !isPage(address)),
    [],
  );
});
