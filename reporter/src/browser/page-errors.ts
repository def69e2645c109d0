import { listen } from "./listen.ts";
import { page } from "./page.ts";

/** Reports the page's uncaught errors; the console still shows them. Returns functions that remove the listeners. */
export function watchPage(capture: (error: unknown) => void): (() => void)[] {
  return [
    listen(page, "error", ({ error, message, filename, lineno, colno }: ErrorEvent) => {
      // "Script error." from a script of another origin: the browser hides the error and its location.
      if (!error && !lineno) return;
      capture(error ?? { name: "Error", message, stack: `    at ${filename}:${lineno}:${colno}` });
    }),
    listen(page, "unhandledrejection", ({ reason }: PromiseRejectionEvent) => capture(reason)),
  ];
}
