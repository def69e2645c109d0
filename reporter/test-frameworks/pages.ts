import { createServer } from "node:http";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { chromium, type Page, type Worker } from "playwright-core";
import type { Place } from "./programs.ts";

const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The message of the error with which each page ends. */
export const LAST_ERROR = "last error of the page";

/** Opens a page in Chromium and leaves it after `use`, when all events have arrived. */
export async function visit(
  url: string,
  { received }: Pick<Place, "received">,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const executablePath = process.env["CHROMIUM"] ?? installed.find((path) => existsSync(path)) ?? "chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(url);
    await use(page);
    await received();
    // Events are sent in order, so one that is sent twice arrives before this one.
    const reporting: Pick<Worker, "evaluate"> = page.workers()[0] ?? page;
    await reporting.evaluate((message) => reportError(new Error(message)), LAST_ERROR);
    await received(LAST_ERROR);
  } finally {
    await browser.close();
  }
}

/** Bundles an application for browsers, serves it and opens it at /orders/42. */
export async function bundleAndVisit(
  { folder, env, received }: Place,
  entry: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const settings = {
    url: env["SIGNALBOX_URL"],
    project: env["SIGNALBOX_PROJECT"],
    key: env["SIGNALBOX_KEY"],
  };
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    jsx: "automatic",
    define: {
      SETTINGS: JSON.stringify(settings),
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
  });
  const server = createServer((request, response) => {
    const isScript = request.url === "/main.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(
      isScript ? outputFiles[0]?.text : '<div id="root"></div><script type="module" src="/main.js"></script>',
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/42`, { received }, use);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
