import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type * as Browser from "../../src/browser/index.ts";

/** The browser bundle in its CommonJS form. */
const bundle = readFileSync(join(import.meta.dirname, "../../dist/cjs/browser/index.js"), "utf8");

/**
 * Simulates the parts of a page that the reporter uses: events of window and document, and a real fetch whose options
 * are recorded. `npm run test:browser` tests the reporter in Chromium.
 *
 * @param missing globals that the page lacks, such as the document in a worker
 */
export function openPage(userAgent = "Mozilla/5.0 Chrome/150.0.1 Safari/537.36", ...missing: string[]) {
  const requests: RequestInit[] = [];
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const globals: Record<string, unknown> & { module: { exports: unknown } } = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    document,
    navigator: { userAgent },
    location: { href: "https://app.example.com/users/42?token=abc#x" },
    fetch(url: string, init: RequestInit) {
      requests.push(init);
      return fetch(url, init);
    },
    AbortSignal,
    URL,
    Blob,
    performance,
    // Timers must not keep the test process alive.
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
    clearTimeout,
    module: { exports: {} },
    console,
  };
  for (const name of missing) delete globals[name];
  runInContext(bundle, createContext(globals));
  return {
    ...(globals.module.exports as typeof Browser),
    requests,
    /** The page's global object. */
    globals,
    /** Dispatches an event with these properties at the window. */
    dispatch: (name: string, properties: object) =>
      window.dispatchEvent(Object.assign(new Event(name), properties)),
    hide() {
      document.visibilityState = "hidden";
      document.dispatchEvent(new Event("visibilitychange"));
    },
  };
}
