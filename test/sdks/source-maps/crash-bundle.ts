import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser } from "playwright-core";
import { runCommand } from "../run-command.ts";

const CRASH_MS = 30_000;

/** Runs a bundle in Node until its uncaught error ends it. */
export async function crashInNode(file: string, settings: object): Promise<void> {
  const env = { SETTINGS: JSON.stringify(settings) };
  const crashed = runCommand(process.execPath, [file], { cwd: path.dirname(file), env, timeoutMs: CRASH_MS });
  await assert.rejects(crashed, /ended with 1:[^]*RangeError/);
}

/** Serves the bundles in `root` and loads the one at `file`. Ends when its error has been sent. */
export async function crashInChromium(
  browser: Browser,
  { root, file, settings }: { root: string; file: string; settings: object },
): Promise<void> {
  const script = `/${path.relative(root, file)}`;
  const html = `<!doctype html><meta charset="utf-8"><title>Shop</title><script>window.settings = ${JSON.stringify(settings)}</script><script type="module" src="${script}"></script>`;
  const server = createServer((request, response) => {
    const isScript = request.url?.endsWith(".mjs") === true;
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    const content = isScript ? readFile(path.join(root, request.url ?? "")) : Promise.resolve(html);
    content.then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  try {
    const { port } = server.address() as AddressInfo;
    await Promise.all([
      page.waitForResponse(
        (response) => response.ok() && response.request().postData()?.includes("RangeError") === true,
        { timeout: CRASH_MS },
      ),
      page.goto(`http://127.0.0.1:${port}/`),
    ]);
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
