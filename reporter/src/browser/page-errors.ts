import { listen } from "./listen.ts";

/** Reports errors nothing in the page caught. The console shows them as before. Answers how to stop, in parts. */
export function watchPage(capture: (error: unknown) => void): (() => void)[] {
  return [
    listen(window, "error", ({ error, message, filename, lineno, colno }: ErrorEvent) => {
      // "Script error." of a script from elsewhere: the browser tells neither what nor where.
      if (!error && !lineno) return;
      capture(error ?? { name: "Error", message, stack: `    at ${filename}:${lineno}:${colno}` });
    }),
    listen(window, "unhandledrejection", ({ reason }: PromiseRejectionEvent) => capture(reason)),
  ];
}
