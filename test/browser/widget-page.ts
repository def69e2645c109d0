import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { Locator } from "playwright-core";
import type { TestPage } from "./test-page.ts";
import type { OpenOptions, TestSite } from "./test-site.ts";

/** A page of another site that includes the widget. */
export type Shop = {
  origin: string;
  /** Serves a page of the shop and returns its address. */
  serve(content?: ShopContent): string;
  /** Opens a page of the shop as a visitor. */
  open(content?: ShopContent, options?: Omit<OpenOptions, "as">): Promise<TestPage>;
};

export type ShopContent = {
  path?: string;
  /** Default: the project's first ingest key. */
  key?: string;
  /** Attributes of the script tag besides the key: `data-kinds="bug,idea"`. */
  attributes?: string | undefined;
  /** HTML before and after the script tag. */
  before?: string;
  after?: string;
  /** Replaces the strict policy. */
  policy?: string;
  headers?: Record<string, string>;
};

export const NONCE = "4f3c2b1a";

/** What a page that uses the widget must allow, and nothing else. */
export const strictPolicy = (server: string) =>
  `default-src 'none'; script-src 'nonce-${NONCE}'; connect-src ${server}; base-uri 'none'; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** Serves a shop whose pages use the widget with the project's first ingest key. */
export async function openShop(site: TestSite): Promise<Shop> {
  const { data } = (await site.api.get("/api/projects/WEB/ingest-keys")).body as { data: [{ key: string }] };
  const pages = new Map<string, ShopContent>();
  const origin = await listen((request, response) => {
    const content = pages.get(pathOf(request.url ?? "")) ?? {};
    const { key = data[0].key, attributes = "", before = "", after = "" } = content;
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": content.policy ?? strictPolicy(site.url),
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-opener-policy": "same-origin",
      ...content.headers,
    });
    response.end(
      `<!doctype html><html lang="en"><head><title>Shop</title></head>
        <body><main><h1>Voucher shop</h1>${before}</main>
        <script src="${site.url}/widget.js" data-key="${key}" nonce="${NONCE}" async ${attributes}></script>
        ${after}</body></html>`,
    );
  });
  let count = 0;
  const serve = (content: ShopContent = {}) => {
    const path = content.path ?? `/cart/${++count}`;
    pages.set(pathOf(path), content);
    return origin + path;
  };
  return {
    origin,
    serve,
    open: async (content, options = {}) => {
      const page = await site.open("/assets/none.txt", { ...options, as: null });
      await page.goto(serve(content));
      return page;
    },
  };
}

const pathOf = (address: string) => new URL(address, "http://shop").pathname;

/** The parts of the widget on a page. */
export const partsOf = (page: TestPage) => {
  const form = page.getByRole("dialog");
  return {
    button: page.locator("signalbox-widget").getByRole("button"),
    form,
    description: form.getByRole("textbox", { name: "Description" }),
    send: form.getByRole("button", { name: /^Send/ }),
    alert: form.getByRole("alert"),
  };
};

/** The form's texts about what is sent, by their names. */
export async function factsIn(form: Locator): Promise<Record<string, string>> {
  // Reading several texts does not wait for the form, which loads when it is opened.
  await form.locator("dt").first().waitFor({ state: "attached" });
  const names = await form.locator("dt").allTextContents();
  const values = await form.locator("dd").allTextContents();
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
}

/** Serves another origin. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
