import { attempt, property } from "../core/safe.ts";
import type { Breadcrumb } from "../core/event.ts";
import type { NewBreadcrumb } from "../core/trail.ts";
import { builtin } from "./builtin.ts";

/**
 * Adds outgoing requests, of fetch and of node:http, as breadcrumbs: method, URL without its query, and status.
 *
 * @param ignored the start of the URLs of the reporter's own requests
 * @returns functions that stop it
 */
export function watchOutgoing(add: (breadcrumb: NewBreadcrumb) => void, ignored: string): (() => void)[] {
  const open = new WeakMap<object, Partial<Breadcrumb>>();

  function started(request: object) {
    const path = String(property(request, "path")).replace(/[?#].*/s, "");
    const url = `${originOf(request)}${path}`;
    if (url.startsWith(ignored)) return;
    const method = property(request, "method");
    // oxlint-disable-next-line typescript/restrict-template-expressions -- undici's method is text
    const breadcrumb = { category: "fetch", message: `${method} ${url}`, data: { method, url } };
    open.set(request, breadcrumb);
    add(breadcrumb);
  }

  /** The response arrives in another context, so it is added to the breadcrumb of the request. */
  function ended(request: object, response: object) {
    const breadcrumb = open.get(request);
    const status = property(response, "statusCode");
    if (!breadcrumb?.data || typeof status !== "number") return;
    breadcrumb.message += ` ${status}`;
    breadcrumb.data["status_code"] = status;
    if (status >= 400) breadcrumb.level = "warning";
  }

  const channels: [name: string, run: (message: { request: object; response: object }) => void][] = [
    ["http.client.request.start", ({ request }) => started(request)],
    ["http.client.response.finish", ({ request, response }) => ended(request, response)],
    ["undici:request:create", ({ request }) => started(request)],
    ["undici:request:headers", ({ request, response }) => ended(request, response)],
  ];
  return channels.map(([name, run]) => {
    const channel = builtin("node:diagnostics_channel").channel(name);
    const listener = (message: unknown) => attempt(() => run(message as Parameters<typeof run>[0]));
    channel.subscribe(listener);
    return () => channel.unsubscribe(listener);
  });
}

/** Undici's requests have an origin, those of node:http a protocol and the header `host`. */
function originOf(request: object): string {
  const origin = property(request, "origin");
  // oxlint-disable-next-line typescript/no-base-to-string -- undici's origin is text or a URL
  if (origin) return String(origin);
  const host = attempt(() => (request as { getHeader(name: string): unknown }).getHeader("host"));
  // oxlint-disable-next-line typescript/restrict-template-expressions -- both are text
  return `${property(request, "protocol")}//${host ?? property(request, "host")}`;
}
