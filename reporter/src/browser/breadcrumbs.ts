import { watchConsole } from "../core/console-breadcrumbs.ts";
import { attempt, property } from "../core/safe.ts";
import type { NewBreadcrumb } from "../core/trail.ts";
import { listen } from "./listen.ts";
import type { BrowserOptions } from "./options.ts";
import { page } from "./page.ts";

type Add = (breadcrumb: NewBreadcrumb) => void;

/**
 * Records lines of the console, requests of fetch and navigation. Returns functions that stop it.
 *
 * @param own the URL that the reporter itself sends to
 */
export function record(add: Add, { breadcrumbs }: BrowserOptions, own: string): (() => void)[] {
  const wants = (kind: string) => breadcrumbs !== false && property(breadcrumbs, kind) !== false;
  return [
    ...(wants("console") ? watchConsole(add) : []),
    ...(wants("fetch") ? watchFetch(add, own) : []),
    ...(wants("navigation") ? watchNavigation(add) : []),
  ];
}

function watchFetch(add: Add, own: string): (() => void)[] {
  const { fetch: original } = globalThis;
  if (!original) return [];
  const wrapped: typeof fetch = (input, init) => {
    const answer = original.call(globalThis, input, init);
    attempt(() => {
      // oxlint-disable-next-line typescript/no-base-to-string -- a URL becomes its address
      const url = withoutQuery(String(property(input, "url") ?? input));
      if (url === withoutQuery(own)) return;
      // oxlint-disable-next-line typescript/no-base-to-string -- a method is text
      const method = String(init?.method ?? property(input, "method") ?? "GET").toUpperCase();
      const breadcrumb: NewBreadcrumb & { data: Record<string, unknown> } = {
        category: "fetch",
        message: `${method} ${url}`,
        data: { method, url },
      };
      add(breadcrumb);
      const ended = (status: number | undefined) => {
        breadcrumb.message += ` ${status ?? "failed"}`;
        breadcrumb.data["status_code"] = status;
        if (!status || status >= 400) breadcrumb.level = "warning";
      };
      answer.then(
        ({ status }) => ended(status),
        () => ended(undefined),
      );
    });
    return answer;
  };
  globalThis.fetch = wrapped;
  return [
    () => {
      if (globalThis.fetch === wrapped) globalThis.fetch = original;
    },
  ];
}

function watchNavigation(add: Add): (() => void)[] {
  const { location, history } = page;
  if (!location || !history) return [];
  let from = location.pathname;
  const moved = () => {
    const to = location.pathname;
    if (to !== from) add({ category: "navigation", message: `${from} → ${to}`, data: { from, to } });
    from = to;
  };
  const undo = (["pushState", "replaceState"] as const).map((method) => {
    const original = history[method];
    const wrapped: typeof original = (...change) => {
      original.apply(history, change);
      attempt(moved);
    };
    history[method] = wrapped;
    return () => {
      if (history[method] === wrapped) history[method] = original;
    };
  });
  return [...undo, listen(page, "popstate", moved)];
}

/** An absolute URL without its query and fragment. */
function withoutQuery(url: string): string {
  return new URL(url, page.location?.href).href.replace(/[?#].*/, "");
}
