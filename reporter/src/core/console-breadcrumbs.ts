/* eslint-disable no-console -- the console is what is observed */
import { attempt, property } from "./safe.ts";
import type { NewBreadcrumb } from "./trail.ts";

/** Adds what the program writes to the console as breadcrumbs. Returns functions that restore the console. */
export function watchConsole(add: (breadcrumb: NewBreadcrumb) => void): (() => void)[] {
  return (["debug", "log", "info", "warn", "error"] as const).map((method) => {
    const original = console[method];
    const wrapped = (...parts: unknown[]) => {
      attempt(() => {
        const message = parts.map((part) => String(property(part, "message") ?? part)).join(" ");
        const level = method === "log" ? "info" : method === "warn" ? "warning" : method;
        // Leave out the reporter's own lines.
        if (!message.startsWith("[signalbox]"))
          add({ category: "console", level, message: message.slice(0, 500) });
      });
      original.apply(console, parts);
    };
    console[method] = wrapped;
    return () => {
      if (console[method] === wrapped) console[method] = original;
    };
  });
}
