import { attempt, property } from "../core/safe.ts";
import { topFile } from "../core/trace.ts";
import { listen } from "./listen.ts";
import { page } from "./page.ts";

/** Errors that no page can prevent: from a browser's own timing, and from a scanner of links in emails. */
const noise = /ResizeObserver loop|Object Not Found Matching Id/;

/** Matches if the code that threw belongs to an extension. Only the first frame counts: extensions also wrap functions of pages. */
const ofExtension = (stack: string) => /-extension:\/\//.test(topFile(stack));

/** Reports the page's uncaught errors; the console still shows them. Returns functions that remove the listeners. */
export function watchPage(capture: (error: unknown) => void, filterNoise = true): (() => void)[] {
  const report = (error: unknown) => {
    const isNoise = () =>
      // oxlint-disable-next-line typescript/no-base-to-string -- any value may be thrown
      noise.test(String(property(error, "message") ?? error)) ||
      ofExtension(String(property(error, "stack")));
    if (!filterNoise || !attempt(isNoise)) capture(error);
  };
  return [
    listen(page, "error", ({ error, message, filename, lineno, colno }: ErrorEvent) => {
      // "Script error." from a script of another origin: the browser hides the error and its location.
      if (!error && !lineno) return;
      report(error ?? { name: "Error", message, stack: `    at ${filename}:${lineno}:${colno}` });
    }),
    listen(page, "unhandledrejection", ({ reason }: PromiseRejectionEvent) => report(reason)),
  ];
}
