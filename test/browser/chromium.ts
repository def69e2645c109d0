import { existsSync } from "node:fs";
import { inspect } from "node:util";
import { chromium, type Browser, type BrowserServer } from "playwright-core";

/** The websocket endpoint of the Chromium that all files of a test run share. */
const VARIABLE = "TEST_CHROMIUM";

/** Debian's packages: the headless shell needs half the CPU time per page that the whole browser needs. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

const options = () => ({
  executablePath: process.env["CHROMIUM"] ?? INSTALLED.find((path) => existsSync(path)) ?? "chromium",
  // It connects only to the tests' servers.
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A page lives for seconds, so optimizing its code costs more CPU time than it saves.
    "--js-flags=--no-opt --no-maglev",
    // Nothing is drawn by a GPU. Sending every frame to a process of its own needs a tenth of the tests' CPU time.
    "--in-process-gpu",
  ],
});

export const launchChromium = (): Promise<Browser> => startChromium(() => chromium.launch(options()));

/** On rare occasions, Debian's headless shell ends with a segmentation fault while it starts. It is started once more then. */
async function startChromium<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!inspect(error, { maxStringLength: null }).includes("Segmentation fault")) throw error;
    console.log("Chromium crashed while it started, and is started once more.");
    return start();
  }
}

/** The whole browser, where it is installed: the headless shell has no back/forward cache, and Playwright turns it off. */
export function launchWithPageCache(): Promise<{ browser: Browser; hasPageCache: boolean }> {
  const [, whole = ""] = INSTALLED;
  const hasPageCache = existsSync(whole);
  const launched = chromium.launch({
    ...options(),
    ...(hasPageCache ? { executablePath: whole } : {}),
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  return launched.then((browser) => ({ browser, hasPageCache }));
}

/** Starts the Chromium that `openChromium` connects to, in this process and its child processes. */
export async function shareChromium(): Promise<BrowserServer> {
  const server = await startChromium(() => chromium.launchServer({ ...options(), host: "127.0.0.1" }));
  process.env[VARIABLE] = server.wsEndpoint();
  return server;
}

/** The shared Chromium, or a separate one if a file runs alone. Closing it closes the caller's contexts. */
export async function openChromium(): Promise<Browser> {
  const endpoint = process.env[VARIABLE];
  return endpoint === undefined ? launchChromium() : chromium.connect(endpoint);
}
